import { minuteMs } from '../../kernel/clock.ts';
import { sweepMessages, untilTwiceAsLateMs } from '../../overdue/resend.ts';
import { type Item, updateItem } from '../../table/items.ts';
import { allIntakeShards } from '../../table/keys.ts';
import type { ResendActionsPorts } from '../actions/resend-due.ts';
import { intakeDue } from '../store.ts';
import { heldFromItem, intakeOf, intakeOfClaim } from './held-comments.ts';

/** The minimum lateness of a held comment or a claim. By then its message may be lost. */
const graceMs = minuteMs / 2;

/**
 * Sends the messages of the held comments and of the claims that are due to be looked at.
 *
 * @param deadlineMs the time at which to stop reading further pages, in epoch milliseconds
 * @returns the number of messages sent
 */
export function resendDueIntake(ports: ResendActionsPorts, deadlineMs: number): Promise<number> {
  const waiting = {
    shards: allIntakeShards,
    graceMs,
    read: (item: Item) => item,
    postpone: async (table: ResendActionsPorts['table'], item: Item, untilMs: number) => {
      const key = { pk: String(item['pk']), sk: String(item['sk']) };
      const update = { set: intakeDue(key, untilMs), if: { dueAt: item['dueAt'] } };
      const { written, item: stored } = await updateItem(table, key, update);
      // The sweep postpones an item again once its message is sent.
      if (written) item['dueAt'] = stored['dueAt'];
      return written;
    },
    postponedMs: (item: Item, nowMs: number) =>
      untilTwiceAsLateMs(nowMs - Date.parse(String(item['dueAt'])), graceMs),
    messageOf: (item: Item) => {
      const held = item['kind'] === 'inboundComment' ? heldFromItem(item) : undefined;
      if (held) return intakeOf(held);
      const { workspaceId, accountId, automationId, sk } = item;
      const owner = { workspaceId: String(workspaceId), accountId: String(accountId) };
      return intakeOfClaim({ ...owner, automationId: String(automationId) }, String(sk));
    },
  };
  return sweepMessages(ports, waiting, deadlineMs);
}
