import { hourMs, toTimestamp } from '../../kernel/clock.ts';
import { conditionalUpdate } from '../../table/conditional-update.ts';
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
  const Key = messagingCapKey(account.workspaceId, account.accountId);
  const values = { ':one': 1, ':now': toTimestamp(now) };
  const further = await conditionalUpdate(table, {
    Key,
    UpdateExpression: 'ADD taken :one',
    ConditionExpression: 'hourEndsAt > :now AND taken < :most',
    ExpressionAttributeValues: { ...values, ':most': most },
  });
  if (further.written) return granted(further.item, now);
  const first = await conditionalUpdate(table, {
    Key,
    UpdateExpression: 'SET kind = :kind, hourEndsAt = :end, taken = :one',
    ConditionExpression: 'attribute_not_exists(hourEndsAt) OR hourEndsAt <= :now',
    ExpressionAttributeValues: { ...values, ':kind': 'messagingCap', ':end': toTimestamp(now + hourMs) },
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
  await conditionalUpdate(table, {
    Key: messagingCapKey(workspaceId, accountId),
    UpdateExpression: 'SET withoutButtonsUntil = :until',
    ConditionExpression: 'attribute_exists(pk)',
    ExpressionAttributeValues: { ':until': toTimestamp(now + hourMs) },
  });
}
