import { platformOf } from '../journeys/support/platforms.ts';
import type { TestCloud } from '../support/local-cloud.ts';

/** When calls that made posts live arrived at one platform, against when they were due. */
export interface Arrivals {
  readonly platform: string;
  /** In milliseconds, in their order; below zero is early. */
  readonly lateMs: readonly number[];
  /** Posts that are live more than once. */
  readonly twice: number;
  /** The content of the one that came last. */
  readonly latest: string | undefined;
  /** Epoch milliseconds of each. */
  readonly atMs: readonly number[];
}

/** @param due of each post, by its content, in epoch milliseconds */
export async function readArrivals(
  cloud: TestCloud,
  platform: string,
  due: ReadonlyMap<string, number>,
): Promise<Arrivals> {
  const live = (await platformOf(cloud, platform).posts()).filter(({ content }) => due.has(content));
  return {
    platform,
    lateMs: live
      .map(({ content, publishedAt }) => publishedAt - (due.get(content) ?? Number.NaN))
      .toSorted((left, right) => left - right),
    twice: live.length - new Set(live.map(({ content }) => content)).size,
    latest: live.toSorted((left, right) => left.publishedAt - right.publishedAt).at(-1)?.content,
    atMs: live.map(({ publishedAt }) => publishedAt),
  };
}

/** The smallest value that this share of all is not above. */
export function percentile(sorted: readonly number[], share: number): number {
  return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? Number.NaN;
}
