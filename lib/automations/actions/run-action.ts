import { automationPartition } from '../../table/keys.ts';
import type { ActionState, AutomationMessage } from '../schemas.ts';
import type { ActionPorts } from './ports.ts';
import { runConversation } from './run-conversation.ts';
import { runReply } from './run-reply.ts';
import { ActionLostError, claimAction } from './store.ts';
import { leaseMs, loadWork } from './transitions.ts';

/** The action's new state, or `dropped` if it has ended, is not due, or is held by another worker. */
export type ActionOutcome = ActionState | 'dropped';

/**
 * Works one action as far as possible now: sends its next message, reconciles an interrupted call, or waits. Safe to run
 * concurrently: if several workers get the same action, one works it. If a worker crashes, its lease ends, and the next
 * worker reconciles what was sent instead of sending it again.
 */
export async function runAction(ports: ActionPorts, message: AutomationMessage): Promise<ActionOutcome> {
  const key = { pk: automationPartition(message.automationId), sk: message.action };
  const now = ports.now();
  try {
    const action = await claimAction(ports.table, key, ports.uniqueId(), { now, untilMs: now + leaseMs });
    if (!action) return 'dropped';
    const work = await loadWork(ports, action);
    if (action.kind === 'automationReply') return (await runReply({ ...work, action })).state;
    return (await runConversation({ ...work, action })).state;
  } catch (error) {
    if (error instanceof ActionLostError) return 'dropped';
    throw error;
  }
}
