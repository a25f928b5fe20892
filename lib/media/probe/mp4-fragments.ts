import { type Box, boxesIn, contentOf } from './mp4-boxes.ts';
import type { RangeReader } from './range-reader.ts';
import { UnfitFileError } from './unfit-file.ts';

/** A video track whose samples are listed in fragments (`moof`) along the file, as recorders and browsers write it. */
export interface FragmentedTrack {
  readonly trackId: number | undefined;
  /** The box `mvex` of the index, with the defaults of all fragments. */
  readonly extension: Box | undefined;
  readonly firstFragment: Box;
  /** True if the index lists the first samples, and the fragments the others. */
  readonly beginsInIndex: boolean;
}

/** Times in the track's timescale. */
export interface FragmentedTimes {
  /** Absent if the fragments do not say their place in time. */
  readonly durationTicks: number | undefined;
  /** The frames of some fragments, and the time that these take. */
  readonly frames: number;
  readonly frameTicks: number;
}

/** Distances from the end of the file in which its last fragment is looked for: as far as the first of these that contains one. */
const tailBytes = [262_144, 4 * 1_048_576] as const;
/** Fragments list a few hundred samples each. */
const maxFragmentBytes = 262_144;

/**
 * Measures a fragmented video by its first and its last fragment: those between them may be thousands, each of which
 * would need a request.
 *
 * @returns `undefined` if its last fragment cannot be found
 * @throws UnfitFileError if the file is cut off within its last fragment
 */
export async function measureFragments(
  reader: RangeReader,
  { trackId, extension, firstFragment, beginsInIndex }: FragmentedTrack,
): Promise<FragmentedTimes | undefined> {
  const tail = await findTail(reader, firstFragment.offset);
  if (!tail) return undefined;
  if (tail.isCut)
    throw new UnfitFileError('the file is cut off: it ends within its last fragment (`moof`, `mdat`)');
  const defaultTicks = await defaultTicksOf(reader, extension, trackId);
  const runOf = (moof: Buffer) => readRun(moof, trackId, defaultTicks);
  const first = runOf(await contentOf(reader, firstFragment, maxFragmentBytes));
  const last = tail.fragments.map(runOf).findLast((run) => run !== undefined);
  if (!last) return undefined;
  const start = beginsInIndex ? 0 : first?.startTicks;
  const counted = first && first.startTicks !== last.startTicks ? [first, last] : [last];
  return {
    durationTicks:
      start === undefined || last.startTicks === undefined ? undefined : last.startTicks + last.ticks - start,
    frames: counted.reduce((sum, { frames }) => sum + frames, 0),
    frameTicks: counted.reduce((sum, { ticks }) => sum + ticks, 0),
  };
}

interface Tail {
  /** Contents of the fragments up to the end of the file. */
  readonly fragments: readonly Buffer[];
  readonly isCut: boolean;
}

async function findTail(reader: RangeReader, firstAt: number): Promise<Tail | undefined> {
  for (const bytes of tailBytes) {
    const start = Math.max(firstAt, reader.sizeBytes - bytes);
    const tail = await reader.read(start, reader.sizeBytes);
    const found = start === firstAt ? walkToEnd(tail, 0) : searchTail(tail);
    if (found || start === firstAt) return found;
  }
  return undefined;
}

/** Media data may contain the letters of a type by chance. */
const maxCandidates = 16;

function searchTail(tail: Buffer): Tail | undefined {
  let at = 0;
  for (let tries = 0; tries < maxCandidates; tries += 1) {
    at = tail.indexOf('moof', at + 4, 'latin1');
    if (at < 0) return undefined;
    const found = walkToEnd(tail, at - 4);
    if (found) return found;
  }
  return undefined;
}

/** Boxes that may follow a fragment (ISO/IEC 14496-12, 8.8 and 8.16). */
const inTail = new Set([
  'moof',
  'mdat',
  'mfra',
  'sidx',
  'ssix',
  'styp',
  'prft',
  'emsg',
  'free',
  'skip',
  'uuid',
  'meta',
]);

/**
 * Walks the boxes from a fragment to the end of the file.
 *
 * @returns `undefined` if the bytes are not such boxes. Bytes after the last of them may be anything
 */
function walkToEnd(tail: Buffer, start: number): Tail | undefined {
  const fragments: Buffer[] = [];
  let lastType = '';
  for (let at = start; at + 8 <= tail.length; ) {
    const header = headerAt(tail, at);
    if (!header || !inTail.has(header.type)) break;
    const { type, contentAt, end } = header;
    if (end > tail.length && (type === 'moof' || type === 'mdat')) return { fragments, isCut: true };
    if (type === 'moof') fragments.push(tail.subarray(contentAt, end));
    if (type === 'moof' || type === 'mdat') lastType = type;
    at = end;
  }
  // A fragment's samples follow it.
  return lastType === '' ? undefined : { fragments, isCut: lastType === 'moof' };
}

