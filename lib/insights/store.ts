import type { Account } from '../accounts/schemas.ts';
import { unsettledCall } from '../at-most-once/call-records.ts';
import { type Clock, dayMs, hourMs, minuteMs, secondMs, toTimestamp } from '../kernel/clock.ts';
import { absent, anyOf, lessThan, present } from '../table/condition.ts';
import { getItem, putIfAbsent, updateItem } from '../table/items.ts';
import {
  accountKey,
  accountNumbersKey,
  type Key,
  numbersRetryShard,
  postNumbersKey,
  targetKey,
} from '../table/keys.ts';
import type { Table } from '../table/table.ts';
import { checkPart, transact, updatePart } from '../table/transaction.ts';
import { type ItemUpdate, ifAbsent, removed } from '../table/update.ts';
import { targetFromItem } from '../targets/item.ts';
import { markRemoved } from '../targets/mark-removed.ts';
import { livePartsOf } from '../targets/thread.ts';
import {
  attributeOf,
  keptUntilSeconds,
  type LiveTarget,
  lastAskedMs,
  type NumbersRow,
  numbersFromItem,
  numbersItem,
  type Reading,
} from './numbers-row.ts';
import type { Age } from './schemas.ts';

/** The time after going live at which a target's row is so late that its first reading could be missed. */
const lateRowMs = 50 * minuteMs;

/**
 * Notes a destination that has gone live, so that its numbers are read. Idempotent. One that is noted late is looked at at once: the
 * time of its first reading may have passed.
 */
export async function noteLive(table: Table, target: LiveTarget, now: number): Promise<void> {
  const item = numbersItem(target);
  const isLate = now - Date.parse(target.publishedAt) > lateRowMs;
  await putIfAbsent(table, isLate ? { ...item, dueShard: numbersRetryShard, dueAt: toTimestamp(now) } : item);
}

/** The fields of a row's place among those that wait for nothing but their age. */
export const restingPlace = (target: LiveTarget): Pick<NumbersRow, 'dueAt' | 'dueShard'> => {
  const { dueAt, dueShard } = numbersItem(target);
  return { dueAt: String(dueAt), dueShard: String(dueShard) };
};

/**
 * Stores a reading of an age. The first one stays: a repeated or late one changes nothing. Does nothing if the row is gone, because
 * the account was disconnected meanwhile.
 *
 * @param options.isAnnounced true if somebody receives the event
 * @param options.isRetried true if the row waits for another try, which is over
 * @returns the row as it is now; `undefined` if this reading was not stored
 */
export async function storeReading(
  table: Table,
  target: LiveTarget,
  age: Age,
  reading: Reading,
  { isAnnounced, isRetried }: { readonly isAnnounced: boolean; readonly isRetried: boolean },
): Promise<NumbersRow | undefined> {
  const attribute = attributeOf(age);
  const { written, item } = await updateItem(table, postNumbersKey(target), {
    set: {
      [attribute]: reading,
      ...(target.as === 'organization' && { as: target.as }),
      expiresAtSeconds: keptUntilSeconds(target, Date.parse(target.publishedAt)),
      ...(isAnnounced && { status: 'told' }),
      ...(isRetried && { ...restingPlace(target), failures: removed }),
    },
    if: { pk: present, [attribute]: absent },
  });
  return written && item ? numbersFromItem(item) : undefined;
}

/**
 * Stores a reading that a client has asked for. An older one never replaces a newer one. A row that does not exist is made, unless the
 * account was disconnected since it was read.
 *
 * @param row the row as read
 * @returns the row as it is now; `undefined` if the reading was not stored
 */
