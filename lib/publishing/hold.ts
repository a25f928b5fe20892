import { secondMs, toTimestamp } from '../kernel/clock.ts';
import { pauseCheck } from '../pauses/manage.ts';
import { readPause } from '../pauses/read.ts';
import type { Pause } from '../pauses/schemas.ts';
import { pausedText } from '../pauses/scope.ts';
import type { Target } from '../targets/schemas.ts';
import { HoldRefusedError, type TargetChanges } from '../targets/store.ts';
import type { WorkerPorts } from './call-log.ts';
import { commit } from './transitions.ts';

/** Epoch milliseconds. */
interface HoldTimes {
  readonly dueMs: number;
  /** After this time the target is too late to be published. */
  readonly missedMs: number;
}

/**
 * Holds a scheduled target that a pause stops. It then costs nothing until the pause ends or it is too late to be
 * published: its only wake is that moment, and no sweep reads its shard. The commit contains a check that the pause still
 * exists, so nothing is held after the end of its pause, and what ends the pause finds everything that it held.
 *
 * A pause is no failure: the target's retries begin again when it is released.
 *
 * @param pause as last read
 * @param changes further changes to commit with it
 * @returns whether it is held; false if no pause stops it by now
 * @throws LeaseLostError if the target was taken or changed
 */
export async function holdIfPaused(
  ports: WorkerPorts,
  target: Target,
  pause: Pause | undefined,
  { dueMs, missedMs }: HoldTimes,
  changes: TargetChanges = {},
): Promise<boolean> {
  let holding = pause;
  while (holding) {
    const { scope, reason } = holding;
    const hold = { scope, dueAt: toTimestamp(dueMs), check: pauseCheck(ports, holding) };
    const waiting = {
      error: pausedText(holding),
      wakeAt: toTimestamp(missedMs + secondMs),
      failures: 0,
      firstFailureAt: null,
      limitedSince: null,
    } as const;
    try {
      await commit(ports, target, { event: 'paused', reason }, { ...changes, ...waiting }, hold);
      return true;
    } catch (error) {
      if (!(error instanceof HoldRefusedError)) throw error;
      holding = await readPause(ports.table, target);
    }
  }
  return false;
}
