import type { Context } from '../api-contract/context.ts';
import { dayMs, toTimestamp } from '../kernel/clock.ts';
import { Platform } from '../platforms/contract/names.ts';
import type { Item } from '../table/items.ts';
import { punctualityPartition } from '../table/keys.ts';
import { queryPages } from '../table/query.ts';
import { bucketPrefix } from './count.ts';
import { emptyHistogram, type Histogram, mergeHistograms, percentileMs } from './histogram.ts';
import type { Punctuality } from './operations.ts';

/**
 * Returns how punctually the workspace's destinations went live on the last days, today included. The reads are
 * bounded: a day has at most four items per platform, so 90 days and seven platforms have 2,520, about 3 MB.
 *
 * @param days 1 to 90, in UTC
 */
export async function readPunctuality(
  { table, workspaceId, now }: Pick<Context, 'table' | 'workspaceId' | 'now'>,
  days: number,
): Promise<Punctuality> {
  const firstDay = toTimestamp(now - (days - 1) * dayMs).slice(0, 'YYYY-MM-DD'.length);
  const byPlatform = new Map<Platform, Histogram>();
  const partition = punctualityPartition(workspaceId);
  for await (const page of queryPages(table, { partition, sort: { atLeast: firstDay }, isEventual: true })) {
    for (const item of page) {
      const platform = Platform.parse(String(item['sk']).split('#')[1]);
      const before = byPlatform.get(platform) ?? emptyHistogram;
      byPlatform.set(platform, mergeHistograms([before, histogramOf(item)]));
    }
  }
  const platforms = [...byPlatform].sort(([left], [right]) => (left < right ? -1 : 1));
  return {
    from: `${firstDay}T00:00:00.000Z`,
    to: toTimestamp(now),
    ...figuresOf(mergeHistograms([...byPlatform.values()])),
    platforms: platforms.map(([platform, histogram]) => ({ platform, ...figuresOf(histogram) })),
  };
}

function histogramOf(item: Item): Histogram {
  const counts = Object.entries(item).flatMap(([name, value]) => {
    const bucket = new RegExp(`^${bucketPrefix}(\\d+)$`).exec(name)?.[1];
    return bucket === undefined ? [] : [[Number(bucket), Number(value)] as const];
  });
  return {
    count: Number(item['count']),
    withinOneSecond: Number(item['withinOneSecond'] ?? 0),
    firstTry: Number(item['firstTry'] ?? 0),
    laterTry: Number(item['laterTry'] ?? 0),
    buckets: new Map(counts),
  };
}

function figuresOf(histogram: Histogram) {
  const { count, withinOneSecond, firstTry, laterTry } = histogram;
  const tried = firstTry + laterTry;
  return {
    count,
    p50Ms: percentileMs(histogram, 0.5),
    p90Ms: percentileMs(histogram, 0.9),
    p95Ms: percentileMs(histogram, 0.95),
    p99Ms: percentileMs(histogram, 0.99),
    worstMs: percentileMs(histogram, 1),
    withinOneSecond: count === 0 ? null : withinOneSecond / count,
    atFirstTry: tried === 0 ? null : firstTry / tried,
  };
}
