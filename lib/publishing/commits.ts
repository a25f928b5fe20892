import { toTimestamp } from '../kernel/clock.ts';
import type { LivePost } from '../platforms/adapter.ts';
import type { Target } from '../targets/schemas.ts';
import { type TargetChanges, updateTarget } from '../targets/store.ts';
import type { PublishingPorts } from './ports.ts';

/** Commits changes of a held target; see {@link updateTarget} for what each write is conditional on. */
export function commit(ports: PublishingPorts, held: Target, changes: TargetChanges): Promise<Target> {
  return updateTarget(ports.table, held, changes, ports.uniqueId());
}

/** Lets go of the target until the wake: the stream sets it off. */
export function commitWake(
  ports: PublishingPorts,
  held: Target,
  wakeMs: number,
  changes: TargetChanges = {},
): Promise<Target> {
  return commit(ports, held, { ...changes, wakeAt: toTimestamp(wakeMs), wakeNumber: held.wakeNumber + 1 });
}

/** Ends the target's life as failed, with certainly nothing live. The reason is what a person reads. */
export function commitFailed(ports: PublishingPorts, held: Target, error: string): Promise<Target> {
  return commit(ports, held, { status: 'failed', error, intentAt: null, wakeAt: null });
}

/** Ends it in doubt. The intent stays, so that a retry begins with the question again. */
export function commitUnknown(
  ports: PublishingPorts,
  held: Target,
  where: string,
  reason?: string,
): Promise<Target> {
  const error = `outcome unknown: check ${where} before retrying${reason ? ` (${reason})` : ''}`;
  return commit(ports, held, { status: 'failed', error, wakeAt: null });
}

/** Notes that the target is live. The lease stays, for what is left to finish. */
export function commitLive(
  ports: PublishingPorts,
  held: Target,
  live: LivePost,
  publishedMs: number,
): Promise<Target> {
  return commit(ports, held, {
    status: 'published',
    publishedAt: toTimestamp(publishedMs),
    error: null,
    ...livePostChanges(live),
  });
}

export function livePostChanges({ platformPostId, permalink }: LivePost): TargetChanges {
  return { ...(platformPostId !== null && { platformPostId }), ...(permalink !== null && { permalink }) };
}
