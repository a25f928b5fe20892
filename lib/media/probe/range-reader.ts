/** Reads bytes of a file from `first` to `last`, both included. */
export type ReadRange = (first: number, last: number) => Promise<Uint8Array>;

export interface RangeReader {
  readonly sizeBytes: number;
  /**
   * Returns the bytes from `start` up to but not including `end`; fewer if the file ends earlier.
   *
   * @throws TooMuchToReadError
   */
  read(start: number, end: number): Promise<Uint8Array>;
}

/** Thrown if probing would read more than the limit, for example because the index is very large. */
export class TooMuchToReadError extends Error {
  override readonly name = 'TooMuchToReadError';
}

/** One hour of video at 60 frames per second has an index of about 3 MB. */
const maxBytes = 16 * 1_048_576;
const maxRanges = 24;
/** Headers are small and close together, so one request of this size covers several. */
const minRangeBytes = 65_536;

/** Returns a reader that caches what it has read, and reads at most 24 ranges and 16 MiB of a file in total. */
export function boundedReader(readRange: ReadRange, sizeBytes: number): RangeReader {
  const pieces: { start: number; bytes: Uint8Array }[] = [];
  let totalBytes = 0;
  return {
    sizeBytes,
    async read(start, end) {
      const stop = Math.min(end, sizeBytes);
      if (start >= stop) return new Uint8Array();
      const isIn = (piece: { start: number; bytes: Uint8Array }) =>
        piece.start <= start && stop <= piece.start + piece.bytes.length;
      const known = pieces.find(isIn);
      if (known) return known.bytes.subarray(start - known.start, stop - known.start);
      const rangeEnd = Math.min(sizeBytes, Math.max(stop, start + minRangeBytes));
      totalBytes += rangeEnd - start;
      if (pieces.length >= maxRanges || totalBytes > maxBytes)
        throw new TooMuchToReadError(`more than ${maxRanges} ranges or ${maxBytes} bytes`);
      const bytes = await readRange(start, rangeEnd - 1);
      pieces.push({ start, bytes });
      return bytes.subarray(0, stop - start);
    },
  };
}
