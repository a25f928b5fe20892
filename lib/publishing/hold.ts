import { secondMs, toTimestamp } from '../kernel/clock.ts';
import { findPause } from '../pauses/manage.ts';
import type { Pause } from '../pauses/schemas.ts';
import { pausedText } from '../pauses/scope.ts';
import type { Target } from '../targets/schemas.ts';
import type { TargetChanges } from '../targets/store.ts';
import type { WorkerPorts } from './call-log.ts';
import { commit, commitWake } from './transitions.ts';

/** Epoch milliseconds. */
interface HoldTimes {
  readonly dueMs: number;
  /** The time after which the target is too late to be published. */
  readonly missedMs: number;
}

/**
 * Holds a scheduled target that a pause stops. It then costs nothing until the pause ends or it is too late to be
 * published: its only wake is that moment, and no sweep reads its shard.
 *
 * The pause may end between its read and the commit. So it is read again after the commit, and if it has ended or was
 * replaced, the target gets its wake back. If the worker crashes before that, the task of the pause releases the target: the
 * task looks for ten minutes after the end of the pause, which is longer than a worker lives. A transaction with a check of the
 * pause would not need the second read, but thousands of workers would contend for that one item.
 *
 * A pause is no failure: the target's retries begin again when it is released.
 *
 * @param pause as last read
 * @param changes further changes to commit with it
 * @returns true if there was a pause: then the work on this wake has ended
 * @throws LeaseLostError if the target was taken or changed
 */
export async function holdIfPaused(
  ports: WorkerPorts,
  target: Target,
  pause: Pause | undefined,
  { dueMs, missedMs }: HoldTimes,
  changes: TargetChanges = {},
): Promise<boolean> {
  if (!pause) return false;
  const { scope, reason } = pause;
  const waiting = {
    problem: { code: 'paused', text: pausedText(pause) },
    wakeAt: toTimestamp(missedMs + secondMs),
    failures: 0,
    firstFailureAt: null,
    limitedSince: null,
  } as const;
  const hold = { scope, dueAt: toTimestamp(dueMs) };
  const held = await commit(ports, target, { event: 'paused', reason }, { ...changes, ...waiting }, hold);
  if ((await findPause(ports.table, scope))?.id !== pause.id)
    await commitWake(ports, held, { event: 'resumed' }, ports.now(), {
      problem: null,
      resumedAt: toTimestamp(ports.now()),
    });
  return true;
}
