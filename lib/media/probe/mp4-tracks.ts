import { mp4CodecName } from './codec-names.ts';
import { type Box, childrenOf, contentOf } from './mp4-boxes.ts';
import type { RangeReader } from './range-reader.ts';
import type { ProbedFields } from './valid-probe.ts';

/** A track of an index (`trak`), with the boxes that describe it. */
export interface Track {
  /** `vide`, `soun` or another; `undefined` if the track does not say. */
  readonly handler: string | undefined;
  readonly hasEditList: boolean;
  readonly tkhd: Box | undefined;
  readonly mdhd: Box | undefined;
  /** The first sample entry of `stsd`, including its size and type. */
  readonly entry: Buffer | undefined;
  readonly stts: Box | undefined;
}

/** @throws UnfitFileError if there is too much to read */
export async function readTrack(reader: RangeReader, trak: Box): Promise<Track> {
  const { tkhd, edts, mdia } = await childrenOf(reader, trak, 'tkhd', 'edts', 'mdia');
  const { elst } = await childrenOf(reader, edts, 'elst');
  const { mdhd, hdlr, minf } = await childrenOf(reader, mdia, 'mdhd', 'hdlr', 'minf');
  const { stbl } = await childrenOf(reader, minf, 'stbl');
  // These two come first. The tables after them are large.
  const { stsd, stts } = await childrenOf(reader, stbl, 'stsd', 'stts');
  const handler = hdlr && (await contentOf(reader, hdlr, 12)).toString('latin1', 8, 12);
  // 8 bytes of version, flags and count, then the entry: its fixed fields take 36 bytes.
  const entry = stsd && (await contentOf(reader, stsd, 8 + 36)).subarray(8);
  return {
    handler,
    hasEditList: elst !== undefined,
    tkhd,
    mdhd,
    entry: entry?.length === 36 ? entry : undefined,
    stts,
  };
}

/** Size, codec and frame rate of a video track. */
export async function pictureOf(reader: RangeReader, track: Track): Promise<ProbedFields> {
  const { entry } = track;
  const header = track.tkhd && (await contentOf(reader, track.tkhd, 96));
  return {
    ...fieldOrNone(() => sizeOf(header, entry)),
    ...(entry && { videoCodec: mp4CodecName(entry.toString('latin1', 4, 8)) }),
    frameRate: await frameRateOf(reader, track),
  };
}

/** The size as displayed: of the track's header or, if that is missing, the coded size of its sample entry. */
function sizeOf(header: Buffer | undefined, entry: Buffer | undefined): ProbedFields {
  const matrixAt = header?.[0] === 1 ? 52 : 40;
  const shown =
    header && [header.readUInt32BE(matrixAt + 36), header.readUInt32BE(matrixAt + 40)].map(fromFixed);
  const [width = 0, height = 0] = shown?.every((side) => side > 0)
    ? shown
    : [entry?.readUInt16BE(32), entry?.readUInt16BE(34)];
  // A quarter turn maps the x axis to the y axis.
  const isTurned = header?.readInt32BE(matrixAt) === 0 && header.readInt32BE(matrixAt + 4) !== 0;
  return isTurned ? { width: height, height: width } : { width, height };
}

/** From 16.16 fixed point. */
const fromFixed = (value: number): number => Math.round(value / 65_536);

/** Codec and sample rate of an audio track. */
export function soundOf({ entry }: Track): ProbedFields {
  if (!entry) return {};
  return {
    audioCodec: mp4CodecName(entry.toString('latin1', 4, 8)),
    audioSampleRate: entry.readUInt32BE(32) / 65_536,
  };
}

/** Enough for the average: even an hour at 60 frames per second, each of another duration, has 216,000 entries. */
const maxTimes = 65_536;

/** Average frame rate: the number of frames in `stts`, divided by their total duration. Reads the first entries only. */
async function frameRateOf(reader: RangeReader, { mdhd, stts }: Track): Promise<number | undefined> {
  if (!mdhd || !stts) return undefined;
  const header = await contentOf(reader, mdhd, 24);
  const times = await contentOf(reader, stts, 8 + 8 * maxTimes);
  return fieldOrNone(() => {
    const timescale = header.readUInt32BE(header[0] === 1 ? 20 : 12);
    let [frames, ticks] = [0, 0];
    for (let at = 8; at + 8 <= times.length; at += 8) {
      const count = times.readUInt32BE(at);
      frames += count;
      ticks += count * times.readUInt32BE(at + 4);
    }
    return frames > 0 && ticks > 0 ? Math.round((frames / ticks) * timescale * 100) / 100 : undefined;
  });
}

/** Returns `undefined` if a box is shorter than its fields. */
export function fieldOrNone<Value>(read: () => Value): Value | undefined {
  try {
    return read();
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}
