import { longestRetryMs } from '../at-most-once/retry-policy.ts';
import { minuteMs, secondMs, toTimestamp } from '../kernel/clock.ts';
import { backoffMs } from '../kernel/retry.ts';
import { leaseMs } from '../table/lease.ts';
import type { Target } from '../targets/schemas.ts';
import { updateTarget } from '../targets/store.ts';
import type { WorkerPorts } from './call-log.ts';
import type { PublishingPorts } from './ports.ts';
import { commitFailed, commitUnfinished, commitUnknown } from './transitions.ts';

/** Fewer failed workers in a row prove nothing: a machine can fail, or a deployment can be bad. */
const minTakes = 10;

/** After this many takes in a row, each further one gets a longer lease. */
const takesWithUsualLease = 3;

const leaseBackoff = { baseMs: 30 * secondMs, capMs: 15 * minuteMs };

/**
 * Whether a target crashes or fails every worker that takes it: more than ten takes in a row, over more than six hours,
 * ended without a commit that released the target. Each take is counted before work starts, so crashes count.
 *
 * @param now epoch milliseconds
 */
export function isHopeless({ takes = 0, takenSince }: Target, now: number): boolean {
  return takes > minTakes && takenSince !== undefined && now > Date.parse(takenSince) + longestRetryMs;
}

/** How much longer than usual a target that earlier workers failed to finish is left alone, in milliseconds. */
export function extraHoldMs({ takes = 0 }: Target, chance: number): number {
  return takes > takesWithUsualLease ? backoffMs(takes - takesWithUsualLease, leaseBackoff, chance) : 0;
}

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
  if (target.publishedAt !== undefined) await commitUnfinished(ports, target, reason);
  else if (target.status === 'publishing')
    await commitUnknown(ports, target, `the account on ${target.platform}`, reason);
  else await commitFailed(ports, target, reason);
}
