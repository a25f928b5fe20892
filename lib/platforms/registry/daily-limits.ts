import type { DailyLimit, DailyLimits } from '../contract/daily-limit.ts';
import { type Platform, platformNames } from '../contract/names.ts';
import { dailyLimit as youtube } from '../youtube/limits.ts';

/**
 * The limits that platforms document. They are not in the platforms' rules, because the relay and the workers need them
 * for each target, and need nothing else from the rules.
 */
const documented: DailyLimits = { youtube };

/** The limit's other fields if only the stage knows its size. */
const unknownKind: Omit<DailyLimit, 'posts'> = { timeZone: 'UTC', counts: 'posts' };

/**
 * Returns the limits of a stage.
 *
 * @param sizes the limits of the operator's apps, by platform; if one is absent or 0, the documented limit counts
 */
export function dailyLimitsOf(sizes: Readonly<Partial<Record<Platform, number>>>): DailyLimits {
  const limits = platformNames.flatMap((platform) => {
    const known = documented[platform];
    const posts = sizes[platform] || known?.posts;
    return posts === undefined ? [] : [[platform, { ...(known ?? unknownKind), posts }] as const];
  });
  return Object.fromEntries(limits);
}