function headerAt(bytes: Buffer, at: number) {
  if (at + 8 > bytes.length) return undefined;
  const size = bytes.readUInt32BE(at);
  const type = bytes.toString('latin1', at + 4, at + 8);
  if (size === 0) return { type, contentAt: at + 8, end: bytes.length };
  if (size !== 1) return size < 8 ? undefined : { type, contentAt: at + 8, end: at + size };
  if (at + 16 > bytes.length) return undefined;
  const long = Number(bytes.readBigUInt64BE(at + 8));
  return long < 16 ? undefined : { type, contentAt: at + 16, end: at + long };
}

/** The boxes of a fragment, which is in memory. */
function* boxesOf(content: Buffer): Generator<{ readonly type: string; readonly content: Buffer }> {
  for (let at = 0; ; ) {
    const header = headerAt(content, at);
    if (!header) return;
    yield { type: header.type, content: content.subarray(header.contentAt, header.end) };
    at = header.end;
  }
}

/** The samples of a track in a fragment. */
interface Run {
  /** Their place in time; absent if the fragment does not say it. */
  readonly startTicks: number | undefined;
  readonly frames: number;
  readonly ticks: number;
}

/** Sums up the samples of a track in a fragment (`traf`); `undefined` if there are none. */
function readRun(moof: Buffer, trackId: number | undefined, defaultTicks: number): Run | undefined {
  for (const { type, content } of boxesOf(moof)) {
    const run = type === 'traf' ? readTrackRun(content, trackId, defaultTicks) : undefined;
    if (run && run.frames > 0) return run;
  }
  return undefined;
}

function readTrackRun(traf: Buffer, trackId: number | undefined, ofIndex: number): Run | undefined {
  let [startTicks, defaultTicks, frames, ticks]: [number | undefined, number, number, number] = [
    undefined,
    ofIndex,
    0,
    0,
  ];
  try {
    for (const { type, content } of boxesOf(traf)) {
      if (type === 'tfhd') {
        if (content.readUInt32BE(4) !== trackId) return undefined;
        defaultTicks = defaultOf(content) ?? ofIndex;
      }
      if (type === 'tfdt')
        startTicks = content[0] === 1 ? Number(content.readBigUInt64BE(4)) : content.readUInt32BE(4);
      if (type !== 'trun') continue;
      const samples = samplesOf(content, defaultTicks);
      frames += samples.frames;
      ticks += samples.ticks;
    }
  } catch (error) {
    // A box that is shorter than its fields.
    if (error instanceof RangeError) return undefined;
    throw error;
  }
  return { startTicks, frames, ticks };
}

/** The duration of each sample according to `tfhd`, if it says one. Its optional fields come in the order of their flags. */
function defaultOf(tfhd: Buffer): number | undefined {
  const flags = tfhd.readUIntBE(1, 3);
  if ((flags & 0x8) === 0) return undefined;
  return tfhd.readUInt32BE(8 + (flags & 0x1 ? 8 : 0) + (flags & 0x2 ? 4 : 0));
}

/** The number of samples of `trun` and their time. */
function samplesOf(trun: Buffer, defaultTicks: number): { frames: number; ticks: number } {
  const flags = trun.readUIntBE(1, 3);
  const frames = trun.readUInt32BE(4);
  // Each of these flags stands for four bytes of every sample. The duration is the first of them.
  const sampleBytes = 4 * [0x100, 0x200, 0x400, 0x800].filter((flag) => flags & flag).length;
  if ((flags & 0x100) === 0) return { frames, ticks: frames * defaultTicks };
  let ticks = 0;
  const start = 8 + (flags & 0x1 ? 4 : 0) + (flags & 0x4 ? 4 : 0);
  for (let sample = 0; sample < frames; sample += 1) ticks += trun.readUInt32BE(start + sample * sampleBytes);
  return { frames, ticks };
}

/** The duration of each sample according to the track's `trex`. */
async function defaultTicksOf(
  reader: RangeReader,
  extension: Box | undefined,
  trackId: number | undefined,
): Promise<number> {
  if (!extension) return 0;
  for await (const box of boxesIn(reader, extension.start, extension.end)) {
    if (box.type !== 'trex') continue;
    const content = await contentOf(reader, box, 16);
    if (content.length === 16 && content.readUInt32BE(4) === trackId) return content.readUInt32BE(12);
  }
  return 0;
}
