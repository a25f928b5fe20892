import { longestRetryMs } from '../at-most-once/retry-policy.ts';
import { minuteMs, secondMs, toTimestamp } from '../kernel/clock.ts';
import { backoffMs } from '../kernel/retry.ts';
import type { Target } from '../targets/schemas.ts';
import { updateTarget } from '../targets/store.ts';
import type { WorkerPorts } from './call-log.ts';
import { leaseMs } from './lease.ts';
import type { PublishingPorts } from './ports.ts';
import { commitFailed, commitUnfinished, commitUnknown } from './transitions.ts';

/** Workers that died one after the other prove nothing sooner: a machine fails, a deployment goes wrong. */
const fewestTakes = 10;

/** So many may follow one another at the usual pace; from then on each holds the target for longer. */
const mostQuickTakes = 3;

const lengthening = { baseMs: 30 * secondMs, capMs: 15 * minuteMs };

/**
 * Whether a target kills or fails whoever takes it: for as long as transient failures are waited out, nobody has let go
 * of it in good order. The count is written when it is taken, so a worker that never came to say anything counts.
 *
 * @param now epoch milliseconds
 */
export function isHopeless({ takes = 0, takenSince }: Target, now: number): boolean {
  return takes > fewestTakes && takenSince !== undefined && now > Date.parse(takenSince) + longestRetryMs;
}

/**
 * Extends the lease, with jittered backoff, of a target that earlier workers failed to finish. The sweep sets it off again
 * when the lease ends: less and less often, and apart from targets that were in the same batch and died with it.
 */
export async function holdLonger(ports: PublishingPorts, target: Target): Promise<Target> {
  const { takes = 0 } = target;
  if (takes <= mostQuickTakes) return target;
  const untilMs = ports.now() + leaseMs + backoffMs(takes - mostQuickTakes, lengthening, ports.chance());
  return updateTarget(ports.table, target, { leaseUntil: toTimestamp(untilMs) }, ports.uniqueId());
}

/** Ends what nobody can work, with what is certain about it: an open last call stays a question. */
export async function giveUp(ports: WorkerPorts, target: Target): Promise<void> {
  const reason = 'an error on our side (given up after 6 hours)';
  if (target.publishedAt !== undefined) await commitUnfinished(ports, target, reason);
  else if (target.status === 'publishing')
    await commitUnknown(ports, target, `the account on ${target.platform}`, reason);
  else await commitFailed(ports, target, reason);
}
