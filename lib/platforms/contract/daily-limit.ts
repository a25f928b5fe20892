import type { Platform } from './names.ts';

/** How many posts a platform takes from the operator's app in a day, for all of its accounts together. */
export interface DailyLimit {
  /** How many posts go live on a day at most; a whole number above 0. */
  readonly posts: number;
  /** The IANA time zone whose midnight resets the limit. */
  readonly timeZone: string;
  /** What the platform counts, in the plural and for people, such as `uploads`. */
  readonly counts: string;
}

/** The limits of a stage. A platform without a known one has no entry. */
export type DailyLimits = Readonly<Partial<Record<Platform, DailyLimit>>>;
