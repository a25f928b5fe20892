import { describeTracks } from './describe-tracks.ts';
import { averageRate } from './frame-rate.ts';
import { type Box, boxesIn, childrenOf, contentOf } from './mp4-boxes.ts';
import { measureFragments } from './mp4-fragments.ts';
import type { RangeReader } from './range-reader.ts';
import { UnfitFileError } from './unfit-file.ts';
import type { ProbedFields } from './valid-probe.ts';

/**
 * Reads an MP4 or QuickTime file. Walks the boxes to the few that tell its structure and its times, and skips the tables of
 * samples, which make up nearly all of a long video's index. The library describes the tracks from an excerpt. Fields that
 * cannot be determined are absent.
 *
 * @throws UnfitFileError if there is no complete index with a video track, if the file is cut off, or too much to read
 */
export async function probeMp4(reader: RangeReader): Promise<ProbedFields> {
  const { moov, brand, moovFirst, firstFragment } = await findIndex(reader);
  const { movieHeader, extension, tracks } = await readIndex(reader, moov);
  const ofKind = (kind: string) => tracks.find(({ handler }) => handler === kind);
  const [video, audio] = [ofKind('vide'), ofKind('soun')];
  if (!video) throw new UnfitFileError(audio ? 'the file has audio only' : 'the file has no video track');
  const describe = async (track: Track | undefined) => {
    if (!track) return {};
    const excerpt = await excerptOf(reader, brand, movieHeader, track);
    return describeTracks(excerpt, excerpt.includes('vpcC') || excerpt.includes('av1C'));
  };
  const times = firstFragment
    ? await timesOfFragments(reader, video, { movieHeader, extension, firstFragment })
    : {
        durationMs:
          (await durationOf(reader, movieHeader)) ??
          (await announcedDuration(reader, movieHeader, extension)),
        frameRate: await frameRateOf(reader, video),
      };
  return {
    container: brand === 'qt  ' ? 'quicktime' : 'mp4',
    ...(await describe(video)),
    ...(await describe(audio)),
    ...times,
    hasSound: audio !== undefined,
    hasEditList: tracks.some(({ hasEditList }) => hasEditList),
    moovFirst,
    isFragmented: firstFragment !== undefined,
  };
}

interface Layout {
  readonly moov: Box;
  /** The major brand, which tells MP4 from QuickTime. QuickTime files need not have one. */
  readonly brand: string;
  readonly moovFirst: boolean;
  /** The first movie fragment (`moof`); absent if the index lists all samples. */
  readonly firstFragment: Box | undefined;
}

/** Walks the boxes of the file to its end, or to its first fragment. */
async function findIndex(reader: RangeReader): Promise<Layout> {
  let [moov, firstFragment]: (Box | undefined)[] = [];
  let brand = 'qt  ';
  let moovFirst = true;
  let isCut = false;
  for await (const box of boxesIn(reader, 0, reader.sizeBytes)) {
    if (box.type === 'ftyp') brand = (await contentOf(reader, box, 4)).toString('latin1');
    if (box.type === 'moov' && box.isCut)
      throw new UnfitFileError('the file is cut off: it ends before its index (`moov`) does');
    if (box.type === 'moov') moov ??= box;
    if (box.type === 'mdat' && !moov) moovFirst = false;
    // Other boxes after the media may be bytes that do not belong to the file.
    if (box.type === 'mdat' && box.isCut) isCut = true;
    if (box.type === 'moof' && moov) {
      firstFragment = box;
      break;
    }
  }
  if (isCut) throw new UnfitFileError('the file is cut off: it ends before its media data (`mdat`) does');
  if (!moov) throw new UnfitFileError('the file has no index (`moov`)');
  return { moov, brand, moovFirst, firstFragment };
}

/** A track of an index (`trak`), with the boxes that describe it. */
interface Track {
  /** `vide`, `soun` or another; `undefined` if the track does not say. */
  readonly handler: string | undefined;
  readonly hasEditList: boolean;
  readonly tkhd: Box | undefined;
  readonly mdhd: Box | undefined;
  readonly hdlr: Box | undefined;
  readonly stsd: Box | undefined;
  readonly stts: Box | undefined;
}

