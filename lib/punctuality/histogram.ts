/**
 * The relative error of a bucket. Buckets hold lateness in whole milliseconds. Their bounds grow by a constant factor,
 * so that the value that stands for a bucket differs by at most 1 % from any value in it (DDSketch:
 * https://arxiv.org/abs/1908.10693, section 2.1).
 */
const relativeError = 0.01;
const growth = (1 + relativeError) / (1 - relativeError);

/** Returns the bucket of a lateness: 0 for 0 ms, and from 1 on for all others. @param lateMs a whole number, 0 or more */
export function bucketOf(lateMs: number): number {
  return lateMs <= 0 ? 0 : 1 + Math.ceil(Math.log(lateMs) / Math.log(growth));
}

/** Returns the value that stands for a bucket, in whole milliseconds. It differs by at most 1 % and half a millisecond. */
export function valueMsOf(bucket: number): number {
  return bucket === 0 ? 0 : Math.round((2 * growth ** (bucket - 1)) / (growth + 1));
}

/** The counted lateness of targets. */
export interface Histogram {
  readonly count: number;
  /** The number of targets that were at most a second late. */
  readonly withinOneSecond: number;
  /** The numbers of targets that went live at the first try, and at a later one. Earlier releases counted neither. */
  readonly firstTry: number;
  readonly laterTry: number;
  /** The counts by bucket. */
  readonly buckets: ReadonlyMap<number, number>;
}

export const emptyHistogram: Histogram = {
  ...{ count: 0, withinOneSecond: 0, firstTry: 0, laterTry: 0 },
  buckets: new Map(),
};

export function mergeHistograms(histograms: readonly Histogram[]): Histogram {
  const buckets = new Map<number, number>();
  for (const each of histograms)
    for (const [bucket, count] of each.buckets) buckets.set(bucket, (buckets.get(bucket) ?? 0) + count);
  const sumOf = (name: Exclude<keyof Histogram, 'buckets'>) =>
    histograms.reduce((sum, histogram) => sum + histogram[name], 0);
  return {
    count: sumOf('count'),
    withinOneSecond: sumOf('withinOneSecond'),
    firstTry: sumOf('firstTry'),
    laterTry: sumOf('laterTry'),
    buckets,
  };
}

/**
 * Returns the smallest value that at least this share of all values does not exceed (nearest rank), in milliseconds.
 *
 * @param share above 0, at most 1; 1 gives the greatest value
 * @returns null if nothing was counted
 */
export function percentileMs({ count, buckets }: Histogram, share: number): number | null {
  const rank = Math.ceil(share * count);
  let seen = 0;
  for (const [bucket, found] of [...buckets].sort(([left], [right]) => left - right)) {
    seen += found;
    if (seen >= rank) return valueMsOf(bucket);
  }
  return null;
}
