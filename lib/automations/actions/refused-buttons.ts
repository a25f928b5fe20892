import { hourMs, toTimestamp } from '../../kernel/clock.ts';
import { absent, anyOf, atMost, either, present } from '../../table/condition.ts';
import { type Item, updateItem } from '../../table/items.ts';
import type { Table } from '../../table/table.ts';
import { capKeyOf, type PlatformAccount } from './cap-item.ts';

/**
 * True if the platform has refused the buttons of this automation, or of two automations of the account, in the last hour.
 *
 * @param item the cap of the account's private replies, which every private reply reads anyway
 * @param now epoch milliseconds
 */
export function refusesButtons(item: Item, automationId: string, now: number): boolean {
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
