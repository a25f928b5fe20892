import { dayMs, hourMs, minuteMs, toTimestamp } from '../kernel/clock.ts';
import type { Rhythm } from './schemas.ts';

/** An account to find a slot on, as one key sees it. */
export interface AccountSlots {
  readonly rhythm: Rhythm;
  /** The offsets of the rhythm's time zone, covering the search and all entries. */
  readonly offsets: readonly OffsetSpan[];
  readonly entries: readonly PlannedTime[];
}

export interface PlannedTime {
  /** Epoch milliseconds. */
  readonly atMs: number;
  /** True if the calling key's rhythm chose the time. The gap and the daily cap then apply to it. */
  readonly isOwn: boolean;
}

/**
 * Finds the earliest whole minute that fits all accounts: inside each window, on a day below the cap, a gap away from the
 * key's own automatic posts, and a buffer away from everything else. Pure. It jumps over taken times instead of trying
 * every minute, so the run time depends on the number of entries, not on the length of the search.
 *
 * @param earliestMs, latestMs epoch milliseconds, both inclusive
 * @returns epoch milliseconds; `undefined` if nothing is free
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

/**
 * Finds the next slots that fit all accounts, each as if posts had taken those before it. Pure.
 *
 * @param earliestMs, latestMs epoch milliseconds, both inclusive
 * @returns epoch milliseconds, in order; fewer than `count` if no more are free
 */
export function findSlots(
  accounts: readonly AccountSlots[],
  { earliestMs, latestMs, count }: { earliestMs: number; latestMs: number; count: number },
): number[] {
  const slots: number[] = [];
  while (slots.length < count) {
    const taken = slots.map((atMs) => ({ atMs, isOwn: true }));
    const then = accounts.map((account) => ({ ...account, entries: [...account.entries, ...taken] }));
    const slot = findSlot(then, { earliestMs: slots.at(-1) ?? earliestMs, latestMs });
    if (slot === undefined) break;
    slots.push(slot);
  }
  return slots;
}

/** Returns `atMs` if the rule allows it; otherwise a later time. The rule allows no time between the two. */
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
    belowCap(rhythm, ownTimes, offsets),
    awayFrom(ownTimes, rhythm.gapMinutes),
    awayFrom(
      entries.map(({ atMs }) => atMs),
      rhythm.collisionBufferMinutes,
    ),
  ];
}

/**
 * Keeps times inside the window. Compares wall-clock times: an hour that the clocks repeat is in the window twice; a
 * skipped hour never is.
 */
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

/**
 * Keeps days below the cap. Counts by date. In a window across midnight, a day begins when the window opens, so that
 * its evening and the morning after share one cap: otherwise each evening would find the cap used up by the morning
 * of the same date.
 */
function belowCap(
  { dailyCap, dayWindow }: Rhythm,
  times: readonly number[],
  offsets: readonly OffsetSpan[],
): Rule {
  const { from, to } = dayWindow;
  const dayBeginsMs = to < from ? toMilliseconds(from) : 0;
  const dayOf = (atMs: number) => Math.floor((atMs + spanAt(offsets, atMs).offsetMs - dayBeginsMs) / dayMs);
  const counts = new Map<number, number>();
  for (const day of times.map(dayOf)) counts.set(day, (counts.get(day) ?? 0) + 1);
  return (atMs) => {
    const day = dayOf(atMs);
    if ((counts.get(day) ?? 0) < dailyCap) return atMs;
    const { offsetMs, untilMs } = spanAt(offsets, atMs);
    return nextMinute(Math.min((day + 1) * dayMs + dayBeginsMs - offsetMs, untilMs));
  };
}

/** Keeps at least this many minutes before and after each of these times, but never less than one minute. */
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
  if (!span) throw new Error('no offset span covers the time: the last span must not end');
  return span;
}

function toMilliseconds(timeOfDay: string): number {
  const [hours, minutes] = timeOfDay.split(':').map(Number);
  return ((hours ?? 0) * 60 + (minutes ?? 0)) * minuteMs;
}

/** Formats an instant as local time with its offset: `2026-03-01T09:00:00+03:00`. */
export function toLocalTime(atMs: number, offsets: readonly OffsetSpan[]): string {
  const { offsetMs } = spanAt(offsets, atMs);
  const size = Math.abs(offsetMs);
  const [hours, minutes] = [Math.floor(size / hourMs), Math.floor((size % hourMs) / minuteMs)].map((part) =>
    String(part).padStart(2, '0'),
  );
  return `${toTimestamp(atMs + offsetMs).slice(0, 19)}${offsetMs < 0 ? '-' : '+'}${hours}:${minutes}`;
}

const nextMinute = (atMs: number): number => Math.ceil(atMs / minuteMs) * minuteMs;

const modulo = (value: number, divisor: number): number => ((value % divisor) + divisor) % divisor;

/** A period during which a time zone's offset does not change. Epoch milliseconds; the end is exclusive. */
export interface OffsetSpan {
  readonly fromMs: number;
  readonly untilMs: number;
  /** The local time minus UTC, in milliseconds. */
  readonly offsetMs: number;
}

/**
 * Returns a time zone's offsets over a period, in order and without gaps. The last span never ends.
 *
 * @throws RangeError if the time zone is unknown
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

/** The time ahead in which to search for a slot. */
export const horizonMs = 90 * dayMs;

/** Returns the distance within which an entry can matter: because of gap or buffer, or because it is on the same local day. */
export function reachOf({ gapMinutes, collisionBufferMinutes }: Rhythm): number {
  return Math.max(gapMinutes * minuteMs, collisionBufferMinutes * minuteMs, 2 * dayMs);
}

/** A distance longer than `reachOf` returns for any rhythm. */
export const longestReachMs = 8 * dayMs;
