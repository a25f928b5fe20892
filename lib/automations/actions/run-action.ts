import { releaseAfterError } from '../../at-most-once/release.ts';
import { extraHoldMs, isHopeless } from '../../at-most-once/takes.ts';
import { secondMs, toTimestamp } from '../../kernel/clock.ts';
import { continuing } from '../../kernel/continued-messages.ts';
import { automationPartition } from '../../table/keys.ts';
import { LeaseLostError, leaseMs, suspiciousRestMs, whileHeld } from '../../table/lease.ts';
import type { ActionState, AutomationAction, AutomationMessage } from '../schemas.ts';
import type { ActionPorts } from './ports.ts';
import { runConversation } from './run-conversation.ts';
import { runReply } from './run-reply.ts';
import { actionKey, mayBeDue, takeAction } from './store.ts';
import { commit, commitFailed, commitUnknown, commitWait } from './transitions.ts';
import { type HeldAction, loadWork } from './work.ts';

/**
 * The action's new state, or:
 * - `dropped`: it has ended, is not due, or was lost to another worker;
 * - `held`: another worker holds it;
 * - `released`: after an internal error, it is tried again soon.
 */
export type ActionOutcome = ActionState | 'dropped' | 'held' | 'released';

/**
 * Works on one action as far as possible now: sends its next message, looks up an interrupted call, or waits. Safe to run
 * concurrently: if several workers get the same action, one takes it. If a worker crashes, another takes over when the lease
 * ends, and looks up what was sent instead of sending it again.
 *
 * @throws only if an internal error occurs and the action cannot be released
 */
export async function runAction(given: ActionPorts, message: AutomationMessage): Promise<ActionOutcome> {
  const ports = { ...given, enqueue: continuing(message, given.enqueue) };
  const key = { pk: automationPartition(message.automationId), sk: message.action };
  const now = ports.now();
  if (message.isTakeover && !(await mayBeDue(ports.table, key, now))) return 'dropped';
  const taken = await takeAction(ports.table, key, { writeId: ports.uniqueId(), now });
  switch (taken.state) {
    case 'held': {
      const restMs = taken.untilMs - now;
      if (restMs < suspiciousRestMs) await ports.enqueue(message, Math.ceil(restMs / secondMs));
      return 'held';
    }
    case 'not due':
      return 'dropped';
    case 'taken':
      return workHeld(ports, message, taken.action);
  }
}

async function workHeld(
  ports: ActionPorts,
  message: AutomationMessage,
  taken: AutomationAction,
): Promise<ActionOutcome> {
  let latest = taken;
  const onCommitted = (committed: AutomationAction) => {
    latest = committed;
  };
  try {
    const held = { ports, action: taken, onCommitted };
    const arm = () => armTakeover(ports, message).catch(() => undefined);
    const worked = await whileHeld(ports, actionKey(taken), taken.attempt, arm, () =>
      workTaken(held, message),
    );
    const reason = putOffReason(worked);
    if (reason !== undefined) ports.onPutOff?.(reason);
    return worked.state;
  } catch (error) {
    if (error instanceof LeaseLostError) return 'dropped';
    ports.report('the work on an action of an automation failed', error);
    await releaseAfterError(ports, latest, error, (wakeMs) => {
      const { takes = 1, takenSince = null } = latest;
      return commitWait({ ports, action: latest, onCommitted }, wakeMs, { takes, takenSince });
    });
    return 'released';
  }
}

/** Returns the code of the reason for which an action waits; `undefined` if it does not, or only for a person. */
function putOffReason({ wakeAt, waitsFor, failures }: AutomationAction): string | undefined {
  if (wakeAt === undefined) return undefined;
  return waitsFor ?? (failures > 0 ? 'platform_unavailable' : undefined);
}

async function workTaken(taken: HeldAction, message: AutomationMessage): Promise<AutomationAction> {
  const { ports } = taken;
  if (isHopeless(taken.action, ports.now())) return giveUp(taken);
  const [action] = await Promise.all([holdLonger(taken), armTakeover(ports, message)]);
  const work = await loadWork({ ...taken, action });
  if (action.kind === 'automationReply') return runReply({ ...work, action });
  return runConversation({ ...work, action });
}

/** Extends the lease of an action that earlier workers failed to finish, with jittered backoff. */
async function holdLonger(held: HeldAction): Promise<AutomationAction> {
  const { ports, action } = held;
  const extraMs = extraHoldMs(action, ports.chance());
  if (extraMs === 0) return action;
  return commit(held, { leaseUntil: toTimestamp(ports.now() + leaseMs + extraMs) });
}

/** Ends an action that no worker can finish. */
function giveUp(held: HeldAction): Promise<AutomationAction> {
  const reason = 'an error on our side (given up after 6 hours)';
  const { state, calls = [] } = held.action;
  if (state === 'intended') return commitUnknown(held, calls, 'the account', reason);
  return commitFailed(held, { code: 'internal', text: `not sent: ${reason}` });
}

/**
 * Sends the message that takes over from a crashed worker. It arrives just after the end of the lease. If the worker
 * lives, it finds the action held or not due.
 */
function armTakeover(ports: ActionPorts, message: AutomationMessage): Promise<void> {
  return ports.enqueue({ ...message, isTakeover: true }, leaseMs / secondMs + 1);
}
