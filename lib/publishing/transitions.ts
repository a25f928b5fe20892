import { shortReason } from '../at-most-once/unknown-outcome.ts';
import { secondMs, toTimestamp } from '../kernel/clock.ts';
import type { LivePost } from '../platforms/contract/adapter.ts';
import type { Target } from '../targets/schemas.ts';
import { type TargetChanges, updateTarget } from '../targets/store.ts';
import { appendEntry, type TimelineEvent } from '../targets/timeline.ts';
import type { WorkerPorts } from './call-log.ts';
import { leaseMs } from './lease.ts';

/** What the timeline says of a step. */
export interface Step {
  readonly event: TimelineEvent;
  readonly reason?: string;
}

/**
 * Commits a step of a held target together with its entry in the timeline; see {@link updateTarget} for what the write
 * is conditional on.
 */
export function commit(
  ports: WorkerPorts,
  held: Target,
  step: Step,
  changes: TargetChanges,
): Promise<Target> {
  const timeline = appendEntry(held.timeline, {
    at: toTimestamp(ports.now()),
    attempt: held.attempt,
    calls: ports.takeCalls(),
    ...step,
    ...(changes.wakeAt && { nextAt: changes.wakeAt }),
  });
  // A step without a new wake goes on under the lease, which begins anew with it.
  const lease = changes.wakeAt === undefined ? { leaseUntil: toTimestamp(ports.now() + leaseMs) } : {};
  const error = changes.error ? { error: shortReason(changes.error) } : {};
  return updateTarget(ports.table, held, { ...lease, ...changes, ...error, timeline }, ports.uniqueId());
}

/** Lets go of the target until the wake: the stream sets it off. */
export function commitWake(
  ports: WorkerPorts,
  held: Target,
  step: Step,
  wakeMs: number,
  changes: TargetChanges = {},
): Promise<Target> {
  const wake = { wakeAt: toTimestamp(wakeMs), wakeNumber: held.wakeNumber + 1 };
  return commit(ports, held, step, { ...changes, ...wake });
}

/** Ends the target's life as failed, with certainly nothing live. The reason is what a person reads. */
export function commitFailed(ports: WorkerPorts, held: Target, reason: string): Promise<Target> {
  const changes = { status: 'failed', error: reason, intentAt: null, wakeAt: null } as const;
  return commit(ports, held, { event: 'failed', reason }, changes);
}

/** Ends it in doubt. The intent stays, so that a retry begins with the question again. */
export function commitUnknown(
  ports: WorkerPorts,
  held: Target,
  where: string,
  why?: string,
): Promise<Target> {
  const reason = `outcome unknown: check ${where} before retrying${why ? ` (${why})` : ''}`;
  return commit(ports, held, { event: 'failed', reason }, { status: 'failed', error: reason, wakeAt: null });
}

/** How long a live target is held back for an id or a permalink that the platform gives late. */
const addressPatienceMs = 60 * secondMs;

/**
 * The status of a target that is live since `publishedMs`: `published` once people can be shown where it is, or after
 * a minute without.
 */
export function liveStatus(
  ports: WorkerPorts,
  live: LivePost,
  publishedMs: number,
): 'publishing' | 'published' {
  const isLate = ports.now() >= publishedMs + addressPatienceMs;
  return live.permalink !== null || isLate ? 'published' : 'publishing';
}

/** Notes that the target is live. The lease stays where something is left to finish. */
export function commitLive(
  ports: WorkerPorts,
  held: Target,
  live: LivePost,
  publishedMs: number,
): Promise<Target> {
  const end = live.isFinished
    ? ({ status: 'published', wakeAt: null } as const)
    : { status: liveStatus(ports, live, publishedMs) };
  const publishedAt = toTimestamp(publishedMs);
  return commit(
    ports,
    held,
    { event: 'published' },
    { ...end, publishedAt, error: null, ...livePostChanges(live) },
  );
}

export function livePostChanges({ platformPostId, permalink }: LivePost): TargetChanges {
  return { ...(platformPostId !== null && { platformPostId }), ...(permalink !== null && { permalink }) };
}

/** Leaves a live target as it is, with the reason why its extra is missing. */
export function commitUnfinished(ports: WorkerPorts, target: Target, why: string): Promise<Target> {
  const reason = `published, but not finished: ${why}`;
  return commit(
    ports,
    target,
    { event: 'finished', reason },
    { status: 'published', wakeAt: null, error: reason },
  );
}
