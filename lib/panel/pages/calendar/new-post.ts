import { type WallClock, wallClockOf } from '../../wall-clock.ts';

const usualTime = '09:00';
const hourMs = 3_600_000;

/**
 * The time that is offered for a new post on a day: nine in the morning, or the next full hour if that is over. `undefined` on days that
 * are over.
 *
 * @param now epoch milliseconds
 */
export function offeredTime(day: string, timeZone: string, now: number): WallClock | undefined {
  const present = wallClockOf(new Date(now), timeZone);
  if (day < present.date) return undefined;
  if (day > present.date || present.time < usualTime) return { date: day, time: usualTime };
  const next = wallClockOf(new Date((Math.floor(now / hourMs) + 1) * hourMs), timeZone);
  return next.date === day ? next : undefined;
}

/** The page that writes a new post for a day. */
export function composeHref(day: string, timeZone: string, now: number): string | undefined {
  const wall = offeredTime(day, timeZone, now);
  return wall && `/compose?at=${wall.date}T${wall.time}`;
}
