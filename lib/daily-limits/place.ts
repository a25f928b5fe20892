import { dayMs, secondMs } from '../kernel/clock.ts';
import { randomToken } from '../kernel/ids.ts';
import { dayIn, endOfDayMs } from '../kernel/time-zone.ts';
import { dayPlaceKey } from '../table/keys.ts';
import type { Target } from '../targets/schemas.ts';

/** The place that a target takes in a day of its platform's limit. */
export interface Place {
  /** The date `YYYY-MM-DD` in the limit's time zone. */
  readonly day: string;
  /** When the day ends, in epoch milliseconds. */
  readonly endsMs: number;
  /** Whether its work at the platform has begun. Before that, the target can still be moved to another day. */
  readonly isUsed: boolean;
}

/** How long a place is kept after its day. Nothing asks for a past day; operators may want to look at it. */
const keptMs = 7 * dayMs;

/**
 * Returns the place of a target, which follows from its state alone; `undefined` if it takes none: a draft, or one that
 * failed before it reached the platform.
 *
 * @param timeZone the limit's
 */
export function placeOf(target: Target, timeZone: string): Place | undefined {
  const atMs = timeOf(target);
  if (atMs === undefined) return undefined;
  return { day: dayIn(timeZone, atMs), endsMs: endOfDayMs(timeZone, atMs), isUsed: isUsed(target) };
}

/** Whether a target has begun its work at the platform, as far as its state tells. */
const isUsed = ({ preparation, calls = [], publishedAt }: Target): boolean =>
  preparation !== undefined || calls.length > 0 || publishedAt !== undefined;

/** When a target reaches the platform or has reached it, in epoch milliseconds; `undefined` if never. */
function timeOf(target: Target): number | undefined {
  const { status, scheduledFor, wakeAt, publishedAt, calls = [] } = target;
  switch (status) {
    case 'draft':
      return undefined;
    case 'scheduled':
      // A target that waits for a limit, or retries, goes live at its wake. One that is prepared ahead does not.
      return latest([scheduledFor, wakeAt]);
    case 'failed':
      return isUsed(target) ? latest([calls.at(-1)?.intentAt ?? scheduledFor]) : undefined;
    case 'publishing':
    case 'published':
    case 'partial':
      return latest([publishedAt ?? calls.at(-1)?.intentAt ?? scheduledFor]);
  }
}

function latest(times: readonly (string | undefined)[]): number | undefined {
  const known = times.flatMap((time) => (time === undefined ? [] : Date.parse(time)));
  return known.length > 0 ? Math.max(...known) : undefined;
}

/** Whether two places are the same in what is stored. */
export const isSamePlace = (one: Place | undefined, other: Place | undefined): boolean =>
  one?.day === other?.day && one?.isUsed === other?.isUsed;

/** The item for a target's place. */
export function placeItem(target: Target, place: Place): Record<string, unknown> {
  return {
    ...dayPlaceKey(target, place.day),
    kind: 'dayPlace',
    isUsed: place.isUsed,
    /** Distinguishes this item from a later one with the same key. */
    writeId: randomToken(12),
    expiresAtSeconds: Math.ceil((place.endsMs + keptMs) / secondMs),
  };
}
