/** A day and a time, as a calendar and a clock on the wall show them. */
export interface WallClock {
  /** `2026-03-29` */
  readonly date: string;
  /** `09:30` */
  readonly time: string;
  /** True for the second of two times that the clocks show alike. */
  readonly isSecond?: boolean;
}

/**
 * The instant of a wall-clock time. `skipped`: the clocks jump over it, so it moves forward by the gap, to `shown`. `repeated`: they show
 * it twice. Both as the service reads a local time: RFC 5545, section 3.3.5, and `compatible` in Temporal.
 */
export type Reading =
  | { readonly kind: 'exact'; readonly at: Date }
  | { readonly kind: 'skipped'; readonly at: Date; readonly shown: WallClock }
  | { readonly kind: 'repeated'; readonly at: Date; readonly first: Date; readonly second: Date };

/** @returns `undefined` if it is not a date and a time, such as while somebody types */
export function instantOf(
  { date, time, isSecond = false }: WallClock,
  timeZone: string,
): Reading | undefined {
  const local = plainOf(date, time);
  if (local === undefined) return undefined;
  const read = (disambiguation: 'earlier' | 'later') =>
    new Date(local.toZonedDateTime(timeZone, { disambiguation }).epochMilliseconds);
  const earlier = read('earlier');
  const later = read('later');
  if (earlier.getTime() === later.getTime()) return { kind: 'exact', at: earlier };
  const isShown = sameMinute(wallClockOf(earlier, timeZone), { date, time });
  if (!isShown) return { kind: 'skipped', at: later, shown: wallClockOf(later, timeZone) };
  return { kind: 'repeated', at: isSecond ? later : earlier, first: earlier, second: later };
}

/** Returns what the clocks of a zone show at an instant, to the minute. */
export function wallClockOf(at: Date, timeZone: string): WallClock {
  const zoned = Temporal.Instant.fromEpochMilliseconds(at.getTime()).toZonedDateTimeISO(timeZone);
  const local = zoned.toPlainDateTime();
  const date = local.toPlainDate().toString();
  const time = local.toPlainTime().toString({ smallestUnit: 'minute' });
  const earlier = local.toZonedDateTime(timeZone, { disambiguation: 'earlier' });
  return earlier.epochMilliseconds === zoned.epochMilliseconds
    ? { date, time }
    : { date, time, isSecond: true };
}

/** The wall-clock time some days later, at the same time of day. */
export function addDaysTo({ date, time }: WallClock, days: number): WallClock {
  return { date: Temporal.PlainDate.from(date).add({ days }).toString(), time };
}

const sameMinute = (one: WallClock, other: WallClock) => one.date === other.date && one.time === other.time;

function plainOf(date: string, time: string): Temporal.PlainDateTime | undefined {
  if (!/^\d{4}-\d\d-\d\d$/.test(date) || !/^\d\d:\d\d/.test(time)) return undefined;
  try {
    return Temporal.PlainDateTime.from(`${date}T${time}`, { overflow: 'reject' });
  } catch {
    return undefined;
  }
}
