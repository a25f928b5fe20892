import { secondMs } from '../kernel/clock.ts';
import { LeaseLostError } from '../table/lease.ts';
import type { Target } from '../targets/schemas.ts';
import type { WorkerPorts } from './call-log.ts';
import { extraHoldMs } from './poison-targets.ts';
import { commitWake } from './transitions.ts';

/** After an internal error, such as a failed read of the table, another try comes this soon. */
const soonMs = 2 * secondMs;

/**
 * Releases a target after an internal error, and commits a wake about two seconds later; later if the same target has
 * failed its workers before. Its takes keep counting, so that a target that always fails ends after six hours.
 *
 * @param latest the target after the worker's last commit
 * @throws the error, if the target cannot be released: its lease then ends by itself
 */
export async function releaseAfterError(ports: WorkerPorts, latest: Target, error: unknown): Promise<void> {
  ports.report('the work on a target failed', error);
  const { takes, takenSince } = latest;
  const wakeMs = ports.now() + soonMs + extraHoldMs(latest, ports.chance());
  const step = { event: 'trying again', reason: 'an error on our side' } as const;
  try {
    await commitWake(ports, latest, step, wakeMs, { takes: takes ?? 1, takenSince: takenSince ?? null });
  } catch (releaseError) {
    if (releaseError instanceof LeaseLostError) return;
    throw error;
  }
}
