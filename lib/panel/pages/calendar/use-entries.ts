import type { ListedPost } from '../../posts/post.ts';
import { type Entry, entriesOf, passes } from './entries.ts';
import { byDay, daysOf, type Range } from './grid.ts';
import type { CalendarView } from './use-calendar-view.ts';

export interface Entries {
  /** All cards of what was read, on whatever day. */
  readonly all: readonly Entry[];
  /** The days that are shown. */
  readonly days: readonly string[];
  /** What passes the filters, by day of the range. */
  readonly byDay: ReadonlyMap<string, readonly Entry[]>;
  /** How many cards are on the days that are shown, and how many of them pass the filters. */
  readonly counts: { readonly all: number; readonly shown: number };
}

/** The cards of posts, on the days that a view shows. */
export function useEntries(
  posts: readonly ListedPost[],
  { view, day, filters }: CalendarView,
  range: Range,
  timezone: string,
): Entries {
  const all = posts.flatMap(entriesOf);
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
