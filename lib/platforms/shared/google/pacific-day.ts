import { dayMs, secondMs } from '../../../kernel/clock.ts';

const zone = 'America/Los_Angeles';

/**
 * Seconds until the next midnight Pacific time, when Google resets its daily quotas.
 *
 * @param now epoch milliseconds
 */
export function secondsToPacificMidnight(now: number): number {
  const wall = now + offsetMs(now);
  const midnightWall = (Math.floor(wall / dayMs) + 1) * dayMs;
  // Daylight saving time changes at 2 a.m., so the offset at midnight may differ from the offset now.
  const guess = midnightWall - offsetMs(now);
  return Math.ceil((midnightWall - offsetMs(guess) - now) / secondMs);
}

/** How far the zone's local time is ahead of UTC at an instant, in milliseconds; negative in America. */
function offsetMs(instant: number): number {
  const format = new Intl.DateTimeFormat('en-US', { timeZone: zone, timeZoneName: 'longOffset' });
  const name = format.formatToParts(instant).find(({ type }) => type === 'timeZoneName')?.value ?? '';
  const [, sign, hours, minutes] = /GMT([+-])(\d{2}):(\d{2})/.exec(name) ?? [];
  const total = (Number(hours ?? 0) * 60 + Number(minutes ?? 0)) * 60 * secondMs;
  return sign === '-' ? -total : total;
}
