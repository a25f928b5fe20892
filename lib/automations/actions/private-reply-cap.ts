import { dayMs, hourMs, minuteMs, toTimestamp } from '../../kernel/clock.ts';
import type { Platform } from '../../platforms/contract/names.ts';
import {
  absent,
  anyOf,
  atMost,
  differentFrom,
  either,
  lessThan,
  moreThan,
  present,
  unconditionally,
} from '../../table/condition.ts';
import { getItem, type Item, updateItem, type WriteOutcome } from '../../table/items.ts';
import { type Key, privateReplyCapKey } from '../../table/keys.ts';
import type { Table } from '../../table/table.ts';
import { removed } from '../../table/update.ts';

/** An account at its platform. If several workspaces have connected it, the platform counts their replies together. */
export interface PlatformAccount {
  readonly platform: Platform;
  readonly platformAccountId: string;
}

/** Returns the key of the account's private replies in the last hour and the buttons that the platform has refused. */
export const capKeyOf = ({ platform, platformAccountId }: PlatformAccount): Key =>
  privateReplyCapKey(platform, platformAccountId);

/** The place that a reservation takes: the name of the bucket that counts it. */
export type Place = ReturnType<typeof bucketNameAt>;

/** The outcome of a reservation for a private reply. */
export type Reservation =
  /** @property isWithoutButtons true if the platform has just refused buttons in private replies of the automation or account */
  | { readonly state: 'granted'; readonly isWithoutButtons: boolean; readonly place: Place }
  /** @property wakeMs the time to try again, in epoch milliseconds */
  | { readonly state: 'full'; readonly wakeMs: number };

interface Asking {
  /** Epoch milliseconds. */
  readonly now: number;
  /** The number of private replies that the account may send per hour; at least 1. */
  readonly maxPerHour: number;
  /** A number in [0, 1) that chooses the time to try again if the cap is full. */
  readonly chance: number;
  readonly automationId: string;
}

/** The time to live of the item: longer than anything in it matters, so that DynamoDB never removes what still counts. */
const keptMs = dayMs;
/** The number of ended buckets at which the reservation that begins a bucket removes them. Otherwise a full cap removes them. */
const mostEnded = 10;
/** The maximum number of buckets per update: a condition has at most 4 KB and names each of them. */
const removedAtOnce = 100;

/**
 * Reserves one of the private replies that an account may send in any 60 minutes, counted over all its workspaces. One item
 * counts the reservations of the last hour, in buckets of two minutes and in total. An unused reservation is lost unless it is
 * given back.
 */
export async function reserveMessage(
  table: Table,
  account: PlatformAccount,
  asking: Asking,
): Promise<Reservation> {
  const { now, maxPerHour, chance, automationId } = asking;
  const place = bucketNameAt(now);
  let ended: readonly Bucket[] = [];
  for (;;) {
    const { written, item = {} } = await take(table, account, asking, ended);
    if (written) {
      await removeEnded(table, account, item, now);
      return { state: 'granted', isWithoutButtons: refusesButtons(item, automationId, now), place };
    }
    // If there is room now, another worker has changed the buckets meanwhile. An hour only fills up, so the loop ends.
    const buckets = bucketsOf(item);
    ended = endedAt(buckets, now).slice(0, removedAtOnce);
    if (Number(item['total'] ?? 0) - countOf(ended) >= maxPerHour) {
      return { state: 'full', wakeMs: tryAgainAt(buckets.slice(ended.length), chance) ?? now + hourMs };
    }
  }
}

/**
 * Gives back a reservation for which nothing was sent.
 *
 * @param writeId unique to this call: a repetition by the SDK must not give back the place of another reply
 */
export async function giveBack(
  table: Table,
  account: PlatformAccount,
  { place, writeId }: { readonly place: Place; readonly writeId: string },
): Promise<void> {
  await updateItem(table, capKeyOf(account), {
    set: { writeId },
    add: { [place]: -1, total: -1 },
    if: { [place]: moreThan(0), writeId: anyOf(absent, differentFrom(writeId)) },
  });
}

/**
 * Counts a private reply that is repeated because its first call left no trace. It does not wait for a place, because it is
 * looked up for six hours at most. Another reply waits instead. A missing item counts nothing else.
 *
 * @param now epoch milliseconds
 */
export async function countRepeatedMessage(
  table: Table,
  account: PlatformAccount,
  { now, maxPerHour }: Pick<Asking, 'now' | 'maxPerHour'>,
): Promise<void> {
  await updateItem(table, capKeyOf(account), {
    set: attributesOf({ now, maxPerHour }),
    add: { [bucketNameAt(now)]: 1, total: 1 },
    if: unconditionally,
  });
}

const attributesOf = ({ now, maxPerHour }: Pick<Asking, 'now' | 'maxPerHour'>) => ({
  kind: 'privateReplyCap',
  maxPerHour,
  expiresAtSeconds: Math.floor((now + keptMs) / 1_000),
});

