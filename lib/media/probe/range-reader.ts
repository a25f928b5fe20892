import { UnfitFileError } from './unfit-file.ts';

/** Reads bytes of a file from `first` to `last`, both included. */
export type ReadRange = (first: number, last: number) => Promise<Uint8Array>;

export interface RangeReader {
  readonly sizeBytes: number;
  /**
   * Returns the bytes from `start` up to but not including `end`; fewer if the file ends earlier.
   *
   * @throws UnfitFileError if the limits do not allow it
   */
  read(start: number, end: number): Promise<Buffer>;
  /**
   * Counts a part of the file that a probe looks at: a box, an element or a segment.
   *
   * @throws UnfitFileError if there are too many
   */
  countPart(): void;
}

const mebibyte = 1_048_576;

/**
 * Limits of one inspection, our judgement. They keep it below 64 MB of memory and one second of processor time, whatever
 * the file contains. The probes skip media data and most tables of an index, so real files need a fraction of this.
 */
const maxBytes = 16 * mebibyte;
const maxRanges = 24;
const maxParts = 4_096;

/** Headers are small and close together, so one request of this size covers several. */
const minRangeBytes = 65_536;
/** A file that is read on and on is read in larger and larger ranges, up to this size. */
const maxRangeBytes = 4 * mebibyte;

const tooLarge = (): UnfitFileError =>
  new UnfitFileError(
    `the file's header or index is too large: reading it takes more than ${maxBytes / mebibyte} MiB, ${maxRanges} requests or ${maxParts} parts`,
  );

/** Returns a reader that caches what it has read, and keeps to the limits above in total. */
export function boundedReader(readRange: ReadRange, sizeBytes: number): RangeReader {
  const pieces: { start: number; bytes: Buffer }[] = [];
  let totalBytes = 0;
  let parts = 0;

  const rangeBytesAt = (start: number): number => {
    const last = pieces.at(-1);
    // A segment of a JPEG may be a little longer than the shortest range.
    const continues = last && last.start <= start && start <= last.start + last.bytes.length + minRangeBytes;
    return continues ? Math.min(2 * last.bytes.length, maxRangeBytes) : minRangeBytes;
  };

  return {
    sizeBytes,
    async read(start, end) {
      const stop = Math.min(end, sizeBytes);
      if (!(start < stop)) return Buffer.alloc(0);
      const isIn = (piece: { start: number; bytes: Buffer }) =>
        piece.start <= start && stop <= piece.start + piece.bytes.length;
      const known = pieces.find(isIn);
      if (known) return known.bytes.subarray(start - known.start, stop - known.start);
      const lastAllowed = start + maxBytes - totalBytes;
      if (pieces.length >= maxRanges || stop > lastAllowed) throw tooLarge();
      const rangeEnd = Math.min(sizeBytes, lastAllowed, Math.max(stop, start + rangeBytesAt(start)));
      totalBytes += rangeEnd - start;
      const { buffer, byteOffset, byteLength } = await readRange(start, rangeEnd - 1);
      const bytes = Buffer.from(buffer, byteOffset, byteLength);
      pieces.push({ start, bytes });
      return bytes.subarray(0, stop - start);
    },
    countPart() {
      parts += 1;
      if (parts > maxParts) throw tooLarge();
    },
  };
}
