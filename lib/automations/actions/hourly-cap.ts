import { hourMs, toTimestamp } from '../../kernel/clock.ts';
import { absent, anyOf, atMost, lessThan, moreThan, present } from '../../table/condition.ts';
import { updateItem } from '../../table/items.ts';
import { messagingCapKey } from '../../table/keys.ts';
import type { Table } from '../../table/table.ts';

export type Reservation =
  /** @property isWithoutButtons whether the platform has refused buttons in this account's private replies lately */
  | { readonly state: 'granted'; readonly isWithoutButtons: boolean }
  /** @property wakeMs when to ask again, in epoch milliseconds */
  | { readonly state: 'full'; readonly wakeMs: number };

interface AccountRef {
  readonly workspaceId: string;
  readonly accountId: string;
}

/** Those who wait for the next hour come spread over so much of it: the rest is for the sweep and for newcomers. */
const spreadShare = 0.75;

/**
 * Takes one of the messages that an account may send in an hour. Its hour begins with its first message. One that is
 * taken and not used is lost.
 *
 * @param now epoch milliseconds
 * @param chance a number in [0, 1): where in the next hour this one waits
 */
export async function reserveMessage(
  table: Table,
  account: AccountRef,
  { now, most, chance }: { readonly now: number; readonly most: number; readonly chance: number },
): Promise<Reservation> {
  const key = messagingCapKey(account.workspaceId, account.accountId);
  const at = toTimestamp(now);
  const further = await updateItem(table, key, {
    add: { taken: 1 },
    if: { hourEndsAt: moreThan(at), taken: lessThan(most) },
  });
  if (further.written) return granted(further.item, now);
  const first = await updateItem(table, key, {
    set: { kind: 'messagingCap', hourEndsAt: toTimestamp(now + hourMs), taken: 1 },
    if: { hourEndsAt: anyOf(absent, atMost(at)) },
  });
  if (first.written) return granted(first.item, now);
  const { hourEndsAt, taken } = first.item ?? {};
  // Somebody else has begun the hour meanwhile. It only fills, so this comes to an end.
  if (Number(taken) < most) return reserveMessage(table, account, { now, most, chance });
  return { state: 'full', wakeMs: Date.parse(String(hourEndsAt)) + chance * spreadShare * hourMs };
}

const granted = (item: Readonly<Record<string, unknown>>, now: number): Reservation => ({
  state: 'granted',
  isWithoutButtons: String(item['withoutButtonsUntil'] ?? '') > toTimestamp(now),
});

/** For the next hour, who opens a conversation does it without buttons: the platform has just refused them. */
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
