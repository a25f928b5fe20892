import { freeTime } from '../../calendar/free.ts';
import { settlePlace } from '../../daily-limits/settle.ts';
import { noteLive } from '../../insights/store.ts';
import { minuteMs } from '../../kernel/clock.ts';
import { putRepairTask } from '../../overdue/repair-tasks.ts';
import { putRiskCheck } from '../../overdue/risk-checks.ts';
import type { DailyLimits } from '../../platforms/contract/daily-limit.ts';
import type { Platform } from '../../platforms/contract/names.ts';
import { rollUpPost } from '../../posts/roll-up.ts';
import type { ChainMessage } from '../../posts/stored/chain-schemas.ts';
import { countedIn, countPunctuality } from '../../punctuality/count.ts';
import { isExpired } from '../../table/retention.ts';
import type { Table } from '../../table/table.ts';
import type { Target } from '../../targets/schemas.ts';
import { restoreOverdueKeys, wakeAgain } from '../../targets/store.ts';
import { enqueueWake, planWake, type WakePorts } from '../wake.ts';
import { type AccountLimits, type Effect, effectsOf, type RemovedPost } from './effects.ts';
import type { DistantWake } from './keep-schedule.ts';
import { repairsOf } from './repair.ts';

/** The destinations of effects. Every call must be idempotent. */
export interface RelayPorts extends Pick<WakePorts, 'now' | 'enqueue'> {
  readonly table: Table;
  /** Stops the automations of a post, if it has any. */
  readonly stopAutomation: (post: RemovedPost) => Promise<void>;
  readonly enqueueChain: (message: ChainMessage) => Promise<void>;
  /** Passes an effect that needs Scheduler on to the function that asks it. */
  readonly enqueueDistant: (wake: DistantWake) => Promise<void>;
  /** Tells operators that an effect could not be carried out and is left to the sweep. */
  readonly report: (effect: Effect, error: unknown) => void;
}

/** A committed change of a target. `before` is absent for a new target, `after` for a deleted one. */
export interface TargetChange {
  readonly before: Target | undefined;
  readonly after: Target | undefined;
  /** The time of the commit, in epoch milliseconds. */
  readonly atMs: number;
}

/** The effects of a committed change. */
export interface RelayedChange {
  readonly effects: readonly Effect[];
  /** The time of the commit, in epoch milliseconds. */
  readonly atMs: number;
}

/**
 * Returns the effects of a change. Pure.
 *
 * @param limits the daily limits of the stage's apps
 * @param counted the platforms of which the stage reads numbers
 * @param accountLimits the limits of single accounts
 */
export function toRelay(
  change: TargetChange,
  limits: DailyLimits,
  counted: readonly Platform[] = [],
  accountLimits: AccountLimits = {},
): RelayedChange {
  const { before, after, atMs } = change;
  const effects = effectsOf(before, after, limits, counted, accountLimits);
  return { effects: isRemovedByTtl(change) ? effects.filter(outlivesItems) : effects, atMs };
}

/**
 * The stream repeats a change for this long if a queue does not accept its message. After that, the sweep finds its wake
 * or its chain as quickly, and the changes behind it are not held up.
 */
const queuePatienceMs = minuteMs;

/**
 * Runs all effects of the changes of a batch. A post is rolled up once. An effect that fails is left to the sweep, so that it neither
 * holds up the changes behind it nor repeats their effects. Only messages for the queues are tried again by the stream first, because
 * they are urgent.
 *
 * @returns an outcome for each change, in their order; rejected if the change must be relayed again
 */
export async function relayChanges(
  changes: readonly RelayedChange[],
  ports: RelayPorts,
): Promise<PromiseSettledResult<void>[]> {
  const failures: (unknown[] | undefined)[] = changes.map(() => undefined);
  const run = async (errand: Errand): Promise<void> => {
    try {
      await runEffect(errand.effect, ports);
    } catch (error) {
      await leaveToOthers(errand, error, changes, ports).catch((reason) => {
        for (const index of errand.changes) failures[index] = [...(failures[index] ?? []), reason];
      });
    }
  };
  const all = changes.flatMap(({ effects }, change) =>
    effects.map((effect): ChangeEffect => ({ change, effect })),
  );
  const { first = [], usual = [], last = [] } = Object.groupBy(all, ({ effect }) => turnOf(effect));
  const settled = errandsOf(first).map((errand) => ({ changes: errand.changes, done: run(errand) }));
  await Promise.all(
    errandsOf(usual).map(async (errand) => {
      const awaited = settled.filter((each) => each.changes.some((index) => errand.changes.includes(index)));
      await Promise.all(awaited.map(({ done }) => done));
      await run(errand);
    }),
  );
  await Promise.all(settled.map(({ done }) => done));
  // A change that is relayed again is counted then.
  await Promise.all(errandsOf(last.filter(({ change }) => failures[change] === undefined)).map(run));
  return failures.map((reasons) =>
    reasons === undefined
      ? { status: 'fulfilled', value: undefined }
      : { status: 'rejected', reason: reasons[0] },
  );
}

/**
 * Returns the turn of an effect. A worker divides the day by the places that it finds, so a target has its place before its wake
 * arrives.
 */
