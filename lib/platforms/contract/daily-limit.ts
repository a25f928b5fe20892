import type { Platform } from './names.ts';

/** A platform's daily limit of posts from the operator's app, for all of its accounts together. */
export interface DailyLimit {
  /** The most posts that can go live in a day; a whole number above 0. */
  readonly posts: number;
  /** The IANA time zone of the limit. Its midnight resets the limit. */
  readonly timeZone: string;
  /** The platform's word for the things it counts, in the plural, such as `uploads`. For people. */
  readonly counts: string;
}

/** The limits of a stage. A platform without a known limit has no entry. */
export type DailyLimits = Readonly<Partial<Record<Platform, DailyLimit>>>;
