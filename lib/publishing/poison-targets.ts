import { unsettledCall } from '../at-most-once/call-records.ts';
import { extraHoldMs } from '../at-most-once/takes.ts';
import { toTimestamp } from '../kernel/clock.ts';
import { leaseMs } from '../table/lease.ts';
import { awaitsRemoval } from '../targets/removal.ts';
import type { Target } from '../targets/schemas.ts';
import { updateTarget } from '../targets/store.ts';
import { hasPartsLeft } from '../targets/thread.ts';
import type { WorkerPorts } from './call-log.ts';
import type { PublishingPorts } from './ports.ts';
import { failRemoval } from './remove.ts';
import { commitFailed, commitUnfinished, commitUnknown } from './transitions.ts';

/**
 * Extends the lease, with jittered backoff, of a target that earlier workers failed to finish. If this worker crashes too,
 * the next try comes when the lease ends: at growing intervals, and apart from targets of the same batch that its crash
 * took down.
 */
export async function holdLonger(ports: PublishingPorts, target: Target): Promise<Target> {
  const extraMs = extraHoldMs(target, ports.chance());
  if (extraMs === 0) return target;
  const untilMs = ports.now() + leaseMs + extraMs;
  return updateTarget(ports.table, target, { leaseUntil: toTimestamp(untilMs) }, ports.uniqueId());
}

/** Ends a target that no worker can finish. If its last call has no outcome yet, the outcome is reported as unknown. */
export async function giveUp(ports: WorkerPorts, target: Target): Promise<void> {
  const reason = 'an error on our side (given up after 6 hours)';
  if (awaitsRemoval(target)) return failRemoval(ports, target, { code: 'internal', text: reason });
  const isMidThread = hasPartsLeft(target);
  if (target.publishedAt !== undefined && !isMidThread) await commitUnfinished(ports, target, reason);
  else if (target.status === 'publishing' && (!isMidThread || unsettledCall(target.calls)))
    await commitUnknown(ports, target, `the account on ${target.platform}`, reason);
  else await commitFailed(ports, target, { code: 'internal', text: reason });
}
