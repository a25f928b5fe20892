import { LeaseLostError, takeLease } from '../targets/store.ts';
import { type WorkerPorts, withCallLog } from './call-log.ts';
import { finishTarget } from './finish.ts';
import { commitReserveMs, leaseMs } from './lease.ts';
import { loadWork, type Work } from './load-work.ts';
import type { PublishMessage } from './message.ts';
import { giveUp, holdLonger, isHopeless } from './poison-targets.ts';
import type { PublishingPorts } from './ports.ts';
import { publishScheduled } from './publish-scheduled.ts';
import { reconcileTarget } from './reconcile.ts';
import { waitInPlaceMs } from './step-failure.ts';
import { queueDelaySeconds, schedulerPrecisionMs } from './wake.ts';

export type WorkOutcome = 'worked' | 'early' | 'obsolete' | 'held' | 'lost' | 'given up';

/**
 * Works one wake of one target: prepares it, makes it live, reconciles an interrupted call or finishes it, as far as the
 * time allows. Commits a wake for the rest. Safe to run concurrently: if several workers get the same wake, one works it.
 * A target that no worker could finish for six hours is ended instead, and its message goes to the dead-letter queue.
 *
 * @param deadline epoch milliseconds by which the call must have returned
 */
export async function publishTarget(
  message: PublishMessage,
  ports: PublishingPorts,
  deadline: number,
): Promise<WorkOutcome> {
  const now = ports.now();
  const lease = await takeLease(ports.table, message, {
    now,
    nearMs: now + waitInPlaceMs,
    preparableMs: now + schedulerPrecisionMs + waitInPlaceMs,
    untilMs: now + leaseMs,
    writeId: ports.uniqueId(),
  });
  if (lease.state === 'early') {
    await ports.enqueue(message, queueDelaySeconds(lease.wakeMs, now));
    return 'early';
  }
  if (lease.state !== 'taken') return lease.state;
  ports.onTaken?.(lease.target);
  try {
    if (isHopeless(lease.target, now)) {
      await ports.sendToDeadLetters(message);
      await giveUp(withCallLog(ports), lease.target);
      return 'given up';
    }
    const target = await holdLonger(ports, lease.target);
    const work = await loadWork(ports, target, deadline - commitReserveMs);
    if (!work) return 'obsolete';
    await workPhase(withCallLog(ports), work);
    return 'worked';
  } catch (error) {
    if (error instanceof LeaseLostError) return 'lost';
    throw error;
  }
}

/** Runs what the target needs next, which follows from its state alone. */
function workPhase(ports: WorkerPorts, work: Work): Promise<void> {
  switch (work.target.status) {
    case 'scheduled':
      return publishScheduled(ports, work);
    case 'publishing':
      // It is live, but its permalink is not known yet.
      if (work.target.publishedAt !== undefined) return finishTarget(ports, work);
      return reconcileTarget(ports, work);
    case 'published':
    case 'partial':
      return finishTarget(ports, work);
    case 'draft':
    case 'failed':
      throw new LeaseLostError(`a ${work.target.status} target has no work left`);
  }
}
