import { mapInBatches } from '../kernel/batches.ts';
import { type Clock, dayMs, minuteMs, secondMs, toTimestamp } from '../kernel/clock.ts';
import { type DueItem, endOfTime, workDuePages } from '../overdue/due-pages.ts';
import { concurrentItems } from '../overdue/resend.ts';
import { findPause, watchEveryMs } from '../pauses/manage.ts';
import { allHeldShards } from '../table/keys.ts';
import { LeaseLostError } from '../table/lease.ts';
import type { Table } from '../table/table.ts';
import { targetFromItem } from '../targets/item.ts';
import type { Target } from '../targets/schemas.ts';
import { leaveToSweep, updateTarget } from '../targets/store.ts';
import { appendEntry } from '../targets/timeline.ts';
import { holdingScope } from '../targets/wake.ts';

export interface HeldPorts {
  readonly table: Table;
  readonly now: Clock;
  readonly uniqueId: () => string;
}

/** The next look of a scope's task, with the number of looks in a row that found nothing. */
export interface NextLook {
  readonly delayMs: number;
  readonly emptyLooks: number;
}

/**
 * The number of looks after the task has found nothing, a minute apart. The index usually lags a second behind the table, and a
 * worker that read the pause before its end holds its target within the five minutes that a worker lives.
 */
const lastLooks = 10;

/** The delay of the next look. With the sweep's grace of 15 seconds, the next sweep runs it. */
const lookAgainMs = 40 * secondMs;

/** The lateness at which a wake is left to the sweep. */
const graceMs = minuteMs;

/** The maximum time for which one sweep releases targets, so that other repairs have their turn. The next sweep continues. */
const longestRunMs = 20 * secondMs;

/**
 * Checks the targets that a pause holds or has held: a repair task of the sweep. Without a pause it releases them, in order of
 * due time. While the pause lasts, it finds those whose wake has passed but was lost.
 *
 * @param emptyLooks the number of looks in a row that found nothing since the pause ended
 * @param deadlineMs epoch milliseconds after which no page is begun
 */
export async function lookAfterHeld(
  ports: HeldPorts,
  scope: string,
  { emptyLooks, deadlineMs }: { readonly emptyLooks: number; readonly deadlineMs: number },
): Promise<NextLook | undefined> {
  const { table, now } = ports;
  const untilMs = Math.min(deadlineMs, now() + longestRunMs);
  if (await findPause(table, scope)) {
    await leaveMissedToSweep(ports, scope, untilMs);
    return { delayMs: watchEveryMs, emptyLooks: 0 };
  }
  const released = await releaseHeld(ports, scope, untilMs);
  if (now() >= untilMs) return { delayMs: 0, emptyLooks: 0 };
  const looks = released > 0 ? 0 : emptyLooks + 1;
  return looks < lastLooks ? { delayMs: lookAgainMs, emptyLooks: looks } : undefined;
}

/**
 * Releases the targets that a scope holds, in order of due time. Safe to run concurrently, and more than once.
 *
 * @param deadlineMs epoch milliseconds after which no page is begun
 * @param onProgress called with the number of targets released so far
 * @returns the number of targets released
 * @throws the first error, after everything else is done
 */
export async function releaseHeld(
  ports: HeldPorts,
  scope: string,
  deadlineMs: number,
  onProgress: (released: number) => void = () => {},
): Promise<number> {
  let released = 0;
  const range = { shards: allHeldShards(scope), dueBefore: endOfTime, deadlineMs, order: 'time' } as const;
  await workDuePages(ports, range, async (page) => {
    const outcomes = await eachHeld(page, scope, (target) => release(ports, target));
    released += outcomes.filter(Boolean).length;
    onProgress(released);
  });
  return released;
}

/**
 * Moves the wake of a held target to now. If another pause holds it too, its worker holds it again.
 *
 * @returns false if it has changed since it was read
 */
export async function release({ table, now, uniqueId }: HeldPorts, held: Target): Promise<boolean> {
  const at = toTimestamp(now());
  const timeline = appendEntry(held.timeline, {
    at,
    event: 'resumed',
    attempt: held.attempt,
    calls: [],
    nextAt: at,
  });
  try {
    await updateTarget(table, held, { wakeAt: at, problem: null, resumedAt: at, timeline }, uniqueId());
    return true;
  } catch (error) {
    if (error instanceof LeaseLostError) return false;
    throw error;
  }
}

/** Releases a held target if its scope has no pause any more. */
export async function releaseIfResumed(ports: HeldPorts, target: Target): Promise<void> {
  const scope = holdingScope(target);
  if (scope === undefined || (await findPause(ports.table, scope))) return;
  await release(ports, target);
}

/** Leaves held targets with a past wake to the sweep, in case the message of their wake was lost. */
async function leaveMissedToSweep(ports: HeldPorts, scope: string, deadlineMs: number): Promise<void> {
  const overdue = toTimestamp(ports.now() - graceMs);
  const dueBefore = toTimestamp(ports.now() - dayMs);
  const range = { shards: allHeldShards(scope), dueBefore, deadlineMs };
  await workDuePages(ports, range, async (page) => {
    await eachHeld(page, scope, async (target) => {
      if ((target.wakeAt ?? '') < overdue) await leaveToSweep(ports.table, target);
    });
  });
}

/** Processes the targets of a page that are still held in the scope. @throws the first error, after all others are done */
async function eachHeld<Result>(
  page: readonly DueItem[],
  scope: string,
  work: (target: Target) => Promise<Result>,
): Promise<Result[]> {
  const errors: unknown[] = [];
  const results = await mapInBatches(page, concurrentItems, async ({ item }) => {
    try {
      const target = targetFromItem(item);
      return holdingScope(target) === scope ? [await work(target)] : [];
    } catch (error) {
      errors.push(error);
      return [];
    }
  });
  if (errors.length > 0) throw errors[0];
  return results.flat();
}
