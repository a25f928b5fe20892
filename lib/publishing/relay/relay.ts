import { freeTime } from '../../calendar/free.ts';
import { type Clock, minuteMs } from '../../kernel/clock.ts';
import { putRepairTask } from '../../overdue/repair-tasks.ts';
import type { ChainMessage } from '../../posts/chain/schemas.ts';
import { rollUpPost } from '../../posts/roll-up.ts';
import type { Table } from '../../table/table.ts';
import { noteLivePost } from '../../targets/live-posts.ts';
import type { Target } from '../../targets/schemas.ts';
import type { PublishMessage } from '../message.ts';
import { planWake } from '../wake.ts';
import { type Effect, effectsOf } from './effects.ts';

/** Where effects go. Every call must be idempotent. */
export interface RelayPorts {
  readonly table: Table;
  readonly now: Clock;
  readonly enqueue: (message: PublishMessage, delaySeconds: number) => Promise<void>;
  readonly enqueueChain: (message: ChainMessage) => Promise<void>;
  /** Creates a one-off schedule for the message. Keeps an existing one as it is. */
  readonly schedule: (message: PublishMessage, atMs: number) => Promise<void>;
  /** Deletes the message's schedule. Succeeds if there is none. */
  readonly unschedule: (message: PublishMessage) => Promise<void>;
  /** Sends an effect that could not be carried out to the dead-letter queue, which raises an alarm. */
  readonly sendToDeadLetters: (effect: Effect) => Promise<void>;
}

/** A committed change of a target. `before` is absent for a new target, `after` for a deleted one. */
export interface TargetChange {
  readonly before: Target | undefined;
  readonly after: Target | undefined;
  /** When it was committed, in epoch milliseconds. */
  readonly atMs: number;
}

/** Effects that fail for this long are left to the sweep, so that they do not hold up the changes behind them. */
const patienceMs = 10 * minuteMs;

/** Runs all effects of a change. @throws an effect's error if the change must be relayed again */
export async function relayChange(change: TargetChange, ports: RelayPorts): Promise<void> {
  const effects = effectsOf(change.before, change.after);
  const outcomes = await Promise.allSettled(effects.map((effect) => relayEffect(effect, ports)));
  const isOld = ports.now() - change.atMs > patienceMs;
  for (const [index, outcome] of outcomes.entries()) {
    const effect = effects[index];
    if (outcome.status !== 'rejected') continue;
    const isLeft = isOld && effect !== undefined && (await leaveToSweep(effect, ports));
    if (!isLeft) throw outcome.reason;
  }
}

/**
 * Leaves an effect to the sweep. The sweep finds wakes and chains by itself, and an outdated schedule is harmless. For
 * the others, stores a repair task.
 *
 * @returns whether the sweep handles effects of this kind
 */
async function leaveToSweep(effect: Effect, ports: RelayPorts): Promise<boolean> {
  const { table, now } = ports;
  switch (effect.kind) {
    case 'schedule wake':
    case 'unschedule wake':
    case 'run chain':
      return true;
    case 'free time':
      await putRepairTask(table, { kind: 'free times', times: [effect.time] }, now());
      break;
    case 'roll-up':
    case 'note live post':
      await putRepairTask(table, effect, now());
      break;
    default:
      return false;
  }
  await ports.sendToDeadLetters(effect);
  return true;
}

/** Runs one effect of a committed change. @throws if it must be tried again */
async function relayEffect(effect: Effect, ports: RelayPorts): Promise<void> {
  switch (effect.kind) {
    case 'schedule wake': {
      const plan = planWake(effect.wakeMs, ports.now());
      return plan.via === 'queue'
        ? ports.enqueue(effect.message, plan.delaySeconds)
        : ports.schedule(effect.message, plan.atMs);
    }
    case 'unschedule wake':
      return planWake(effect.wakeMs, ports.now()).via === 'schedule'
        ? ports.unschedule(effect.message)
        : undefined;
    case 'free time':
      return freeTime(ports.table, effect.time);
    case 'note live post':
      return noteLivePost(ports.table, effect.livePost);
    case 'run chain':
      return ports.enqueueChain({ workspaceId: effect.workspaceId, postId: effect.postId });
    case 'roll-up':
      return rollUpPost(ports.table, effect.workspaceId, effect.postId, ports.now());
  }
}