function turnOf({ kind }: Effect): 'first' | 'usual' | 'last' {
  if (kind === 'settle places') return 'first';
  return kind === 'count punctuality' ? 'last' : 'usual';
}

/** An effect of one change of a batch. */
interface ChangeEffect {
  /** The place of the change in the batch. */
  readonly change: number;
  readonly effect: Effect;
}

/** An effect that is run once for one or more changes of a batch. */
interface Errand {
  readonly effect: Effect;
  /** The places of the changes in the batch. */
  readonly changes: readonly number[];
}

/** Joins the roll-ups of a post in a batch, the checks of the same posts, and the counts of an item. Pure. Keeps the order in which the effects come. */
function errandsOf(effects: readonly ChangeEffect[]): Errand[] {
  const groups = Map.groupBy(effects, ({ effect }) => groupOf(effect) ?? effect);
  return [...groups.values()].map((group) => ({
    effect: group.map(({ effect }) => effect).reduce(joined),
    changes: group.map(({ change }) => change),
  }));
}

/** Returns the name that effects share if they are run as one; `undefined` if the effect is run alone. */
function groupOf(effect: Effect): string | undefined {
  switch (effect.kind) {
    case 'roll-up':
      return [effect.kind, effect.workspaceId, effect.postId].join(' ');
    // A bulk fills the same few days.
    case 'check posts':
      return [effect.kind, JSON.stringify(effect.subject)].join(' ');
    case 'count punctuality':
      return [effect.kind, countedIn(effect.counts[0])].join(' ');
    default:
      return undefined;
  }
}

const joined = (one: Effect, other: Effect): Effect =>
  one.kind === 'count punctuality' && other.kind === one.kind
    ? { ...one, counts: [...one.counts, ...other.counts] }
    : one;

/** Leaves an effect that failed to the stream or to the sweep. @throws its error if its changes must be relayed again */
async function leaveToOthers(
  { effect, changes: indexes }: Errand,
  error: unknown,
  changes: readonly RelayedChange[],
  ports: RelayPorts,
): Promise<void> {
  const isOld = indexes.every((index) => ports.now() - (changes[index]?.atMs ?? 0) > queuePatienceMs);
  if (isForQueue(effect, ports) && !isOld) throw error;
  const repairs = isForQueue(effect, ports) ? [] : repairsOf(effect, ports.now());
  await Promise.all(
    repairs.map(({ task, delayMs }) => putRepairTask(ports.table, task, ports.now(), delayMs)),
  );
  ports.report(effect, error);
}

/** Returns true if TTL removed the target: the items that belonged to it, such as its time on the calendar, expire by themselves. */
const isRemovedByTtl = ({ before, after, atMs }: TargetChange): boolean =>
  after === undefined && before !== undefined && isExpired(before, atMs);

/** Returns true for the effect that TTL does not make superfluous: an upload stays at the platform. */
const outlivesItems = ({ kind }: Effect): boolean => kind === 'discard upload';

/** True if only the stream tries an effect again, and no task of the sweep. */
function isForQueue(effect: Effect, { now }: RelayPorts): boolean {
  if (effect.kind === 'schedule wake') return planWake(effect.wakeMs, now()).via === 'queue';
  return effect.kind === 'run chain' || effect.kind === 'stop automation';
}

/**
 * The time from the change that abandons an upload to its deletion. A worker that has lost the target may still complete the upload:
 * its step ends within a minute.
 */
const discardDelayMs = 2 * minuteMs;

/** The time after which a removal is resumed: workers of the earlier release that has ended it may still run. */
const resumeDelayMs = minuteMs;

/** Runs one effect. @throws if it must be tried again */
async function runEffect(effect: Effect, ports: RelayPorts): Promise<void> {
  switch (effect.kind) {
    case 'schedule wake':
    case 'unschedule wake': {
      const plan = planWake(effect.wakeMs, ports.now(), effect.aheadMs);
      if (plan.via === 'schedule')
        return ports.enqueueDistant({ ...effect, workspaceId: effect.message.workspaceId });
      if (effect.kind === 'schedule wake')
        return enqueueWake(ports, effect.message, effect.wakeMs, effect.queue, effect.aheadMs);
      return;
    }
    case 'restore overdue keys':
      return restoreOverdueKeys(ports.table, effect.target);
    case 'resume removal':
      return wakeAgain(ports.table, effect.target, ports.now() + resumeDelayMs);
    case 'stop automation':
      return ports.stopAutomation(effect);
    case 'free time':
      return freeTime(ports.table, effect.time);
    case 'settle places':
      for (const place of effect.places) await settlePlace(ports.table, place);
      return;
    case 'discard upload':
      return putRepairTask(ports.table, effect, ports.now(), discardDelayMs);
    case 'check posts':
      return putRiskCheck(ports.table, effect.subject, ports.now());
    case 'note numbers':
      return noteLive(ports.table, effect.target, ports.now());
    case 'run chain':
      return ports.enqueueChain({ workspaceId: effect.workspaceId, postId: effect.postId });
    case 'count punctuality':
      return countPunctuality(ports.table, effect.counts);
    case 'roll-up':
      return rollUpPost(ports.table, effect.workspaceId, effect.postId, ports.now());
  }
}
