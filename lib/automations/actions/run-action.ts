import { automationPartition } from '../../table/keys.ts';
import type { ActionState, AutomationMessage } from '../schemas.ts';
import type { ActPorts } from './ports.ts';
import { runConversation } from './run-conversation.ts';
import { runReply } from './run-reply.ts';
import { ActionLostError, claimAction } from './store.ts';
import { leaseMs, loadWork } from './transitions.ts';

/** The state the action was left in, or `dropped`: it is at its end, not due, or somebody else's. */
export type ActionOutcome = ActionState | 'dropped';

/**
 * Works one action as far as it can be now: sends what is to be sent, asks what became of an interrupted call, or finds
 * that it has to wait. Any number of workers may be told of the same action; one of them works it. A worker that dies is
 * found by its lease, and what it may have sent is asked about and not sent again.
 */
export async function runAction(ports: ActPorts, message: AutomationMessage): Promise<ActionOutcome> {
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
