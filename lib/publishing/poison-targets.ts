import { longestRetryMs } from '../at-most-once/retry-policy.ts';
import { minuteMs, secondMs, toTimestamp } from '../kernel/clock.ts';
import { backoffMs } from '../kernel/retry.ts';
import type { Target } from '../targets/schemas.ts';
import { updateTarget } from '../targets/store.ts';
import type { WorkerPorts } from './call-log.ts';
import { leaseMs } from './lease.ts';
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

/**
 * Extends the lease, with jittered backoff, of a target that earlier workers failed to finish. The sweep retries it when
 * the lease ends: at growing intervals, and apart from targets of the same batch that its crash took down.
 */
export async function holdLonger(ports: PublishingPorts, target: Target): Promise<Target> {
  const { takes = 0 } = target;
  if (takes <= takesWithUsualLease) return target;
  const untilMs =
    ports.now() + leaseMs + backoffMs(takes - takesWithUsualLease, leaseBackoff, ports.chance());
  return updateTarget(ports.table, target, { leaseUntil: toTimestamp(untilMs) }, ports.uniqueId());
}

/** Ends a target that no worker can finish. If its go-live call has no outcome yet, the outcome is reported as unknown. */
export async function giveUp(ports: WorkerPorts, target: Target): Promise<void> {
  const reason = 'an error on our side (given up after 6 hours)';
  if (target.publishedAt !== undefined) await commitUnfinished(ports, target, reason);
  else if (target.status === 'publishing')
    await commitUnknown(ports, target, `the account on ${target.platform}`, reason);
  else await commitFailed(ports, target, reason);
}
