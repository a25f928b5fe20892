import { platformOf } from '../journeys/support/platforms.ts';
import type { TestCloud } from '../support/local-cloud.ts';

/** Arrival times of the calls that made posts live at one platform, compared with their due times. */
export interface Arrivals {
  readonly platform: string;
  /** In milliseconds, ascending; a negative value means early. */
  readonly lateMs: readonly number[];
  /** The same for the times from which viewers can see them, which may be later: a platform may process a video first. */
  readonly seenLateMs: readonly number[];
  /** Number of surplus copies of posts that are live. */
  readonly twice: number;
  /** The content of the post that went live last. */
  readonly latest: string | undefined;
  /** Epoch milliseconds of each arrival. */
  readonly atMs: readonly number[];
}

/** @param due the due time of each post in epoch milliseconds, keyed by its content */
export async function readArrivals(
  cloud: TestCloud,
  platform: string,
  due: ReadonlyMap<string, number>,
): Promise<Arrivals> {
  const live = (await platformOf(cloud, platform).posts()).filter(({ content }) => due.has(content));
  const lateness = (timeOf: (post: (typeof live)[number]) => number) =>
    live
      .map((post) => timeOf(post) - (due.get(post.content) ?? Number.NaN))
      .toSorted((left, right) => left - right);
  return {
    platform,
    lateMs: lateness(({ publishedAt }) => publishedAt),
    seenLateMs: lateness(({ publishedAt, viewableAt = publishedAt }) => viewableAt),
    twice: live.length - new Set(live.map(({ content }) => content)).size,
    latest: live.toSorted((left, right) => left.publishedAt - right.publishedAt).at(-1)?.content,
    atMs: live.map(({ publishedAt }) => publishedAt),
  };
}

/**
 * Returns the smallest value that at least this share of all values does not exceed.
 *
 * @param sorted ascending
 * @param share from 0 to 1
 */
export function percentile(sorted: readonly number[], share: number): number {
  return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? Number.NaN;
}
