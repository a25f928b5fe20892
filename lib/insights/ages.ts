import { dayMs, hourMs } from '../kernel/clock.ts';
import type { Age } from './schemas.ts';

/** The ages in order. */
export const ages = ['1h', '1d', '7d', '28d'] as const satisfies readonly Age[];

/**
 * The time from going live to a reading. Those of days come an hour later than whole days, so that an account that publishes at the
 * same time every day is asked once a day, for posts of all ages.
 */
const afterMs: Readonly<Record<Age, number>> = {
  '1h': hourMs,
  '1d': dayMs + hourMs,
  '7d': 7 * dayMs + hourMs,
  '28d': 28 * dayMs + hourMs,
};

/** The numbers of a story end after 24 hours. */
export const storyEndsMs = dayMs;
/** The age of a story at which its reading of a day is taken. */
export const storyDayMs = 23 * hourMs;

/** Returns the age in milliseconds at which a reading is due; `undefined` if a story has no such reading. */
export function readingAfterMs(age: Age, isStory: boolean): number | undefined {
  if (!isStory) return afterMs[age];
  if (age === '1d') return storyDayMs;
  return age === '1h' ? afterMs[age] : undefined;
}
