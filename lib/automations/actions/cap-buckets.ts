import { hourMs, minuteMs } from '../../kernel/clock.ts';

/** The private replies reserved within two minutes. */
export interface Bucket {
  /** The attribute that counts them. */
  readonly name: string;
  readonly count: number;
  /** The time from which they no longer count towards the cap, in epoch milliseconds. */
  readonly freeMs: number;
}

const bucketMs = 2 * minuteMs;

/**
 * The longest time between a reply's reservation and its sending, with the difference of clocks. Our judgement: a new token, the
 * call and its start have 45 seconds together.
 */
const lateMs = minuteMs;

const pattern = /^b(\d+)$/;

/** Returns the attribute that counts a reservation made now. @param now epoch milliseconds */
export const bucketNameAt = (now: number): string => `b${Math.floor(now / bucketMs)}`;

/** Returns the buckets of a stored cap, oldest first. */
export function bucketsOf(item: Readonly<Record<string, unknown>>): Bucket[] {
  const buckets = Object.entries(item).flatMap(([name, count]) => {
    const number = pattern.exec(name)?.[1];
    if (number === undefined) return [];
    const endMs = (Number(number) + 1) * bucketMs;
    return [{ name, count: Number(count), freeMs: endMs + hourMs + lateMs }];
  });
  return buckets.sort((one, other) => one.freeMs - other.freeMs);
}

export const countOf = (buckets: readonly Bucket[]): number =>
  buckets.reduce((sum, { count }) => sum + count, 0);

/** Returns the buckets that no longer count. @param now epoch milliseconds */
export const endedAt = (buckets: readonly Bucket[], now: number): Bucket[] =>
  buckets.filter(({ freeMs }) => freeMs <= now);

/**
 * Returns the time at which a reply that finds the cap full should try again: while a bucket ends, chosen with a probability in
 * proportion to the places that it frees.
 *
 * @param buckets the buckets that still count, oldest first
 * @param chance a number in [0, 1)
 * @returns epoch milliseconds; `undefined` if there are no buckets
 */
export function tryAgainAt(buckets: readonly Bucket[], chance: number): number | undefined {
  let rank = chance * countOf(buckets);
  for (const { count, freeMs } of buckets) {
    if (rank < count) return freeMs + (rank / count) * bucketMs;
    rank -= count;
  }
  return undefined;
}

/**
 * Estimates the time at which the last waiting reply is sent, in epoch milliseconds, if no others come first.
 *
 * @param buckets the buckets that still count, oldest first
 * @param waiting the number of waiting replies
 */
export function waitEndOf(
  buckets: readonly Bucket[],
  {
    waiting,
    maxPerHour,
    now,
  }: { readonly waiting: number; readonly maxPerHour: number; readonly now: number },
): number {
  const places = Math.max(0, maxPerHour - countOf(buckets));
  const missing = waiting - places;
  if (missing <= 0) return now + minuteMs;
  // After each full cap of replies, the next ones need the places of the same buckets.
  const cycles = Math.floor((missing - 1) / maxPerHour);
  let left = missing - cycles * maxPerHour;
  const last = buckets.find(({ count }) => {
    left -= count;
    return left <= 0;
  });
  const freeMs = (last ?? buckets.at(-1))?.freeMs ?? now + hourMs;
  return freeMs + bucketMs + cycles * (hourMs + lateMs + bucketMs);
}
