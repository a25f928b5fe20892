import { CustomSource, Input, type InputVideoTrack, MATROSKA, MP4, QTFF, WEBM } from 'mediabunny';
import type { MediaProbe } from '../schemas.ts';
import { readMp4Facts } from './mp4-boxes.ts';
import { type RangeReader, TooMuchToReadError } from './range-reader.ts';

/** The names people know, where the library has others. */
const codecNames: Readonly<Record<string, string>> = { avc: 'h264' };

/** A file of this format that no picture is in. */
export const noPicture = 'no picture';

/**
 * What can be told of a video from its index; fields that cannot be told are absent, and all is where the index cannot
 * be read. Nothing of the media itself is read.
 *
 * @throws whatever reading from the bucket does
 */
export async function probeVideo(reader: RangeReader): Promise<MediaProbe | typeof noPicture | undefined> {
  let failure: unknown;
  const read = async (start: number, end: number): Promise<Uint8Array> => {
    try {
      return await reader.read(start, end);
    } catch (error) {
      failure = error;
      throw error;
    }
  };
  const source = new CustomSource({ getSize: () => reader.sizeBytes, read, handleUnhandledError: () => {} });
  const input = new Input({ formats: [MP4, QTFF, WEBM, MATROSKA], source });
  try {
    const [video, audio] = [await input.getPrimaryVideoTrack(), await input.getPrimaryAudioTrack()];
    if (!video) return (await input.getTracks()).length > 0 ? noPicture : undefined;
    const durationSeconds = await input.getDurationFromMetadata();
    const facts = await readMp4Facts(reader);
    return {
      ...(await picture(video)),
      ...(durationSeconds && { durationMs: Math.round(durationSeconds * 1_000) }),
      ...(audio && {
        audioCodec: codecName(await audio.getCodec(), await audio.getInternalCodecId()),
        audioSampleRate: await audio.getSampleRate(),
      }),
      ...(facts && { hasEditList: facts.hasEditList, moovFirst: facts.moovFirst }),
      ...(facts?.framesPerSecond && { frameRate: facts.framesPerSecond }),
    };
  } catch (error) {
    // What is wrong with the file is no fault of ours; what is wrong with the bucket may pass.
    if (failure && !(failure instanceof TooMuchToReadError)) throw failure;
    if (!(error instanceof Error)) throw error;
    return undefined;
  } finally {
    input.dispose();
  }
}

async function picture(video: InputVideoTrack): Promise<MediaProbe> {
  const [width, height] = [await video.getDisplayWidth(), await video.getDisplayHeight()];
  const videoCodec = codecName(await video.getCodec(), await video.getInternalCodecId());
  return { ...(width > 0 && height > 0 && { width, height }), videoCodec };
}

function codecName(codec: string | null, internal: string | number | Uint8Array | null): string {
  if (codec !== null) return codecNames[codec] ?? codec;
  return typeof internal === 'string' && /^[\w./-]{1,40}$/.test(internal) ? internal : 'unknown';
}
