import { BufferSource, Input, Logging, LogLevel, MATROSKA, MP4, QTFF, WEBM } from 'mediabunny';
import { pictureFormat } from './codec-config.ts';
import { codecName } from './codec-names.ts';
import type { ProbedFields } from './valid-probe.ts';

/** The library's remarks about odd files, which its callers cannot act on. */
Logging.level = LogLevel.Silent;

const formats = [MP4, QTFF, WEBM, MATROSKA];

/**
 * Codecs, sizes and colors of a file's first video track and first audio track.
 *
 * @param excerpt a file with the description of the tracks and no more. The library keeps an object for each frame that a
 *   file lists, and believes the file's numbers of them, so it must not see the tables of a whole file
 * @param saysFormat true if the excerpt has what VP9 and AV1 need: a configuration record, or a frame. Without it, the
 *   library assumes their usual format
 * @returns no fields for what cannot be read
 */
export async function describeTracks(excerpt: Uint8Array, saysFormat: boolean): Promise<ProbedFields> {
  const input = new Input({ formats, source: new BufferSource(excerpt) });
  const [picture] = await orNone(async () => input.getVideoTracks(), []);
  const [sound] = await orNone(async () => input.getAudioTracks(), []);
  return {
    ...(picture && (await pictureOf(picture, saysFormat))),
    ...(sound && (await soundOf(sound))),
  };
}

type VideoTrack = Awaited<ReturnType<Input['getVideoTracks']>>[number];
type AudioTrack = Awaited<ReturnType<Input['getAudioTracks']>>[number];

async function pictureOf(track: VideoTrack, saysFormat: boolean): Promise<ProbedFields> {
  const videoCodec = codecName(
    await orNone(() => track.getCodec(), null),
    await orNone(() => track.getInternalCodecId(), null),
  );
  const config = await orNone(() => track.getDecoderConfig(), null);
  const aspect = await orNone(() => track.getPixelAspectRatio(), undefined);
  const transfer: string | null | undefined = (await orNone(() => track.getColorSpace(), undefined))
    ?.transfer;
  return {
    width: await orNone(() => track.getDisplayWidth(), undefined),
    height: await orNone(() => track.getDisplayHeight(), undefined),
    rotation: await orNone(() => track.getRotation(), undefined),
    pixelAspect: aspect && Math.round((aspect.num / aspect.den) * 1_000) / 1_000,
    videoCodec,
    ...pictureFormat(videoCodec, saysFormat ? config?.codec : undefined, bytesOf(config?.description)),
    ...(transfer && { isHdr: transfer === 'pq' || transfer === 'hlg' }),
    hasAlpha: await orNone(() => track.canBeTransparent(), undefined),
  };
}

async function soundOf(track: AudioTrack): Promise<ProbedFields> {
  return {
    audioCodec: codecName(
      await orNone(() => track.getCodec(), null),
      await orNone(() => track.getInternalCodecId(), null),
    ),
    audioSampleRate: await orNone(() => track.getSampleRate(), undefined),
    audioChannels: await orNone(() => track.getNumberOfChannels(), undefined),
  };
}

function bytesOf(record: ArrayBufferLike | ArrayBufferView | undefined): Uint8Array | undefined {
  if (record === undefined) return undefined;
  return ArrayBuffer.isView(record)
    ? new Uint8Array(record.buffer, record.byteOffset, record.byteLength)
    : new Uint8Array(record);
}

/** Calls the library, which reads bytes in memory only: whatever it throws comes from the content of the file. */
async function orNone<Value, None>(call: () => Promise<Value>, none: None): Promise<Value | None> {
  try {
    return await call();
  } catch {
    return none;
  }
}
