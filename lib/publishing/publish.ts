import { unsettledCall } from '../at-most-once/call-records.ts';
import { releaseAfterError } from '../at-most-once/release.ts';
import { isHopeless } from '../at-most-once/takes.ts';
import { secondMs } from '../kernel/clock.ts';
import { continuing } from '../kernel/continued-messages.ts';
import { targetKey } from '../table/keys.ts';
import { LeaseLostError, leaseMs, suspiciousRestMs, whileHeld } from '../table/lease.ts';
import { awaitsRemoval, isTakenDown } from '../targets/removal.ts';
import type { Target } from '../targets/schemas.ts';
import { type LeaseOutcome, seeWake, takeLease } from '../targets/take.ts';
import { awaitsLatestPart, hasPartsLeft } from '../targets/thread.ts';
import { type WorkerPorts, withCallLog } from './call-log.ts';
import { finishTarget } from './finish.ts';
import type { PublishMessage } from './message.ts';
import { giveUp, holdLonger } from './poison-targets.ts';
import type { PublishingPorts } from './ports.ts';
import { publishNextPart } from './publish-next-part.ts';
import { publishScheduled } from './publish-scheduled.ts';
import { reconcileTarget } from './reconcile.ts';
import { removeTarget } from './remove.ts';
import { commitReserveMs } from './time-limits.ts';
import { commitWake } from './transitions.ts';
import { nearestWakes, wakeMessages, warmLeadMs } from './wake.ts';
import { readWork, type Work } from './work.ts';

export type WorkOutcome = 'worked' | 'early' | 'obsolete' | 'held' | 'lost' | 'failed' | 'given up';

/**
 * Works one wake of one target: prepares it, makes it live, looks up an interrupted call or finishes it, as far as the
 * time allows. Commits a wake for the rest. Safe to run concurrently: if several workers get the same wake, one works it.
 * A target that no worker could finish for six hours is ended instead, and its message goes to the dead-letter queue.
 *
 * @param deadline epoch milliseconds by which the call must have returned
 * @throws only if an internal error occurs and the target cannot be released
 */
export async function publishTarget(
  message: PublishMessage,
  given: PublishingPorts,
  deadline: number,
): Promise<WorkOutcome> {
  const ports = { ...given, enqueue: continuing(message, given.enqueue) };
  const lease = await takeWake(message, ports);
  switch (lease.state) {
    case 'early': {
      const messages = wakeMessages(message, lease.wakeMs, ports.now(), warmLeadMs);
      await Promise.all(messages.map((each) => ports.enqueue(each.message, each.delaySeconds)));
      return 'early';
    }
    case 'held': {
      const restMs = Math.max(0, lease.untilMs - ports.now());
      if (restMs < suspiciousRestMs) await ports.enqueue(message, Math.ceil(restMs / secondMs));
      return 'held';
    }
    case 'obsolete':
      return 'obsolete';
    case 'taken':
      ports.onTaken?.(lease.target);
      return workHeld(message, ports, deadline, lease.target);
  }
}

/**
 * Takes the lease of a target for a wake. Looks at the target before, because most messages that take over from a worker find
 * nothing left to do, and a read costs less than a write that is refused.
 */
async function takeWake(
  message: PublishMessage,
  { table, now, uniqueId }: PublishingPorts,
): Promise<LeaseOutcome> {
  const times = nearestWakes(now());
  const wakeMs = Date.parse(message.wakeAt ?? '');
  if (wakeMs > times.nearMs) return { state: 'early', wakeMs };
  // If the read fails, the write decides alone.
  const seen = await seeWake(table, message, times).catch(() => undefined);
  return (
    seen ?? takeLease(table, message, { ...times, now: now(), untilMs: now() + leaseMs, writeId: uniqueId() })
  );
}

/** Works a target that was taken, renews its lease meanwhile, and releases it after an error. */
async function workHeld(
  message: PublishMessage,
  ports: PublishingPorts,
  deadline: number,
  taken: Target,
): Promise<WorkOutcome> {
  let held = taken;
  const worker = withCallLog(ports, (committed) => {
    held = committed;
  });
  const key = targetKey(taken.workspaceId, taken.postId, taken.accountId);
  const arm = () => sendTakeover(ports, message);
  try {
    return await whileHeld(ports, key, taken.attempt, arm, () => workTaken(message, worker, deadline, taken));
  } catch (error) {
    if (error instanceof LeaseLostError) return 'lost';
    ports.report('the work on a target failed', error);
    const latest = held;
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
): Promise<WorkOutcome> {
  if (isHopeless(taken, ports.now())) {
    await ports.sendToDeadLetters(message);
    await giveUp(ports, taken);
    return 'given up';
  }
  const isChecked = message.checkAt !== undefined && message.checkAt > (taken.leaseUntil ?? '');
  const [target] = await Promise.all([
    holdLonger(ports, taken),
    isChecked ? undefined : sendTakeover(ports, message),
  ]);
  const ending = new AbortController();
  try {
    const work = await readWork(ports, target, {
      deadline: deadline - commitReserveMs,
      ended: ending.signal,
    });
    if (!work) {
      // The target is still there unless it was deleted too: then reads have not caught up with the transaction that stores both.
      const { takes = 1, takenSince = null } = target;
      const step = { event: 'waiting', reason: 'its post cannot be read yet' } as const;
      await commitWake(ports, target, step, ports.now() + secondMs, { takes, takenSince });
      return 'worked';
    }
    await workPhase(ports, work);
    return 'worked';
  } finally {
    // Lambda freezes the process soon: an upload that an adapter has left running would hang.
    ending.abort();
  }
}

/** The time after which the lease of a crashed worker has ended. */
const takeoverSeconds = leaseMs / secondMs + 1;

/**
 * Sends the message that takes over if this worker crashes. It arrives just after the end of the lease; if the worker
 * lives, it finds the target held, or an obsolete wake. If the queue refuses it, the work continues: after a crash, the
 * sweep would find the target a minute later.
 */
async function sendTakeover(ports: PublishingPorts, message: PublishMessage): Promise<void> {
  try {
    await ports.enqueue(message, takeoverSeconds);
  } catch (error) {
    ports.report('no takeover message was sent', error);
  }
}

/** Runs what the target needs next, which follows from its state alone. */
async function workPhase(ports: WorkerPorts, work: Work): Promise<void> {
  const { target } = work;
  if (awaitsRemoval(target)) return removeTarget(ports, work);
  if (isTakenDown(target)) throw new LeaseLostError('a target that was taken down has no work left');
  switch (target.status) {
    case 'scheduled':
      if (unsettledCall(target.calls) === undefined) return publishScheduled(ports, work);
      // An earlier release, which does not know the records, has scheduled it again during a deployment.
      await commitWake(ports, target, { event: 'outcome unknown' }, ports.now(), { status: 'publishing' });
      return;
    case 'publishing':
      if (target.publishedAt === undefined) return reconcileTarget(ports, work);
      if (!hasPartsLeft(target)) return finishTarget(ports, work);
      if (awaitsLatestPart(target)) return finishTarget(ports, work);
      return unsettledCall(target.calls) ? reconcileTarget(ports, work) : publishNextPart(ports, work);
    case 'published':
      return finishTarget(ports, work);
    case 'draft':
    case 'partial':
    case 'failed':
      throw new LeaseLostError(`a ${target.status} target has no work left`);
  }
}
