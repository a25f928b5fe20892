import { type MeasuredMedia, measureMedia } from '../kit/media/media-intake.ts';
import type { AssetKind } from './state.ts';

const headBytes = 12;

/** The file types that LinkedIn can process, recognized by their first bytes. */
const signatures: readonly {
  readonly type: string;
  readonly kind: AssetKind;
  readonly at: number;
  readonly bytes: string;
}[] = [
  { type: 'image/jpeg', kind: 'image', at: 0, bytes: 'ffd8ff' },
  { type: 'image/png', kind: 'image', at: 0, bytes: '89504e470d0a1a0a' },
  { type: 'image/gif', kind: 'image', at: 0, bytes: '47494638' },
  { type: 'video/mp4', kind: 'video', at: 4, bytes: '66747970' },
  { type: 'application/pdf', kind: 'document', at: 0, bytes: '255044462d' },
  // Word and PowerPoint files: ZIP archives in the current format, compound files in the old one.
  { type: 'application/vnd.openxmlformats-officedocument', kind: 'document', at: 0, bytes: '504b0304' },
  { type: 'application/vnd.ms-office', kind: 'document', at: 0, bytes: 'd0cf11e0' },
];

/** An image must have fewer pixels than this ("Images API"). */
const maxPixels = 36_152_320;

export interface ReceivedMedia {
  readonly media: MeasuredMedia;
  /** The reason for which processing will fail. */
  readonly failure?: string;
}

/** Measures and checks a file while it streams. */
export async function receiveMedia(
  chunks: AsyncIterable<Uint8Array>,
  kind: AssetKind,
): Promise<ReceivedMedia> {
  let head = Buffer.alloc(0);
  async function* watched() {
    for await (const chunk of chunks) {
      if (head.length < headBytes) head = Buffer.concat([head, chunk.subarray(0, headBytes - head.length)]);
      yield chunk;
    }
  }
  const measured = await measureMedia(watched(), '');
  const type = signatures.find(
    ({ kind: of, at, bytes }) =>
      of === kind && head.subarray(at, at + bytes.length / 2).toString('hex') === bytes,
  )?.type;
  const media = { ...measured, type: type ?? 'application/octet-stream' };
  const failure = type === undefined ? `The file is not a valid ${kind}` : problemOf(media, kind);
  return { media, ...(failure !== undefined && { failure }) };
}

function problemOf({ type, jpeg, mp4 }: MeasuredMedia, kind: AssetKind): string | undefined {
  if (type === 'image/jpeg' && jpeg === undefined) return 'The image cannot be read';
  if (jpeg && jpeg.width * jpeg.height >= maxPixels) return 'The image has too many pixels';
  if (kind !== 'video') return undefined;
  if (mp4?.video === undefined) return 'The video cannot be read';
  const ratio = mp4.video.width / mp4.video.height;
  if (mp4.durationSeconds < 3 || mp4.durationSeconds > 30 * 60)
    return 'The video must last from 3 seconds to 30 minutes';
  if (ratio < 1 / 2.4 || ratio > 2.4) return 'The video has an unsupported aspect ratio';
  return undefined;
}