interface Index {
  readonly movieHeader: Box | undefined;
  readonly extension: Box | undefined;
  /** The first track of each kind. */
  readonly tracks: readonly Track[];
}

/** @throws UnfitFileError if there is too much to read */
async function readIndex(reader: RangeReader, moov: Box): Promise<Index> {
  const tracks: Track[] = [];
  let [movieHeader, extension]: (Box | undefined)[] = [];
  for await (const box of boxesIn(reader, moov.start, moov.end)) {
    if (box.type === 'mvhd') movieHeader ??= box;
    if (box.type === 'mvex') extension ??= box;
    if (box.type !== 'trak') continue;
    const track = await readTrack(reader, box);
    // Others are not kept.
    const same = tracks.findIndex(({ handler }) => handler === track.handler);
    if (same < 0) tracks.push(track);
    else if (track.hasEditList) tracks[same] = { ...(tracks[same] ?? track), hasEditList: true };
  }
  return { movieHeader, extension, tracks };
}

async function readTrack(reader: RangeReader, trak: Box): Promise<Track> {
  const { tkhd, edts, mdia } = await childrenOf(reader, trak, 'tkhd', 'edts', 'mdia');
  const { elst } = await childrenOf(reader, edts, 'elst');
  const { mdhd, hdlr, minf } = await childrenOf(reader, mdia, 'mdhd', 'hdlr', 'minf');
  const { stbl } = await childrenOf(reader, minf, 'stbl');
  // These two come first. The tables after them are large.
  const { stsd, stts } = await childrenOf(reader, stbl, 'stsd', 'stts');
  const handler = hdlr && (await contentOf(reader, hdlr, 12)).toString('latin1', 8, 12);
  return { handler, hasEditList: elst !== undefined, tkhd, mdhd, hdlr, stsd, stts };
}

/** The longest that each part of an excerpt may be. Sample entries take a few KB at most. */
const maxExcerptBytes = { header: 128, description: 16_384 } as const;

/**
 * Copies what describes a track into a small file of the same format: an index of that track without tables. So what the
 * library does is bounded, whatever numbers and depths the file contains, and one odd track does not hide another.
 */
async function excerptOf(
  reader: RangeReader,
  brand: string,
  movieHeader: Box | undefined,
  track: Track,
): Promise<Buffer> {
  const copy = async (copied: Box | undefined, maxBytes: number) =>
    copied ? box(copied.type, await contentOf(reader, copied, maxBytes)) : Buffer.alloc(0);
  const entry = track.stsd && firstEntry(await contentOf(reader, track.stsd, maxExcerptBytes.description));
  const media = box(
    'mdia',
    await copy(track.mdhd, maxExcerptBytes.header),
    await copy(track.hdlr, maxExcerptBytes.header),
    box('minf', box('stbl', entry ?? Buffer.alloc(0))),
  );
  const trak = box('trak', await copy(track.tkhd, maxExcerptBytes.header), media);
  const moov = box('moov', await copy(movieHeader, maxExcerptBytes.header), trak);
  return Buffer.concat([box('ftyp', Buffer.from(brand, 'latin1'), Buffer.alloc(4)), moov]);
}

/** Dolby Vision in the form of its base codec (Dolby Vision within ISOBMFF, "Sample entries"), which the library knows. */
const baseCodecs: Readonly<Record<string, string>> = {
  dvh1: 'hvc1',
  dvhe: 'hev1',
  dva1: 'avc1',
  dvav: 'avc3',
};

/** Returns `stsd` with its first entry only; `undefined` if that entry is not complete. */
function firstEntry(content: Buffer): Buffer | undefined {
  if (content.length < 16) return undefined;
  const sizeBytes = content.readUInt32BE(8);
  if (sizeBytes < 8 || 8 + sizeBytes > content.length) return undefined;
  const type = content.toString('latin1', 12, 16);
  const base = Object.hasOwn(baseCodecs, type) ? (baseCodecs[type] ?? type) : type;
  const [head, entry] = [content.subarray(0, 4), content.subarray(16, 8 + sizeBytes)];
  return box('stsd', head, Buffer.from([0, 0, 0, 1]), box(base, entry));
}

