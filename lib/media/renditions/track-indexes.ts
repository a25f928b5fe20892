import { type Box, boxesIn, childrenOf, contentOf } from '../probe/mp4-boxes.ts';
import { boundedReader, type ReadRange } from '../probe/range-reader.ts';

/** The edit list of a track: the parts of its media that are played (ISO/IEC 14496-12, `elst`). */
export interface Edit {
  /** The number of parts. */
  readonly parts: number;
  /** True if a part is played faster or slower than it was recorded, or stands still. */
  readonly changesSpeed: boolean;
  /** The end of the last part on the time line of the film, in seconds; infinite if the list does not say. */
  readonly endSeconds: number;
}

/** A part of an index that the library does not check, or does not know. */
export interface TrackIndex {
  /** Absent if the whole track is played. */
  readonly edit: Edit | undefined;
  /** The number of samples that the index claims. */
  readonly samples: number;
}

/**
 * Reads the edit lists and sample counts of an MP4 or QuickTime file by track id. The library applies the beginning of the first part, and knows
 * nothing of its end and of further parts.
 *
 * @throws UnfitFileError if there is too much to read
 */
export async function readTrackIndexes(
  readRange: ReadRange,
  sizeBytes: number,
): Promise<ReadonlyMap<number, TrackIndex>> {
  const reader = boundedReader(readRange, sizeBytes);
  const indexes = new Map<number, TrackIndex>();
  const content = (box: Box | undefined, maxBytes: number) =>
    box ? contentOf(reader, box, maxBytes) : Promise.resolve(Buffer.alloc(0));
  for await (const moov of boxesIn(reader, 0, sizeBytes)) {
    if (moov.type !== 'moov') continue;
    let timescale = 0;
    for await (const box of boxesIn(reader, moov.start, moov.end)) {
      if (box.type === 'mvhd') timescale = numberIn(await content(box, 24), [12, 20]);
      if (box.type !== 'trak') continue;
      const { tkhd, edts, mdia } = await childrenOf(reader, box, 'tkhd', 'edts', 'mdia');
      const { elst } = await childrenOf(reader, edts, 'elst');
      const { minf } = await childrenOf(reader, mdia, 'minf');
      const { stbl } = await childrenOf(reader, minf, 'stbl');
      const { stsz } = await childrenOf(reader, stbl, 'stsz');
      const trackId = numberIn(await content(tkhd, 24), [12, 20]);
      const edit = elst && editIn(await content(elst, maxListBytes), timescale);
      indexes.set(trackId, { edit, samples: numberIn(await content(stsz, 12), [8, 8]) });
    }
    break;
  }
  return indexes;
}

/** Lists with more than a few parts are refused anyway. */
const maxListBytes = 8 + 10 * 20;

/** Reads a number of a box, whose place depends on the box's version. */
function numberIn(box: Buffer, [short, long]: readonly [number, number]): number {
  const at = box[0] === 1 ? long : short;
  return at + 4 <= box.length ? box.readUInt32BE(at) : 0;
}

function editIn(list: Buffer, timescale: number): Edit {
  const isLong = list[0] === 1;
  const entryBytes = isLong ? 20 : 12;
  let [parts, ticks, changesSpeed] = [0, 0, false];
  for (let at = 8; at + entryBytes <= list.length; at += entryBytes) {
    const duration = isLong ? Number(list.readBigUInt64BE(at)) : list.readUInt32BE(at);
    const mediaTime = isLong ? Number(list.readBigInt64BE(at + 8)) : list.readInt32BE(at + 4);
    const rate = list.readInt32BE(at + entryBytes - 4);
    // A pause at the beginning is no part of the media.
    if (mediaTime !== -1) {
      parts += 1;
      changesSpeed ||= rate !== 0x1_0000;
    }
    ticks = duration === 0 || (mediaTime === -1 && parts > 0) ? Number.POSITIVE_INFINITY : ticks + duration;
  }
  return { parts, changesSpeed, endSeconds: timescale > 0 ? ticks / timescale : Number.POSITIVE_INFINITY };
}
