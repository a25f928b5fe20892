import type { MediaProbe } from '../schemas.ts';
import { childrenOf, descend, readBoxHeader } from './mp4-boxes.ts';
import type { RangeReader } from './range-reader.ts';

/** Only a file made to waste time has more boxes before `moov`. */
const maxTopBoxes = 64;

/** Returned for a video file without a video track. */
export const noPicture = 'no picture';

/**
 * Reads the index of an MP4 or QuickTime file. Fields that cannot be determined are absent. Walks the top-level boxes to
 * `moov` and reads that box whole.
 *
 * @returns `undefined` if the file has no readable index
 * @throws TooMuchToReadError
 */
export async function probeMp4(reader: RangeReader): Promise<MediaProbe | typeof noPicture | undefined> {
  let moovFirst = true;
  let offset = 0;
  for (let count = 0; count < maxTopBoxes; count += 1) {
    const header = readBoxHeader(await reader.read(offset, offset + 16));
    if (!header) return undefined;
    const end = Math.min(offset + header.bytes, reader.sizeBytes);
    if (header.type === 'moov') {
      const bytes = await reader.read(offset + header.headerBytes, end);
      return readMovie(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length), moovFirst);
    }
    if (header.type === 'mdat') moovFirst = false;
    offset = end;
  }
  return undefined;
}

function readMovie(moov: Buffer, moovFirst: boolean): MediaProbe | typeof noPicture | undefined {
  try {
    const tracks = childrenOf(moov, 'trak');
    const ofKind = (handler: string) => tracks.find((track) => handlerOf(track) === handler);
    const [video, audio] = [ofKind('vide'), ofKind('soun')];
    if (!video) return audio ? noPicture : undefined;
    const durationMs = durationOf(moov);
    return {
      ...pictureOf(video),
      ...(audio && soundOf(audio)),
      ...(durationMs !== undefined && { durationMs }),
      hasEditList: tracks.some((track) => descend(track, 'edts', 'elst') !== undefined),
      moovFirst,
    };
  } catch (error) {
    // A box is shorter than its fields.
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

const handlerOf = (track: Buffer): string | undefined =>
  descend(track, 'mdia', 'hdlr')?.toString('latin1', 8, 12);

/** `mvhd` holds the duration. A fragmented file has it in `mehd`, or nowhere. */
function durationOf(moov: Buffer): number | undefined {
  const header = descend(moov, 'mvhd');
  if (!header) return undefined;
  const isLong = header[0] === 1;
  const timescale = header.readUInt32BE(isLong ? 20 : 12);
  const own = isLong ? Number(header.readBigUInt64BE(24)) : header.readUInt32BE(16);
  const inFragments = descend(moov, 'mvex', 'mehd');
  const ofFragments =
    inFragments &&
    (inFragments[0] === 1 ? Number(inFragments.readBigUInt64BE(4)) : inFragments.readUInt32BE(4));
  const isUnknown = own === 0 || own === (isLong ? 2 ** 64 : 0xffff_ffff);
  const ticks = isUnknown ? ofFragments : own;
  return ticks && timescale ? Math.round((ticks / timescale) * 1_000) : undefined;
}

function pictureOf(track: Buffer): MediaProbe {
  const entry = firstEntryOf(track);
  const header = descend(track, 'tkhd');
  const matrixAt = header?.[0] === 1 ? 52 : 40;
  // The display size, in 16.16 fixed point; if that is missing, the coded size.
  const shown =
    header && [header.readUInt32BE(matrixAt + 36), header.readUInt32BE(matrixAt + 40)].map(fromFixed);
  const [width = 0, height = 0] = shown?.every((side) => side > 0)
    ? shown
    : [entry?.readUInt16BE(32) ?? 0, entry?.readUInt16BE(34) ?? 0];
  // A quarter turn maps the x axis to the y axis.
  const isTurned = header?.readInt32BE(matrixAt) === 0 && header.readInt32BE(matrixAt + 4) !== 0;
  const frameRate = frameRateOf(track);
  return {
    ...(width > 0 && height > 0 && (isTurned ? { width: height, height: width } : { width, height })),
    ...(entry && { videoCodec: codecOf(entry, videoCodecs) }),
    ...(frameRate !== undefined && { frameRate }),
  };
}

const fromFixed = (value: number): number => Math.round(value / 65_536);

function soundOf(track: Buffer): MediaProbe {
  const entry = firstEntryOf(track);
  if (!entry) return {};
  const audioSampleRate = entry.readUInt32BE(32) / 65_536;
  return { audioCodec: codecOf(entry, audioCodecs), ...(audioSampleRate > 0 && { audioSampleRate }) };
}

/** The first sample entry of `stsd`, including its size and type. */
function firstEntryOf(track: Buffer): Buffer | undefined {
  const entries = descend(track, 'mdia', 'minf', 'stbl', 'stsd')?.subarray(8);
  return entries && entries.length >= 36 ? entries : undefined;
}

const videoCodecs: Readonly<Record<string, string>> = {
  avc1: 'h264',
  avc3: 'h264',
  hvc1: 'hevc',
  hev1: 'hevc',
  dvh1: 'hevc',
  dvhe: 'hevc',
  vp08: 'vp8',
  vp09: 'vp9',
  av01: 'av1',
};
const audioCodecs: Readonly<Record<string, string>> = { mp4a: 'aac', Opus: 'opus', '.mp3': 'mp3' };

function codecOf(entry: Buffer, names: Readonly<Record<string, string>>): string {
  const code = entry.toString('latin1', 4, 8);
  return names[code] ?? (/^[\w .-]{4}$/.test(code) ? code.trim() : 'unknown');
}

/** Average frame rate: the number of frames in `stts`, divided by their total duration. */
function frameRateOf(track: Buffer): number | undefined {
  const header = descend(track, 'mdia', 'mdhd');
  const times = descend(track, 'mdia', 'minf', 'stbl', 'stts');
  if (!header || !times) return undefined;
  const timescale = header.readUInt32BE(header[0] === 1 ? 20 : 12);
  let [frames, ticks] = [0, 0];
  for (let at = 8; at + 8 <= times.length; at += 8) {
    const count = times.readUInt32BE(at);
    frames += count;
    ticks += count * times.readUInt32BE(at + 4);
  }
  return frames > 0 && ticks > 0 && timescale > 0 ? hundredths((frames / ticks) * timescale) : undefined;
}

const hundredths = (value: number): number => Math.round(value * 100) / 100;
