import type { DailyLimit, DailyLimits } from '../contract/daily-limit.ts';
import { type Platform, platformNames } from '../contract/names.ts';
import { dailyLimit as youtube } from '../youtube/limits.ts';

/**
 * The limits that platforms document. They are not in the platforms' rules, because the relay and the workers ask for them
 * at each target, and need nothing else of the rules.
 */
const documented: DailyLimits = { youtube };

/** What a limit is if only the stage knows its size. */
const unknownKind: Omit<DailyLimit, 'posts'> = { timeZone: 'UTC', counts: 'posts' };

/**
 * Returns the limits of a stage.
 *
 * @param sizes the sizes that the operator's apps have, by platform; without one, or with 0, the documented size counts
 */
export function dailyLimitsOf(sizes: Readonly<Partial<Record<Platform, number>>>): DailyLimits {
  const limits = platformNames.flatMap((platform) => {
    const known = documented[platform];
    const posts = sizes[platform] || known?.posts;
    return posts === undefined ? [] : [[platform, { ...(known ?? unknownKind), posts }] as const];
  });
  return Object.fromEntries(limits);
}