export async function storeFresh(
  table: Table,
  { workspaceId, id, connectedAt }: Pick<Account, 'workspaceId' | 'id' | 'connectedAt'>,
  target: LiveTarget,
  reading: Reading,
  row: NumbersRow | undefined,
): Promise<NumbersRow | undefined> {
  const { pk: _pk, sk: _sk, ...made } = numbersItem(target);
  const until = keptUntilSeconds(target, Date.parse(reading.at));
  // Until its first reading, a row has the time of the kind of account whose numbers are kept longest.
  const isFirst = row !== undefined && lastAskedMs(row) === 0;
  const update: ItemUpdate = {
    set: {
      ...Object.fromEntries(Object.entries(made).map(([name, value]) => [name, ifAbsent(value)])),
      expiresAtSeconds: isFirst ? until : ifAbsent(until),
      rNow: reading,
      nowAt: reading.at,
    },
    if: { nowAt: anyOf(absent, lessThan(reading.at)) },
  };
  const outcome = await transact(table, [
    updatePart(table, postNumbersKey(target), update),
    checkPart(table, accountKey(workspaceId, id), { connectedAt, disconnectedAt: absent }),
  ]);
  if (!outcome.committed) return undefined;
  const item = await getItem(table, postNumbersKey(target));
  return item && numbersFromItem(item);
}

/** The failures in a row after which a reading is given up: about two days. */
export const mostFailures = 12;
const firstWaitMs = 15 * minuteMs;
const longestWaitMs = 6 * hourMs;

/** Returns the wait before the next try. @param failures those before this one */
export const retryWaitMs = (failures: number): number => Math.min(longestWaitMs, firstWaitMs * 2 ** failures);

/** Puts a row that could not be read aside, for another try. */
export async function putOff(table: Table, key: Key, dueMs: number): Promise<void> {
  await updateItem(table, key, {
    set: { dueShard: numbersRetryShard, dueAt: toTimestamp(dueMs) },
    add: { failures: 1 },
    if: { pk: present },
  });
}

/** Puts a row back among those that wait for their age. */
export async function rest(table: Table, target: LiveTarget): Promise<void> {
  await updateItem(table, postNumbersKey(target), {
    set: { ...restingPlace(target), failures: removed },
    if: { pk: present, dueShard: numbersRetryShard },
  });
}

interface GonePorts {
  readonly table: Table;
  readonly now: Clock;
  readonly uniqueId: () => string;
}

/**
 * Notes that a platform does not have a post any more: marks its target, then its row. Of a thread only the first part was looked at,
 * so the target of one is left alone, also if it is unknown whether the next part is live.
 *
 * @returns the row as it is now, `undefined` if there is none; `busy` if the target is being worked on, so that the post must be looked
 *   at again
 */
export async function noteGone(
  { table, now, uniqueId }: GonePorts,
  target: LiveTarget,
): Promise<NumbersRow | 'busy' | undefined> {
  const item = await getItem(table, targetKey(target.workspaceId, target.postId, target.accountId));
  const stored = item && targetFromItem(item);
  const isOfTarget =
    stored?.platformPostId === target.platformPostId &&
    livePartsOf(stored).length <= 1 &&
    unsettledCall(stored.calls) === undefined;
  if (isOfTarget && !(await markRemoved(table, stored, now(), uniqueId()))) return 'busy';
  const { written, item: row } = await updateItem(table, postNumbersKey(target), {
    set: { goneAt: ifAbsent(toTimestamp(now())), ...restingPlace(target), failures: removed },
    if: { pk: present },
  });
  return written && row ? numbersFromItem(row) : undefined;
}

/** Returns the day of a time, in UTC. */
export const dayOf = (epochMs: number): string => toTimestamp(epochMs).slice(0, 'YYYY-MM-DD'.length);

/** The time for which the count of an account's requests of a day is kept. */
const countKeptMs = 2 * dayMs;

/** Counts a client's question about a post of an account. @returns false if there were too many on this day, in UTC */
export async function takeRequest(
  table: Table,
  { workspaceId, id }: Pick<Account, 'workspaceId' | 'id'>,
  now: number,
  most: number,
): Promise<boolean> {
  const { written } = await updateItem(table, accountNumbersKey(workspaceId, id, dayOf(now)), {
    set: { kind: 'accountNumbers', expiresAtSeconds: ifAbsent(Math.ceil((now + countKeptMs) / secondMs)) },
    add: { requests: 1 },
    if: { requests: anyOf(absent, lessThan(most)) },
  });
  return written;
}

/** Returns the target of a row. */
export function targetOf(row: NumbersRow): LiveTarget {
  const { workspaceId, postId, accountId, publishedAt, platform, platformPostId, isStory = false, as } = row;
  return { workspaceId, postId, accountId, publishedAt, platform, platformPostId, isStory, as };
}
