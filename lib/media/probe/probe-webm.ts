import type { MediaProbe } from '../schemas.ts';
import { noPicture } from './probe-mp4.ts';
import type { RangeReader } from './range-reader.ts';

/** Elements of WebM (RFC 9559, "Matroska Schema"), by their ids. */
const ids = {
  segment: 0x18538067,
  cluster: 0x1f43b675,
  info: 0x1549a966,
  timestampScale: 0x2ad7b1,
  duration: 0x4489,
  tracks: 0x1654ae6b,
  track: 0xae,
  trackType: 0x83,
  codec: 0x86,
  frameNanoseconds: 0x23e383,
  video: 0xe0,
  width: 0xb0,
  height: 0xba,
  audio: 0xe1,
  sampleRate: 0xb5,
} as const;

const trackTypes = { video: 1, audio: 2 } as const;

const codecNames: Readonly<Record<string, string>> = {
  V_VP8: 'vp8',
  V_VP9: 'vp9',
  V_AV1: 'av1',
  'V_MPEG4/ISO/AVC': 'h264',
  A_OPUS: 'opus',
  A_VORBIS: 'vorbis',
  A_AAC: 'aac',
};

/** Enough bytes to hold info and tracks, which precede the first cluster of media. */
const headBytes = 1_048_576;

/**
 * Reads the head of a WebM file. Fields that cannot be determined are absent. Browser recordings have no duration.
 *
 * @returns `undefined` if no track can be read
 */
export async function probeWebm(reader: RangeReader): Promise<MediaProbe | typeof noPicture | undefined> {
  const bytes = await reader.read(0, headBytes);
  const segment = find(elementsIn(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)), ids.segment);
  if (!segment) return undefined;
  const top = elementsIn(segment);
  const tracks = elementsIn(find(top, ids.tracks))
    .filter(({ id }) => id === ids.track)
    .map(({ content }) => elementsIn(content));
  const ofType = (type: number) => tracks.find((track) => unsignedOf(find(track, ids.trackType)) === type);
  const [video, audio] = [ofType(trackTypes.video), ofType(trackTypes.audio)];
  if (!video) return audio ? noPicture : undefined;
  const picture = elementsIn(find(video, ids.video));
  const [width, height] = [unsignedOf(find(picture, ids.width)), unsignedOf(find(picture, ids.height))];
  const frameNanoseconds = unsignedOf(find(video, ids.frameNanoseconds));
  const sampleRate = audio && floatOf(find(elementsIn(find(audio, ids.audio)), ids.sampleRate));
  const durationMs = durationOf(elementsIn(find(top, ids.info)));
  return {
    ...(width && height && { width, height }),
    ...(durationMs && { durationMs }),
    videoCodec: codecOf(video),
    ...(audio && { audioCodec: codecOf(audio) }),
    ...(sampleRate && { audioSampleRate: sampleRate }),
    ...(frameNanoseconds && { frameRate: Math.round(1e11 / frameNanoseconds) / 100 }),
  };
}

function durationOf(info: readonly Element[]): number | undefined {
  const scaleNanoseconds = unsignedOf(find(info, ids.timestampScale)) ?? 1_000_000;
  const duration = floatOf(find(info, ids.duration));
  return duration && Math.round((duration * scaleNanoseconds) / 1_000_000);
}

function codecOf(track: readonly Element[]): string {
  const code = find(track, ids.codec)?.toString('latin1') ?? '';
  return codecNames[code] ?? (/^[\w./-]{1,40}$/.test(code) ? code : 'unknown');
}

interface Element {
  readonly id: number;
  readonly content: Buffer;
}

const find = (elements: readonly Element[], wanted: number): Buffer | undefined =>
  elements.find(({ id }) => id === wanted)?.content;

/** The direct child elements in these bytes, up to the first cluster. */
function elementsIn(bytes: Buffer = Buffer.alloc(0)): Element[] {
  const elements: Element[] = [];
  for (let offset = 0; offset < bytes.length; ) {
    const id = readNumber(bytes, offset, 4);
    const size = id && readNumber(bytes, offset + id.length, 8);
    if (!id || !size || id.raw === ids.cluster) break;
    const start = offset + id.length + size.length;
    // All ones means an unknown size: the element extends to the end.
    const isUnknown = size.value === 2 ** (7 * size.length) - 1;
    const end = isUnknown ? bytes.length : Math.min(start + size.value, bytes.length);
    elements.push({ id: id.raw, content: bytes.subarray(start, end) });
    offset = end;
  }
  return elements;
}

/** Reads a variable-length number (RFC 8794, section 4): the leading zero bits give the number of bytes that follow. */
function readNumber(bytes: Buffer, offset: number, maxBytes: number) {
  const first = bytes[offset];
  const length = first ? Math.clz32(first) - 23 : 9;
  if (length > maxBytes || offset + length > bytes.length) return undefined;
  const raw = bigEndian(bytes.subarray(offset, offset + length));
  return { length, raw, value: raw - 2 ** (7 * length) };
}

const bigEndian = (bytes: Uint8Array): number => bytes.reduce((sum, byte) => sum * 256 + byte, 0);

const unsignedOf = (content: Buffer | undefined): number | undefined =>
  content && bigEndian(content.subarray(0, 8));

function floatOf(content: Buffer | undefined): number | undefined {
  const value =
    content?.length === 4
      ? content.readFloatBE(0)
      : content?.length === 8
        ? content.readDoubleBE(0)
        : undefined;
  return value !== undefined && Number.isFinite(value) && value > 0 ? value : undefined;
}
