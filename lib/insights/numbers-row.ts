import * as z from 'zod';
import { dayMs, secondMs } from '../kernel/clock.ts';
import { PostNumber } from '../platforms/contract/insights.ts';
import { AccountKind, Platform } from '../platforms/contract/names.ts';
import { isStory, numbersOf } from '../platforms/registry/numbers.ts';
import type { Item } from '../table/items.ts';
import { type Key, numbersShard, postNumbersKey, targetOfNumbers } from '../table/keys.ts';
import type { Target } from '../targets/schemas.ts';
import { isLive } from '../targets/state.ts';
import { ages } from './ages.ts';
import type { Age } from './schemas.ts';

/** Numbers that are kept longer are deleted, whatever a platform's terms allow. */
const mostKeptDays = 400;

/** A number, or the reason that there is none; null if the platform does not have it. The order is that of `PostNumber`. */
const StoredNumbers = z.array(z.union([z.int(), z.string(), z.null()]));

/** One reading: when the platform was asked, and its numbers. */
export const Reading = z.object({ at: z.string(), n: StoredNumbers });
export type Reading = z.infer<typeof Reading>;

/**
 * The numbers of one destination, as stored. The item stays below 1 KB, so that each reading costs one write unit: ids are in the key,
 * names are short, and numbers are a list.
 */
export const NumbersRow = z.object({
  platform: Platform,
  platformPostId: z.string(),
  isStory: z.literal(true).exactOptional(),
  as: AccountKind.exactOptional(),
  /** The readings by age, and the latest that was asked for. */
  r1h: Reading.exactOptional(),
  r1d: Reading.exactOptional(),
  r7d: Reading.exactOptional(),
  r28d: Reading.exactOptional(),
  rNow: Reading.exactOptional(),
  /** The time of `rNow`, for conditions. */
  nowAt: z.string().exactOptional(),
  /** The time at which the platform was found not to have the post any more. */
  goneAt: z.string().exactOptional(),
  /** Present if somebody receives the events of its readings. A filter of the stream finds it with the status of posts. */
  status: z.literal('told').exactOptional(),
  /** The number of failed tries in a row, and the time of the next one. Absent: none. */
  failures: z.int().exactOptional(),
  dueAt: z.string(),
  dueShard: z.string(),
  expiresAtSeconds: z.int(),
});

/** A row with the ids in its key. */
export type NumbersRow = z.infer<typeof NumbersRow> & ReturnType<typeof targetOfNumbers>;

export function numbersFromItem(item: Item): NumbersRow {
  return { ...NumbersRow.parse(item), ...targetOfNumbers(item as unknown as Key) };
}

/** The fields of a live target that its row has. */
export interface LiveTarget {
  readonly workspaceId: string;
  readonly postId: string;
  readonly accountId: string;
  readonly platform: Platform;
  readonly platformPostId: string;
  readonly publishedAt: string;
  readonly isStory: boolean;
  readonly as?: AccountKind | undefined;
}

/**
 * Returns the time until which numbers of a platform may be kept, in epoch seconds.
 *
 * @param fromMs a time that no number is older than, in epoch milliseconds
 */
export function keptUntilSeconds(target: Pick<LiveTarget, 'platform' | 'as'>, fromMs: number): number {
  const days = numbersOf(target.platform).keptDays(target) ?? mostKeptDays;
  return Math.floor((fromMs + Math.min(days, mostKeptDays) * dayMs) / secondMs);
}

/** Returns true if a platform has numbers of such posts that may be kept at all. */
export function hasKeptNumbers(target: Pick<LiveTarget, 'platform' | 'isStory' | 'as'>): boolean {
  const numbers = numbersOf(target.platform);
  return numbers.keptDays(target) !== 0 && Object.keys(numbers.ofPost(target)).length > 0;
}

/**
 * Returns a target as its numbers are counted; `undefined` unless it is live, the platform has named its post, and there are numbers of
 * such posts that may be kept. Pure.
 */
export function countedTarget(target: Target): LiveTarget | undefined {
  const { workspaceId, postId, accountId, platform, platformPostId, publishedAt, status, options } = target;
  if (!isLive(status) || platformPostId === undefined || publishedAt === undefined) return undefined;
  // Nobody sees a draft.
  if (options['draft'] === true) return undefined;
  const live = {
    ...{ workspaceId, postId, accountId, platform, platformPostId, publishedAt },
    isStory: isStory(platform, options),
  };
  return hasKeptNumbers(live) ? live : undefined;
}

/** Returns the item of a destination that has just gone live. It is found by that time, see `numbersShard`. */
export function numbersItem(target: LiveTarget): Item {
  const { platform, platformPostId, publishedAt, isStory, as, postId } = target;
  return {
    ...postNumbersKey(target),
    kind: 'postNumbers',
    ...{ platform, platformPostId },
    ...(isStory && { isStory }),
    ...(as === 'organization' && { as }),
    dueAt: publishedAt,
    dueShard: numbersShard(postId, isStory),
    // The kind of the account is not known here. The first reading sets the time for its kind.
    expiresAtSeconds: keptUntilSeconds({ ...target, as: 'organization' }, Date.parse(publishedAt)),
  };
}

/** The attribute of a reading. */
export const attributeOf = (age: Age) => `r${age}` as const;

export const readingAt = (row: NumbersRow, age: Age): Reading | undefined => row[attributeOf(age)];

/** Returns the readings of a row, the earliest first. */
const readingsOf = (row: NumbersRow): Reading[] =>
  [...ages.map((age) => readingAt(row, age)), row.rNow]
    .filter((reading) => reading !== undefined)
    .toSorted((one, other) => Date.parse(one.at) - Date.parse(other.at));

/** Returns the latest reading that has numbers; the latest one if none has. */
export function latestReading(row: NumbersRow): Reading | undefined {
  const readings = readingsOf(row);
  return readings.findLast(({ n }) => n.some((value) => typeof value === 'number')) ?? readings.at(-1);
}

/** Returns the time at which the platform was last asked, in epoch milliseconds; 0 if it never was. */
export function lastAskedMs(row: NumbersRow | undefined): number {
  const latest = row && readingsOf(row).at(-1);
  return latest === undefined ? 0 : Date.parse(latest.at);
}

/** Returns a number of a reading by its name; a text is the reason that there is none. */
export function numberIn(reading: Reading | undefined, name: PostNumber): number | string | null | undefined {
  return reading?.n[PostNumber.options.indexOf(name)];
}

/** Returns the likes, comments, shares and saves of a reading together. */
export function interactionsOf(reading: Reading | undefined): number {
  return (['likes', 'comments', 'shares', 'saves'] as const).reduce((sum, name) => {
    const value = numberIn(reading, name);
    return sum + (typeof value === 'number' ? value : 0);
  }, 0);
}