function box(type: string, ...content: readonly Uint8Array[]): Buffer {
  const head = Buffer.alloc(8);
  head.writeUInt32BE(content.reduce((sum, { length }) => sum + length, 8));
  head.write(type, 4, 'latin1');
  return Buffer.concat([head, ...content]);
}

async function timescaleOf(reader: RangeReader, { mdhd }: Track): Promise<number | undefined> {
  if (!mdhd) return undefined;
  const header = await contentOf(reader, mdhd, 24);
  return fieldOrNone(() => header.readUInt32BE(header[0] === 1 ? 20 : 12));
}

/** Duration of a file whose index lists all samples. */
async function durationOf(reader: RangeReader, movieHeader: Box | undefined): Promise<number | undefined> {
  if (!movieHeader) return undefined;
  const header = await contentOf(reader, movieHeader, 32);
  return fieldOrNone(() => {
    const isLong = header[0] === 1;
    const timescale = header.readUInt32BE(isLong ? 20 : 12);
    const ticks = isLong ? Number(header.readBigUInt64BE(24)) : header.readUInt32BE(16);
    const isUnknown = ticks === 0 || ticks === (isLong ? 2 ** 64 : 0xffff_ffff);
    return !isUnknown && timescale ? Math.round((ticks / timescale) * 1_000) : undefined;
  });
}

/** Enough for the average: even an hour at 60 frames per second, each of another duration, has 216,000 entries. */
const maxTimes = 65_536;

/** Average frame rate: the number of frames in `stts`, divided by their total duration. Reads the first entries only. */
async function frameRateOf(reader: RangeReader, video: Track): Promise<number | undefined> {
  const timescale = await timescaleOf(reader, video);
  if (!timescale || !video.stts) return undefined;
  const times = await contentOf(reader, video.stts, 8 + 8 * maxTimes);
  let [frames, ticks] = [0, 0];
  for (let at = 8; at + 8 <= times.length; at += 8) {
    const count = times.readUInt32BE(at);
    frames += count;
    ticks += count * times.readUInt32BE(at + 4);
  }
  return averageRate(frames, ticks / timescale);
}

/** Duration and frame rate of a fragmented file. */
async function timesOfFragments(
  reader: RangeReader,
  video: Track,
  {
    movieHeader,
    extension,
    firstFragment,
  }: Pick<Index, 'movieHeader' | 'extension'> & { firstFragment: Box },
): Promise<ProbedFields> {
  const timescale = await timescaleOf(reader, video);
  const ofIndex = await durationOf(reader, movieHeader);
  const measured = await measureFragments(reader, {
    trackId: await trackIdOf(reader, video),
    extension,
    firstFragment,
    beginsInIndex: ofIndex !== undefined,
  });
  const announced = await announcedDuration(reader, movieHeader, extension);
  if (!timescale || !measured) return { durationMs: announced };
  const { durationTicks, frames, frameTicks } = measured;
  return {
    durationMs: durationTicks === undefined ? announced : Math.round((durationTicks / timescale) * 1_000),
    frameRate: averageRate(frames, frameTicks / timescale),
  };
}

async function trackIdOf(reader: RangeReader, { tkhd }: Track): Promise<number | undefined> {
  if (!tkhd) return undefined;
  const header = await contentOf(reader, tkhd, 24);
  return fieldOrNone(() => header.readUInt32BE(header[0] === 1 ? 20 : 12));
}

/** The duration that the index of a fragmented file announces for all fragments (`mehd`). */
async function announcedDuration(
  reader: RangeReader,
  movieHeader: Box | undefined,
  extension: Box | undefined,
): Promise<number | undefined> {
  const { mehd } = await childrenOf(reader, extension, 'mehd');
  if (!mehd || !movieHeader) return undefined;
  const [announced, header] = [await contentOf(reader, mehd, 12), await contentOf(reader, movieHeader, 24)];
  return fieldOrNone(() => {
    const timescale = header.readUInt32BE(header[0] === 1 ? 20 : 12);
    const ticks = announced[0] === 1 ? Number(announced.readBigUInt64BE(4)) : announced.readUInt32BE(4);
    return timescale ? Math.round((ticks / timescale) * 1_000) : undefined;
  });
}

/** Returns `undefined` if a box is shorter than its fields. */
function fieldOrNone<Value>(read: () => Value): Value | undefined {
  try {
    return read();
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}
