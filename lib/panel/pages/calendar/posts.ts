import { useEffect, useState } from 'react';
import type { listPostsOperation } from '../../../posts/operations.ts';
import { useGet, usePages } from '../../api/hooks.ts';
import { newestOf, type OwnTimes, useOwnTimes } from '../../posts/own-times.ts';
import type { ListedPost } from '../../posts/post.ts';
import type { Known } from '../../posts/state.ts';
import { byDay, daysOf, type Range } from './days.ts';
import { type Entry, entriesOf, isNearDue, passes } from './entries.ts';
import type { CalendarView } from './view.ts';

const path = '/v1/posts';
const pageSize = '200';
const nearEveryMs = 5_000;
const usualEveryMs = 15_000;
/** A list has a post at its own time. Most destinations with times of their own are at most this much later, and read with the others. */
const spreadMs = 7 * 86_400_000;
const windowMs = 600_000;

export interface CalendarPosts {
  /** All that were read, by whatever page. */
  readonly posts: readonly ListedPost[];
  /** True if every page was read. */
  readonly isComplete: boolean;
  readonly isPending: boolean;
  /** The time of the last post that was read; ISO 8601. */
  readonly readUntil: string | undefined;
  readonly error: Error | null;
  readonly isRetrying: boolean;
  readonly retry: () => void;
  /** The posts whose own time is far from that of a destination. */
  readonly ownTimes: OwnTimes;
}

/**
 * All posts of a range, page by page. A long list is read again less often, so what is due about now is also read by itself.
 *
 * @param now epoch milliseconds
 */
export function useCalendarPosts({ from, to }: Range, now: number): CalendarPosts {
  const [isNear, setIsNear] = useState(false);
  const everyMs = isNear ? nearEveryMs : usualEveryMs;
  const since = new Date(Date.parse(from) - spreadMs).toISOString();
  const query = { from: since, to, limit: pageSize };
  const pages = usePages<typeof listPostsOperation>(path, { query }, { refetchEveryMs: everyMs });
  const { data, hasNextPage, isFetching, isError, error, fetchNextPage, refetch } = pages;
  useEffect(() => {
    if (hasNextPage && !isFetching && !isError) void fetchNextPage();
  }, [hasNextPage, isFetching, isError, fetchNextPage]);

  const ownTimes = useOwnTimes(since, to);

  const isLong = (data?.pages.length ?? 0) > 1;
  const isNow = from <= new Date(now).toISOString() && new Date(now).toISOString() < to;
  const middle = Math.floor(now / windowMs) * windowMs;
  const due = useGet<typeof listPostsOperation>(
    path,
    {
      query: {
        from: new Date(middle - windowMs).toISOString(),
        to: new Date(middle + 2 * windowMs).toISOString(),
        limit: pageSize,
      },
    },
    { isEnabled: isLong && isNow, refetchEveryMs: everyMs },
  );

  const listed = data?.pages;
  const dueNow = isLong && isNow ? due.data?.posts : undefined;
  const posts = newestOf(listed?.flatMap((page) => page.posts) ?? [], ownTimes.posts, dueNow ?? []);
  const hasNear = posts.some((post) => entriesOf(post).some((entry) => isNearDue(entry, now)));
  useEffect(() => setIsNear(hasNear), [hasNear]);

  return {
    posts,
    isComplete: data !== undefined && !hasNextPage,
    isPending: data === undefined && error === null,
    readUntil: listed?.findLast((page) => page.posts.length > 0)?.posts.at(-1)?.scheduledFor ?? undefined,
    error,
    isRetrying: isFetching,
    retry: () => void (data !== undefined && hasNextPage ? fetchNextPage() : refetch()),
    ownTimes,
  };
}

interface Entries {
  /** All cards of what was read, on whatever day. */
  readonly all: readonly Entry[];
  /** The days that are shown. */
  readonly days: readonly string[];
  /** The cards that pass the filters, by day of the range. */
  readonly byDay: ReadonlyMap<string, readonly Entry[]>;
  /** The number of cards on the days that are shown, and of those that pass the filters. */
  readonly counts: { readonly all: number; readonly shown: number };
}

/** The cards of posts, on the days that a view shows. */
export function useEntries(
  posts: readonly ListedPost[],
  { view, day, filters }: CalendarView,
  range: Range,
  timezone: string,
  known: Known,
): Entries {
  const all = posts.flatMap((post) => entriesOf(post, known));
  const days = daysOf(view, day);
  const unfiltered = byDay(all, range.days, timezone);
  const shown = byDay(
    all.filter((entry) => passes(entry, filters)),
    range.days,
    timezone,
  );
  const countIn = (grid: typeof shown) => days.reduce((sum, each) => sum + (grid.get(each)?.length ?? 0), 0);
  return { all, days, byDay: shown, counts: { all: countIn(unfiltered), shown: countIn(shown) } };
}
