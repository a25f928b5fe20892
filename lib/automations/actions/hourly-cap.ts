import { hourMs, toTimestamp } from '../../kernel/clock.ts';
import { absent, anyOf, atMost, lessThan, moreThan, present } from '../../table/condition.ts';
import { getItem, updateItem } from '../../table/items.ts';
import { messagingCapKey } from '../../table/keys.ts';
import type { Table } from '../../table/table.ts';

/** Whether a private reply may be sent now. */
export type Reservation =
  /** @property isWithoutButtons whether the platform refused buttons in this account's private replies in the last hour */
  | { readonly state: 'granted'; readonly isWithoutButtons: boolean }
  /** @property wakeMs when to try again, in epoch milliseconds */
  | { readonly state: 'full'; readonly wakeMs: number };

interface AccountRef {
  readonly workspaceId: string;
  readonly accountId: string;
}

/** The share of the next hour over which waiting replies spread. The rest is for the sweep and for new comments. */
const spreadShare = 0.75;

/**
 * Reserves one of the private replies that an account may send in an hour. The hour begins with its first reservation. A
 * reservation that is not used is lost.
 *
 * @param options.now epoch milliseconds
 * @param options.most how many the account may send in an hour
 * @param options.chance a number in [0, 1): when in the next hour to try again
 */
export async function reserveMessage(
  table: Table,
  account: AccountRef,
  { now, maxPerHour, chance }: { readonly now: number; readonly maxPerHour: number; readonly chance: number },
): Promise<Reservation> {
  const key = messagingCapKey(account.workspaceId, account.accountId);
  const at = toTimestamp(now);
  const further = await updateItem(table, key, {
    add: { taken: 1 },
    if: { hourEndsAt: moreThan(at), taken: lessThan(maxPerHour) },
  });
  if (further.written) return granted(further.item, now);
  const first = await updateItem(table, key, {
    set: { kind: 'messagingCap', hourEndsAt: toTimestamp(now + hourMs), taken: 1, maxPerHour },
    if: { hourEndsAt: anyOf(absent, atMost(at)) },
  });
  if (first.written) return granted(first.item, now);
  const { hourEndsAt, taken } = first.item ?? {};
  // Another worker has begun the hour meanwhile. An hour only fills up, so the recursion ends.
  if (Number(taken) < maxPerHour) return reserveMessage(table, account, { now, maxPerHour, chance });
  return { state: 'full', wakeMs: Date.parse(String(hourEndsAt)) + chance * spreadShare * hourMs };
}

const granted = (item: Readonly<Record<string, unknown>>, now: number): Reservation => ({
  state: 'granted',
  isWithoutButtons: String(item['withoutButtonsUntil'] ?? '') > toTimestamp(now),
});

/**
 * About when the last of the private replies that wait has been sent, in epoch milliseconds, if no other comments come first:
 * an hour for each full cap of them, from the end of the present hour.
 */
export async function readCapWaitEnd(
  table: Table,
  { workspaceId, accountId }: AccountRef,
  { waiting, now }: { readonly waiting: number; readonly now: number },
): Promise<number> {
  const item = await getItem(table, messagingCapKey(workspaceId, accountId), { isEventual: true });
  const { hourEndsAt = toTimestamp(now), taken = 1, maxPerHour = taken } = item ?? {};
  const hours = Math.ceil(waiting / Number(maxPerHour));
  return Math.max(now, Date.parse(String(hourEndsAt))) + hours * hourMs;
}

/** Records that the platform has refused buttons: for an hour, the account's private replies are sent without them. */
export async function noteRefusedButtons(
  table: Table,
  { workspaceId, accountId }: AccountRef,
  now: number,
): Promise<void> {
  await updateItem(table, messagingCapKey(workspaceId, accountId), {
    set: { withoutButtonsUntil: toTimestamp(now + hourMs) },
    if: { pk: present },
  });
}
