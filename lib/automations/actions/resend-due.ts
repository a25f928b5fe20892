import { minuteMs } from '../../kernel/clock.ts';
import { type ResendPorts, sweepMessages, untilTwiceAsLateMs } from '../../overdue/resend.ts';
import { allActionShards } from '../../table/keys.ts';
import type { AutomationAction, AutomationMessage } from '../schemas.ts';
import { StoredAction } from './item.ts';
import { messageOf, postponeSweep } from './store.ts';

/** The minimum lateness of an action. By then its message may be lost, never sent, or far back in its queue. */
const graceMs = minuteMs / 2;

export type ResendActionsPorts = ResendPorts<AutomationMessage>;

/**
 * Sends again the messages of all overdue actions that no worker has taken.
 *
 * @param deadlineMs the time at which to stop reading further pages, in epoch milliseconds
 * @returns the number of messages sent
 */
export function resendDueActions(ports: ResendActionsPorts, deadlineMs: number): Promise<number> {
  const waiting = {
    shards: allActionShards,
    graceMs,
    read: (item: Record<string, unknown>) => StoredAction.parse(item),
    postpone: postponeSweep,
    postponedMs: ({ wakeAt = '' }: AutomationAction, nowMs: number) =>
      untilTwiceAsLateMs(nowMs - Date.parse(wakeAt), graceMs),
    messageOf,
  };
  return sweepMessages(ports, waiting, deadlineMs);
}
