import { unsettledCall } from '../at-most-once/call-records.ts';
import { releaseAfterError } from '../at-most-once/release.ts';
import { isHopeless } from '../at-most-once/takes.ts';
import { secondMs } from '../kernel/clock.ts';
import { continuing } from '../kernel/continued-messages.ts';
import { targetKey } from '../table/keys.ts';
import { LeaseLostError, leaseMs, suspiciousRestMs, whileHeld } from '../table/lease.ts';
import type { Target } from '../targets/schemas.ts';
import { takeLease } from '../targets/take.ts';
import { type WorkerPorts, withCallLog } from './call-log.ts';
import { finishTarget } from './finish.ts';
import type { MetWake } from './meet-wakes.ts';
import type { PublishMessage } from './message.ts';
import { giveUp, holdLonger } from './poison-targets.ts';
import type { PublishingPorts } from './ports.ts';
import { awaitReadyCall } from './publish-ready.ts';
import { publishScheduled } from './publish-scheduled.ts';
import { reconcileTarget } from './reconcile.ts';
import { sendTakeover, takeoverSeconds } from './takeover.ts';
import { commitReserveMs } from './time-limits.ts';
import { commitWake } from './transitions.ts';
import { nearestWakes, queueDelaySeconds } from './wake.ts';
import { readWork, type Work, workOf } from './work.ts';

export type WorkOutcome = 'worked' | 'early' | 'obsolete' | 'held' | 'lost' | 'failed' | 'given up';

/**
 * Works one wake of one target: prepares it, makes it live, looks up an interrupted call or finishes it, as far as the
 * time allows. Commits a wake for the rest. Safe to run concurrently: if several workers get the same wake, one works it.
 * A target that no worker could finish for six hours is ended instead, and its message goes to the dead-letter queue.
 *
 * @param deadline epoch milliseconds by which the call must have returned
 * @param met what `meetWakes` returned for the wake
 * @throws only if an internal error occurs and the target cannot be released
 */
export async function publishTarget(
  message: PublishMessage,
  given: PublishingPorts,
  deadline: number,
  met: MetWake,
): Promise<WorkOutcome> {
  if (met.state === 'early' || met.state === 'obsolete') return met.state;
  const ports = { ...given, enqueue: continuing(message, given.enqueue) };
  const before: WorkOutcome | Before =
    met.state === 'plain' ? await workReady(message, ports, deadline, met) : { takeoverMs: 0 };
  if (typeof before === 'string') return before;
  const now = ports.now();
  const lease = await takeLease(ports.table, message, {
    ...nearestWakes(now),
    now,
    untilMs: now + leaseMs,
    writeId: ports.uniqueId(),
  });
  switch (lease.state) {
    case 'early':
      await ports.enqueue(message, queueDelaySeconds(lease.wakeMs, now));
      return 'early';
    case 'held': {
      const restMs = lease.untilMs - now;
      if (restMs < suspiciousRestMs) await ports.enqueue(message, Math.ceil(restMs / secondMs));
      return 'held';
    }
    case 'obsolete':
      return 'obsolete';
    case 'taken':
      ports.onTaken?.(lease.target);
      return workHeld(message, ports, lease, (worker) =>
        workTaken(message, worker, deadline, lease.target, before),
      );
  }
}

/** The work for a target that a worker has done before it takes the target. */
interface Before {
  /** The arrival of the message that takes over if this worker crashes, in epoch milliseconds; 0 if none was sent. */
  readonly takeoverMs: number;
  /** The target with its post, account and tokens, if they were read and nothing is in the way. */
  readonly work?: Work;
}

/**
 * Makes the last call of a target that needs nothing else, with one write before it.
 *
 * @returns {@link Before} if the target must be taken first. Then certainly no call was made
 */
