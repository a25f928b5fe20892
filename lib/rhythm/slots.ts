import { dayMs, minuteMs } from '../kernel/clock.ts';
import type { Rhythm } from './schemas.ts';

/** An account on which a slot is looked for, as one key sees it. */
export interface AccountSlots {
  readonly rhythm: Rhythm;
  /** Of the rhythm's time zone, over the search and all entries. */
  readonly offsets: readonly OffsetSpan[];
  readonly entries: readonly PlannedTime[];
}

export interface PlannedTime {
  /** Epoch milliseconds. */
  readonly atMs: number;
  /** Whether the key's own rhythm chose it: these keep the gap and count against the cap. */
  readonly isOwn: boolean;
}

/**
 * The earliest whole minute that fits all accounts: inside each one's window, on a day whose cap is not reached, a gap
 * away from the key's own automatic posts and a buffer away from everything else. Pure. It steps over what is taken
 * rather than through the minutes, so its time goes by the number of entries and not by the length of the search.
 *
 * @param earliestMs, latestMs epoch milliseconds, both included
 * @returns epoch milliseconds; `undefined` where nothing is free
 */
export function findSlot(
  accounts: readonly AccountSlots[],
  { earliestMs, latestMs }: { readonly earliestMs: number; readonly latestMs: number },
): number | undefined {
  const searches = accounts.map((account) => nextFreeIn(rulesOf(account), latestMs));
  let slot = nextMinute(earliestMs);
  while (slot <= latestMs) {
    const agreed = searches.reduce((from, nextFree) => nextFree(from), slot);
    if (agreed === slot) return slot;
    slot = agreed;
  }
  return undefined;
}

/** Gives the instant itself where a rule allows it, else a later one before which it allows none. */
type Rule = (atMs: number) => number;

function nextFreeIn(rules: readonly Rule[], latestMs: number): Rule {
  return (fromMs) => {
    let candidate = fromMs;
    while (candidate <= latestMs) {
      const allowed = rules.reduce((atMs, rule) => rule(atMs), candidate);
      if (allowed === candidate) return candidate;
      candidate = allowed;
    }
    return candidate;
  };
}

function rulesOf({ rhythm, offsets, entries }: AccountSlots): readonly Rule[] {
  const ownTimes = entries.filter(({ isOwn }) => isOwn).map(({ atMs }) => atMs);
  return [
    insideWindow(rhythm.dayWindow, offsets),
    belowCap(rhythm.dailyCap, ownTimes, offsets),
    awayFrom(ownTimes, rhythm.gapMinutes),
    awayFrom(
      entries.map(({ atMs }) => atMs),
      rhythm.collisionBufferMinutes,
    ),
  ];
}

/** On the wall clock: an hour that clocks show twice is in the window twice, one they leave out is in none. */
function insideWindow({ from, to }: Rhythm['dayWindow'], offsets: readonly OffsetSpan[]): Rule {
  const opensMs = toMilliseconds(from);
  const lengthMs = modulo(toMilliseconds(to) - opensMs, dayMs) || dayMs;
  return (atMs) => {
    for (let candidate = atMs; ; ) {
      const span = spanAt(offsets, candidate);
      const sinceOpeningMs = modulo(candidate + span.offsetMs - opensMs, dayMs);
      if (sinceOpeningMs < lengthMs) return candidate;
      const opening = candidate + dayMs - sinceOpeningMs;
      if (opening < span.untilMs) return opening;
      candidate = nextMinute(span.untilMs);
    }
  };
}

function belowCap(cap: number, times: readonly number[], offsets: readonly OffsetSpan[]): Rule {
  const dayOf = (atMs: number) => Math.floor((atMs + spanAt(offsets, atMs).offsetMs) / dayMs);
  const counts = new Map<number, number>();
  for (const day of times.map(dayOf)) counts.set(day, (counts.get(day) ?? 0) + 1);
  return (atMs) => {
    const day = dayOf(atMs);
    if ((counts.get(day) ?? 0) < cap) return atMs;
    const { offsetMs, untilMs } = spanAt(offsets, atMs);
    return nextMinute(Math.min((day + 1) * dayMs - offsetMs, untilMs));
  };
}

/** At least so many minutes before and after each of these times, and never in the same minute. */
function awayFrom(times: readonly number[], minutes: number): Rule {
  const sorted = times.toSorted((left, right) => left - right);
  const distanceMs = Math.max(1, minutes) * minuteMs;
  return (atMs) => {
    const nearest = sorted[firstIndexAbove(sorted, atMs - distanceMs)];
    const isTooNear = nearest !== undefined && nearest < atMs + distanceMs;
    return isTooNear ? nextMinute(nearest + distanceMs) : atMs;
  };
}

function firstIndexAbove(sorted: readonly number[], bound: number): number {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((sorted[middle] ?? Number.POSITIVE_INFINITY) > bound) high = middle;
    else low = middle + 1;
  }
  return low;
}

function spanAt(offsets: readonly OffsetSpan[], atMs: number): OffsetSpan {
  const span = offsets.find(({ untilMs }) => atMs < untilMs);
  if (!span) throw new Error('the last span of a time zone goes on without end');
  return span;
}

function toMilliseconds(timeOfDay: string): number {
  const [hours, minutes] = timeOfDay.split(':').map(Number);
  return ((hours ?? 0) * 60 + (minutes ?? 0)) * minuteMs;
}

const nextMinute = (atMs: number): number => Math.ceil(atMs / minuteMs) * minuteMs;

const modulo = (value: number, divisor: number): number => ((value % divisor) + divisor) % divisor;

/** A span of time in which a time zone's clocks are not changed. Epoch milliseconds; the end is not part of it. */
export interface OffsetSpan {
  readonly fromMs: number;
  readonly untilMs: number;
  /** How far the clocks are ahead of UTC. */
  readonly offsetMs: number;
}

/**
 * A time zone's offsets over a span of time, one after the other without gaps; the last one goes on without end.
 *
 * @throws RangeError for an unknown time zone
 */
export async function offsetSpans(timezone: string, fromMs: number, untilMs: number): Promise<OffsetSpan[]> {
  const { Temporal } = await import('temporal-polyfill');
  const spans: OffsetSpan[] = [];
  let spanFromMs = fromMs;
  let start = Temporal.Instant.fromEpochMilliseconds(fromMs).toZonedDateTimeISO(timezone);
  for (;;) {
    const offsetMs = start.offsetNanoseconds / 1_000_000;
    const change = start.getTimeZoneTransition('next');
    if (!change || change.epochMilliseconds >= untilMs)
      return [...spans, { fromMs: spanFromMs, untilMs: Number.POSITIVE_INFINITY, offsetMs }];
    spans.push({ fromMs: spanFromMs, untilMs: change.epochMilliseconds, offsetMs });
    spanFromMs = change.epochMilliseconds;
    start = change;
  }
}
