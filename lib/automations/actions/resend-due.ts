import { minuteMs } from '../../kernel/clock.ts';
import { type ResendPorts, sweepMessages } from '../../overdue/resend.ts';
import { allActionShards } from '../../table/keys.ts';
import type { AutomationMessage } from '../schemas.ts';
import { StoredAction } from './item.ts';
import { messageOf, postponeSweep } from './store.ts';

export type ResendActionsPorts = ResendPorts<AutomationMessage>;

/**
 * Sends again the messages of all actions that are overdue and that no worker has taken.
 *
 * @param deadlineMs when to stop reading further pages, in epoch milliseconds
 * @returns how many messages were sent
 */
export function resendDueActions(ports: ResendActionsPorts, deadlineMs: number): Promise<number> {
  const waiting = {
    shards: allActionShards,
    graceMs: minuteMs / 2,
    read: (item: Record<string, unknown>) => StoredAction.parse(item),
    postpone: postponeSweep,
    postponedMs: 15 * minuteMs,
    messageOf,
  };
  return sweepMessages(ports, waiting, deadlineMs);
}
