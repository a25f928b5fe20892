import { freeTime } from '../../calendar/free.ts';
import { type Clock, minuteMs } from '../../kernel/clock.ts';
import { putRepairTask } from '../../overdue/repair-tasks.ts';
import type { ChainMessage } from '../../posts/chain/schemas.ts';
import { rollUpPost } from '../../posts/roll-up.ts';
import type { Table } from '../../table/table.ts';
import { noteLivePost } from '../../targets/live-posts.ts';
import type { Target } from '../../targets/schemas.ts';
import type { PublishMessage } from '../message.ts';
import { armingOf } from '../wake.ts';
import { type Effect, effectsOf } from './effects.ts';

/** Where effects go. Each may be asked for the same thing again. */
export interface RelayPorts {
  readonly table: Table;
  readonly now: Clock;
  readonly enqueue: (message: PublishMessage, delaySeconds: number) => Promise<void>;
  readonly enqueueChain: (message: ChainMessage) => Promise<void>;
  /** Sets a one-off schedule for the message; one that stands already is left as it is. */
  readonly schedule: (message: PublishMessage, atMs: number) => Promise<void>;
  /** Removes the message's schedule; one that is gone is fine. */
  readonly unschedule: (message: PublishMessage) => Promise<void>;
  /** Puts what could not be carried out among the dead letters, where operators hear of it. */
  readonly setAside: (effect: Effect) => Promise<void>;
}

/** A committed change of a target: absent `before` for a new one, absent `after` where it was deleted. */
export interface TargetChange {
  readonly before: Target | undefined;
  readonly after: Target | undefined;
  /** When it was committed, in epoch milliseconds. */
  readonly atMs: number;
}

/** What cannot be carried out for so long is left to the sweep, so that it does not hold up what other changes set off. */
const patienceMs = 10 * minuteMs;

/** Carries out all that follows from a change. Throws where it has to be tried again. */
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
 * The sweep finds wakes and chains by itself, and a schedule that fires in vain is harmless; the rest is noted for it.
 *
 * @returns whether the sweep can see to an effect of this kind
 */
async function leaveToSweep(effect: Effect, ports: RelayPorts): Promise<boolean> {
  const { table, now } = ports;
  switch (effect.kind) {
    case 'arm':
    case 'disarm':
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
  await ports.setAside(effect);
  return true;
}

/** Carries out one effect of a committed change. Throws where it has to be tried again. */
async function relayEffect(effect: Effect, ports: RelayPorts): Promise<void> {
  switch (effect.kind) {
    case 'arm': {
      const arming = armingOf(effect.wakeMs, ports.now());
      return arming.via === 'queue'
        ? ports.enqueue(effect.message, arming.delaySeconds)
        : ports.schedule(effect.message, arming.atMs);
    }
    case 'disarm':
      return armingOf(effect.wakeMs, ports.now()).via === 'schedule'
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
