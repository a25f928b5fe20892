import { type Box, boxesIn, childrenOf, contentOf } from './mp4-boxes.ts';
import { fieldOrNone, pictureOf, readTrack, soundOf, type Track } from './mp4-tracks.ts';
import type { RangeReader } from './range-reader.ts';
import { UnfitFileError } from './unfit-file.ts';
import type { ProbedFields } from './valid-probe.ts';

/**
 * Reads the index of an MP4 or QuickTime file. Walks the boxes to the few that it needs and skips the tables of samples,
 * which make up nearly all of a long video's index. Fields that cannot be determined are absent.
 *
 * @throws UnfitFileError if there is no complete index with a video track, or too much to read
 */
export async function probeMp4(reader: RangeReader): Promise<ProbedFields> {
  const { moov, moovFirst } = await findIndex(reader);
  const tracks: Track[] = [];
  let [movieHeader, extension]: (Box | undefined)[] = [];
  let hasEditList = false;
  for await (const box of boxesIn(reader, moov.start, moov.end)) {
    if (box.type === 'mvhd') movieHeader ??= box;
    if (box.type === 'mvex') extension ??= box;
    if (box.type !== 'trak') continue;
    const track = await readTrack(reader, box);
    hasEditList ||= track.hasEditList;
    // Only the first track of each kind is probed. The others are not kept.
    if (!tracks.some(({ handler }) => handler === track.handler)) tracks.push(track);
  }
  const ofKind = (kind: string) => tracks.find(({ handler }) => handler === kind);
  const [video, audio] = [ofKind('vide'), ofKind('soun')];
  if (!video) throw new UnfitFileError(audio ? 'the file has audio only' : 'the file has no video track');
  const durationMs = await durationOf(reader, movieHeader, extension);
  return {
    ...(await pictureOf(reader, video)),
    ...(audio && soundOf(audio)),
    durationMs,
    hasEditList,
    moovFirst,
  };
}

async function findIndex(reader: RangeReader): Promise<{ moov: Box; moovFirst: boolean }> {
  let moovFirst = true;
  for await (const box of boxesIn(reader, 0, reader.sizeBytes)) {
    if (box.type === 'moov' && box.isCut)
      throw new UnfitFileError('the file ends before its index (`moov`) does');
    if (box.type === 'moov') return { moov: box, moovFirst };
    if (box.type === 'mdat') moovFirst = false;
  }
  throw new UnfitFileError('the file has no index (`moov`)');
}

/** `mvhd` holds the duration. A fragmented file has it in `mehd`, or nowhere. */
async function durationOf(
  reader: RangeReader,
  movieHeader: Box | undefined,
  extension: Box | undefined,
): Promise<number | undefined> {
  if (!movieHeader) return undefined;
  const header = await contentOf(reader, movieHeader, 32);
  const { mehd } = await childrenOf(reader, extension, 'mehd');
  const inFragments = mehd && (await contentOf(reader, mehd, 12));
  return fieldOrNone(() => {
    const isLong = header[0] === 1;
    const timescale = header.readUInt32BE(isLong ? 20 : 12);
    const own = isLong ? Number(header.readBigUInt64BE(24)) : header.readUInt32BE(16);
    const isUnknown = own === 0 || own === (isLong ? 2 ** 64 : 0xffff_ffff);
    const ticks = isUnknown ? inFragments && fragmentsDuration(inFragments) : own;
    return ticks && timescale ? Math.round((ticks / timescale) * 1_000) : undefined;
  });
}

const fragmentsDuration = (header: Buffer): number =>
  header[0] === 1 ? Number(header.readBigUInt64BE(4)) : header.readUInt32BE(4);