/** Counts one reservation if there is room, and removes the ended buckets if none of them has changed. */
function take(
  table: Table,
  account: PlatformAccount,
  { now, maxPerHour }: Asking,
  ended: readonly Bucket[],
): Promise<WriteOutcome> {
  const { set, freed, unchanged } = removalOf(ended);
  return updateItem(table, capKeyOf(account), {
    set: { ...attributesOf({ now, maxPerHour }), ...set },
    add: { [bucketNameAt(now)]: 1, total: 1 - freed },
    if: { ...unchanged, total: anyOf(absent, lessThan(maxPerHour + freed)) },
  });
}

/**
 * Removes ended buckets to keep the item small. Only the reservation that begins a bucket does so, to keep workers from doing it
 * at the same time.
 */
async function removeEnded(table: Table, account: PlatformAccount, item: Item, now: number): Promise<void> {
  if (item[bucketNameAt(now)] !== 1) return;
  const ended = endedAt(bucketsOf(item), now);
  if (ended.length < mostEnded) return;
  const { set, freed, unchanged } = removalOf(ended.slice(0, removedAtOnce));
  await updateItem(table, capKeyOf(account), { set, add: { total: -freed }, if: unchanged });
}

/** Returns the update that removes these buckets and subtracts exactly their counts. */
function removalOf(buckets: readonly Bucket[]) {
  return {
    set: Object.fromEntries(buckets.map(({ name }) => [name, removed])),
    freed: countOf(buckets),
    unchanged: Object.fromEntries(buckets.map(({ name, count }) => [name, count])),
  };
}

/**
 * Estimates the time at which the last waiting private reply is sent, in epoch milliseconds, if no other comments come first.
 * Reads eventually consistently, because the result is for people.
 *
 * @param options.waiting the number of waiting replies
 * @param options.now epoch milliseconds
 */
export async function readCapWaitEnd(
  table: Table,
  account: PlatformAccount,
  { waiting, now }: { readonly waiting: number; readonly now: number },
): Promise<number> {
  const item = (await getItem(table, capKeyOf(account), { isEventual: true })) ?? {};
  const buckets = bucketsOf(item);
  const counting = buckets.slice(endedAt(buckets, now).length);
  return waitEndOf(counting, { waiting, maxPerHour: Number(item['maxPerHour'] ?? waiting), now });
}

/** The private replies reserved within two minutes. */
interface Bucket {
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
const bucketNameAt = (now: number): string => `b${Math.floor(now / bucketMs)}`;

/** Returns the buckets of a stored cap, oldest first. */
function bucketsOf(item: Readonly<Record<string, unknown>>): Bucket[] {
  const buckets = Object.entries(item).flatMap(([name, count]) => {
    const number = pattern.exec(name)?.[1];
    if (number === undefined) return [];
    const endMs = (Number(number) + 1) * bucketMs;
    return [{ name, count: Number(count), freeMs: endMs + hourMs + lateMs }];
  });
  return buckets.sort((one, other) => one.freeMs - other.freeMs);
}

const countOf = (buckets: readonly Bucket[]): number => buckets.reduce((sum, { count }) => sum + count, 0);

/** Returns the buckets that no longer count. @param now epoch milliseconds */
const endedAt = (buckets: readonly Bucket[], now: number): Bucket[] =>
  buckets.filter(({ freeMs }) => freeMs <= now);

/**
 * Returns the time at which a reply that finds the cap full should try again: while a bucket ends, chosen with a probability in
 * proportion to the places that it frees.
 *
 * @param buckets the buckets that still count, oldest first
 * @param chance a number in [0, 1)
 * @returns epoch milliseconds; `undefined` if there are no buckets
 */
function tryAgainAt(buckets: readonly Bucket[], chance: number): number | undefined {
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
function waitEndOf(
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

/**
 * True if the platform has refused the buttons of this automation, or of two automations of the account, in the last hour.
 *
 * @param item the cap of the account's private replies, which every private reply reads anyway
 * @param now epoch milliseconds
 */
function refusesButtons(item: Item, automationId: string, now: number): boolean {
  const at = toTimestamp(now);
  const isLater = (name: string) => String(item[name] ?? '') > at;
  const isOwn = item['refusedAutomationId'] === automationId && isLater('automationRefusedUntil');
  return isOwn || isLater('withoutButtonsUntil');
}

/**
 * Records that the platform has refused the buttons of an automation's private reply and accepted the same message as text. For
 * an hour, the automation's private replies are sent without buttons. If the buttons of another automation were refused in the
 * last hour too, the automation is not the cause, and this applies to the whole account. So at most one automation is recorded.
 *
 * @param now epoch milliseconds
 */
export async function noteRefusedButtons(
  table: Table,
  account: PlatformAccount,
  { automationId, now }: { readonly automationId: string; readonly now: number },
): Promise<void> {
  const key = capKeyOf(account);
  const untilAt = toTimestamp(now + hourMs);
  const set = { refusedAutomationId: automationId, automationRefusedUntil: untilAt };
  const isNoOther = [
    { automationRefusedUntil: anyOf(absent, atMost(toTimestamp(now))) },
    { refusedAutomationId: automationId },
  ];
  // The reservation has created the item. Without it, there is no hour in which to record anything.
  const { written, item } = await updateItem(table, key, { set, if: { pk: present, [either]: isNoOther } });
  if (written || item === undefined) return;
  await updateItem(table, key, { set: { withoutButtonsUntil: untilAt }, if: { pk: present } });
}