async function workReady(
  message: PublishMessage,
  ports: PublishingPorts,
  deadline: number,
  { target: seen, takeoverMs, items }: Extract<MetWake, { state: 'plain' }>,
): Promise<WorkOutcome | Before> {
  const ending = new AbortController();
  try {
    const times = { deadline: deadline - commitReserveMs, ended: ending.signal };
    const ready =
      items &&
      (await awaitReadyCall(
        withCallLog(ports, () => {}),
        seen,
        items,
        times,
      ));
    if (!ready) return { takeoverMs };
    if (!('make' in ready)) return { takeoverMs, work: ready };
    ports.onTaken?.({ ...seen, attempt: seen.attempt + 1 });
    const outcome = await workHeld(message, ports, { state: 'seen', target: seen }, async (worker) => {
      await ready.make(worker);
      return 'worked';
    });
    // If nobody knows whether the write has taken effect, the lease tells.
    return outcome === 'not taken' ? { takeoverMs } : outcome;
  } finally {
    ending.abort();
  }
}

/**
 * Works a target, renews its lease meanwhile, and releases it after an error.
 *
 * @param held a target that is taken, or one that the work itself takes with its first commit
 * @returns `not taken` if an error came before that commit, or in it
 */
async function workHeld<State extends 'taken' | 'seen'>(
  message: PublishMessage,
  ports: PublishingPorts,
  { state, target }: { readonly state: State; readonly target: Target },
  work: (worker: WorkerPorts) => Promise<WorkOutcome>,
): Promise<WorkOutcome | (State extends 'seen' ? 'not taken' : never)> {
  let held = state === 'taken' ? target : undefined;
  const worker = withCallLog(ports, (committed) => {
    held = committed;
  });
  try {
    const key = targetKey(target.workspaceId, target.postId, target.accountId);
    const arm = () => sendTakeover(ports, message, takeoverSeconds);
    return await whileHeld(
      ports,
      key,
      () => held?.attempt,
      arm,
      () => work(worker),
    );
  } catch (error) {
    if (error instanceof LeaseLostError) return 'lost';
    ports.report('the work on a target failed', error);
    const latest = held;
    if (latest === undefined) return 'not taken' as State extends 'seen' ? 'not taken' : never;
    await releaseAfterError(ports, latest, error, (wakeMs) => {
      const { takes = 1, takenSince = null } = latest;
      const step = { event: 'trying again', reason: 'an error on our side' } as const;
      // A live target shows no error while it is being finished.
      const problem = {
        code: 'internal',
        text: 'trying again: an error on our side',
        retryMs: wakeMs,
      } as const;
      const shown = latest.status === 'scheduled' ? { problem } : {};
      return commitWake(worker, latest, step, wakeMs, { takes, takenSince, ...shown });
    });
    return 'failed';
  }
}

async function workTaken(
  message: PublishMessage,
  ports: WorkerPorts,
  deadline: number,
  taken: Target,
  before: Before,
): Promise<WorkOutcome> {
  if (isHopeless(taken, ports.now())) {
    await ports.sendToDeadLetters(message);
    await giveUp(ports, taken);
    return 'given up';
  }
  const isArmed = before.takeoverMs > Date.parse(taken.leaseUntil ?? '');
  const [target] = await Promise.all([
    holdLonger(ports, taken),
    isArmed ? undefined : sendTakeover(ports, message, takeoverSeconds),
  ]);
  const ending = new AbortController();
  try {
    // It has the same wake as then, so nobody has edited it since.
    const times = { deadline: deadline - commitReserveMs, ended: ending.signal };
    const work = before.work
      ? { ...before.work, target, ...times }
      : workOf(await readWork(ports, [target]), target, times);
    if (!work) return 'obsolete';
    await workPhase(ports, work);
    return 'worked';
  } finally {
    // Lambda freezes the process soon: an upload that an adapter has left running would hang.
    ending.abort();
  }
}

/** Runs what the target needs next, which follows from its state alone. */
async function workPhase(ports: WorkerPorts, work: Work): Promise<void> {
  const { target } = work;
  switch (target.status) {
    case 'scheduled':
      if (unsettledCall(target.calls) === undefined) return publishScheduled(ports, work);
      // An earlier release, which does not know the records, has scheduled it again during a deployment.
      await commitWake(ports, target, { event: 'outcome unknown' }, ports.now(), { status: 'publishing' });
      return;
    case 'publishing':
      // It is live, but its permalink is not known yet.
      if (target.publishedAt !== undefined) return finishTarget(ports, work);
      return reconcileTarget(ports, work);
    case 'published':
    case 'partial':
      return finishTarget(ports, work);
    case 'draft':
    case 'failed':
      throw new LeaseLostError(`a ${target.status} target has no work left`);
  }
}
