import { dayMs, secondMs } from '../kernel/clock.ts';
import { randomToken } from '../kernel/ids.ts';
import { dayIn, endOfDayMs } from '../kernel/time-zone.ts';
import { uploadIdOf } from '../platforms/contract/live-post.ts';
import { dayPlaceKey } from '../table/keys.ts';
import type { Target } from '../targets/schemas.ts';

/** The place that a target takes in a day of its platform's limit. */
export interface Place {
  /** The date `YYYY-MM-DD` in the limit's time zone. */
  readonly day: string;
  /** The end of the day, in epoch milliseconds. */
  readonly endsMs: number;
  /** True if the target's work at the platform has begun. Before that, the target can still be moved to another day. */
  readonly isUsed: boolean;
}

/** The time for which a place is kept after its day. No code reads a past day; operators may want to look at it. */
const keptMs = 7 * dayMs;

/**
 * Returns the place of a target, which follows from its state alone; `undefined` if it takes none: a draft, or one that
 * failed before it reached the platform.
 *
 * @param timeZone the time zone of the limit
 */
export function placeOf(target: Target, timeZone: string): Place | undefined {
  const atMs = timeOf(target);
  if (atMs === undefined) return undefined;
  return { day: dayIn(timeZone, atMs), endsMs: endOfDayMs(timeZone, atMs), isUsed: isUsed(target) };
}

/** Returns true if a target has begun its work at the platform, as far as its state shows. */
const isUsed = ({ preparation, calls = [], publishedAt }: Target): boolean =>
  preparation !== undefined || calls.length > 0 || publishedAt !== undefined;

/** Returns the time at which a target reaches the platform or has reached it, in epoch milliseconds; `undefined` if never. */
function timeOf(target: Target): number | undefined {
  const { status, scheduledFor, wakeAt, publishedAt, preparation, preparingSince, calls = [] } = target;
  // The platform has counted an upload of its own when it began, however long before the due time that was.
  if (uploadIdOf(preparation) !== undefined && preparingSince !== undefined) return latest([preparingSince]);
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

/** Returns true if two places are stored in the same way. */
export const isSamePlace = (one: Place | undefined, other: Place | undefined): boolean =>
  one?.day === other?.day && one?.isUsed === other?.isUsed;

/** Returns the item for a target's place. */
export function placeItem(target: Target, place: Place): Record<string, unknown> {
  return {
    ...dayPlaceKey(target, place.day),
    kind: 'dayPlace',
    isUsed: place.isUsed,
    /** A value that distinguishes this item from a later one with the same key. */
    writeId: randomToken(12),
    expiresAtSeconds: Math.ceil((place.endsMs + keptMs) / secondMs),
  };
}
