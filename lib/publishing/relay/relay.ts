import { freeTime } from '../../calendar/free.ts';
import { settlePlace } from '../../daily-limits/settle.ts';
import { minuteMs } from '../../kernel/clock.ts';
import { putRepairTask, type RepairTask } from '../../overdue/repair-tasks.ts';
import type { DailyLimits } from '../../platforms/contract/daily-limit.ts';
import type { ChainMessage } from '../../posts/chain/schemas.ts';
import { rollUpPost } from '../../posts/roll-up.ts';
import { isExpired } from '../../table/retention.ts';
import type { Table } from '../../table/table.ts';
import type { Target } from '../../targets/schemas.ts';
import { restoreOverdueKeys } from '../../targets/store.ts';
import { messageOf, type PublishMessage } from '../message.ts';
import { planWake, scheduleWake, type WakePorts } from '../wake.ts';
import { type Effect, effectsOf } from './effects.ts';

/** Where effects go. Every call must be idempotent. */
export interface RelayPorts extends WakePorts {
  readonly table: Table;
  /** The daily limits of the stage's apps. */
  readonly dailyLimits: DailyLimits;
  readonly enqueueChain: (message: ChainMessage) => Promise<void>;
  /** Deletes the message's schedule. Succeeds if there is none. */
  readonly unschedule: (message: PublishMessage) => Promise<void>;
  /** Tells operators that an effect could not be carried out and is left to the sweep. */
  readonly report: (effect: Effect, error: unknown) => void;
}

/** A committed change of a target. `before` is absent for a new target, `after` for a deleted one. */
export interface TargetChange {
  readonly before: Target | undefined;
  readonly after: Target | undefined;
  /** When it was committed, in epoch milliseconds. */
  readonly atMs: number;
}

/**
 * The stream repeats a change for this long if a queue does not accept its message. After that, the sweep finds its wake
 * or its chain as quickly, and the changes behind it are not held up.
 */
const queuePatienceMs = minuteMs;

/** When the sweep carries out an effect that the relay could not. */
const repairDelayMs = minuteMs;

/**
 * Runs all effects of a change. An effect that fails is left to the sweep, so that it neither holds up the changes behind
 * it nor repeats their effects. Only messages for the queues are tried again by the stream first, because they are urgent.
 *
 * @throws an effect's error if the change must be relayed again
 */
export async function relayChange(change: TargetChange, ports: RelayPorts): Promise<void> {
  if (isRemovedByTtl(change)) return;
  const all = effectsOf(change.before, change.after, ports.dailyLimits);
  // A worker divides the day by the places that it finds, so a target has its place before its wake arrives.
  const [first = [], later = []] = [true, false].map((isFirst) =>
    all.filter(({ kind }) => (kind === 'settle places') === isFirst),
  );
  const effects = [...first, ...later];
  const outcomes: PromiseSettledResult<void>[] = [];
  for (const group of [first, later])
    outcomes.push(...(await Promise.allSettled(group.map((effect) => relayEffect(effect, ports)))));
  const isOld = ports.now() - change.atMs > queuePatienceMs;
  const mustRepeat: unknown[] = [];
  for (const [index, outcome] of outcomes.entries()) {
    const effect = effects[index];
    if (outcome.status !== 'rejected' || effect === undefined) continue;
    if (isForQueue(effect, ports) && !isOld) {
      mustRepeat.push(outcome.reason);
      continue;
    }
    const task = repairOf(effect, ports);
    if (task) await putRepairTask(ports.table, task, ports.now(), repairDelayMs);
    ports.report(effect, outcome.reason);
  }
  if (mustRepeat.length > 0) throw mustRepeat[0];
}

/** What belonged to an expired target, such as its time on the calendar, has expired by itself. */
const isRemovedByTtl = ({ before, after, atMs }: TargetChange): boolean =>
  after === undefined && before !== undefined && isExpired(before, atMs);

function isForQueue(effect: Effect, { now }: RelayPorts): boolean {
  if (effect.kind === 'schedule wake') return planWake(effect.wakeMs, now()).via === 'queue';
  return effect.kind === 'run chain';
}

/**
 * The repair task for an effect that failed; `undefined` if none is needed: the sweep finds near wakes and chains by
 * itself, and an outdated schedule is harmless.
 */
function repairOf(effect: Effect, ports: RelayPorts): RepairTask | undefined {
  switch (effect.kind) {
    case 'schedule wake':
      return isForQueue(effect, ports) ? undefined : { kind: 'schedule wake', wake: effect.message };
    case 'restore overdue keys':
      return { kind: 'schedule wake', wake: messageOf(effect.target) };
    case 'free time':
      return { kind: 'free times', times: [effect.time] };
    case 'settle places':
      return { kind: 'settle places', places: [...effect.places] };
    case 'roll-up':
      return effect;
    case 'unschedule wake':
    case 'run chain':
      return undefined;
  }
}

/** Runs one effect of a committed change. @throws if it must be tried again */
async function relayEffect(effect: Effect, ports: RelayPorts): Promise<void> {
  switch (effect.kind) {
    case 'schedule wake':
      return scheduleWake(ports, effect.message, effect.wakeMs);
    case 'unschedule wake':
      return planWake(effect.wakeMs, ports.now()).via === 'schedule'
        ? ports.unschedule(effect.message)
        : undefined;
    case 'restore overdue keys':
      return restoreOverdueKeys(ports.table, effect.target);
    case 'free time':
      return freeTime(ports.table, effect.time);
    case 'settle places':
      for (const place of effect.places) await settlePlace(ports.table, place);
      return;
    case 'run chain':
      return ports.enqueueChain({ workspaceId: effect.workspaceId, postId: effect.postId });
    case 'roll-up':
      return rollUpPost(ports.table, effect.workspaceId, effect.postId, ports.now());
  }
}
