import { minuteMs } from '../kernel/clock.ts';

/** Every time zone's days begin at a quarter of an hour in UTC: from clicks by the quarter, the days of any zone can be summed. */
export const quarterMs = 15 * minuteMs;

/** Returns the name of the counter of a quarter of an hour. @param quarter its place in the day in UTC, from 0 to 95 */
export const quarterAttribute = (quarter: number): string => `q${quarter}`;
