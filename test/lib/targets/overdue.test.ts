import { beforeAll, describe, expect, it } from 'vitest';
import { minuteMs, secondMs, toTimestamp } from '../../../lib/kernel/clock.ts';
import { newId } from '../../../lib/kernel/ids.ts';
import type { PublishMessage } from '../../../lib/publishing/message.ts';
import { sweepOverdue } from '../../../lib/recovery/sweep.ts';
import type { Table } from '../../../lib/table/table.ts';
import type { Target } from '../../../lib/targets/schemas.ts';
import { type TargetChanges, updateTarget } from '../../../lib/targets/store.ts';
import { takeLease } from '../../../lib/targets/take.ts';
import { startMs, storePost } from '../../support/builders.ts';
import { sweepPorts, takingAll } from '../../support/sweep.ts';
import { createTestTable } from '../../support/table.ts';

let table: Table;
beforeAll(async () => {
  table = await createTestTable();
});

const graceMs = 15 * secondMs;
const leaseMs = minuteMs;

/** A target whose wake is at the start, and whose lease a worker takes at that time. */
async function openHeld(changes: Partial<Target> = {}) {
  const { targets } = await storePost(table, newId(startMs), [{ wakeAt: toTimestamp(startMs), ...changes }]);
  const [target] = targets;
  if (!target) throw new Error('no target');
  const lease = await takeLease(table, target, {
    now: startMs,
    nearMs: startMs,
    preparableMs: startMs,
    untilMs: startMs + leaseMs,
    writeId: newId(startMs),
  });
  if (lease.state !== 'taken') throw new Error(`the lease is ${lease.state}`);
  const held = lease.target;
  return {
    commit: (changes: TargetChanges) => updateTarget(table, held, changes, newId(startMs)),
    isSweptAt: async (afterMs: number): Promise<boolean> => {
      const found: PublishMessage[] = [];
      const ports = { ...sweepPorts(table, () => startMs + afterMs), enqueueAll: takingAll(found) };
      await sweepOverdue(ports, Number.POSITIVE_INFINITY);
      return found.some(({ postId }) => postId === target.postId);
    },
  };
}

describe('the sweep', () => {
  it('leaves a target to the worker that holds it, and finds it once the lease has expired', async () => {
    const { isSweptAt } = await openHeld();
    expect(await isSweptAt(leaseMs + graceMs)).toBe(false);
    expect(await isSweptAt(leaseMs + graceMs + 1)).toBe(true);
  });

  it('respects a lease that the last step has extended', async () => {
    const { commit, isSweptAt } = await openHeld();
    await commit({ leaseUntil: toTimestamp(startMs + 5 * leaseMs) });
    expect(await isSweptAt(5 * leaseMs + graceMs)).toBe(false);
    expect(await isSweptAt(5 * leaseMs + graceMs + 1)).toBe(true);
  });

  it.each<[string, number]>([
    ['soon', 1],
    ['two minutes later', 2 * minuteMs],
    ['a little later than that', 2 * minuteMs + 1],
    ['much later', 600 * minuteMs],
    ['immediately', 0],
    ['in the past', -secondMs],
  ])('finds the next wake at its time, not before: %s', async (_when, laterMs) => {
    // A first wake, and the one at the due time, would be sent a moment ahead.
    const { commit, isSweptAt } = await openHeld({ scheduledFor: toTimestamp(startMs - 2 * secondMs) });
    await commit({ wakeAt: toTimestamp(startMs + laterMs), preparation: {} });
    expect(await isSweptAt(laterMs + graceMs)).toBe(false);
    expect(await isSweptAt(laterMs + graceMs + 1)).toBe(true);
  });

  it('finds a target at its wake, however often it was postponed', async () => {
    const { targets } = await storePost(table, newId(startMs), [{ wakeAt: toTimestamp(startMs) }]);
    let [target] = targets;
    for (let minute = 0; minute < 10 && target; minute += 1) {
      const now = startMs + minute * minuteMs;
      const times = { now, nearMs: now, preparableMs: now, untilMs: now + leaseMs };
      const lease = await takeLease(table, target, { ...times, writeId: newId(now) });
      if (lease.state !== 'taken') throw new Error(`the lease is ${lease.state}`);
      const wakeAt = toTimestamp(now + minuteMs);
      target = await updateTarget(table, lease.target, { wakeAt }, newId(now));
      expect(target.dueAt).toBe(wakeAt);
    }
  });

  it('never finds a target without a wake', async () => {
    const { commit, isSweptAt } = await openHeld();
    await commit({ status: 'failed', wakeAt: null });
    expect(await isSweptAt(1_000 * minuteMs)).toBe(false);
  });

  it('finds a failed target that is retried', async () => {
    const { commit, isSweptAt } = await openHeld();
    const failed = await commit({ status: 'failed', wakeAt: null });
    const retry = { status: 'scheduled', wakeAt: toTimestamp(startMs + minuteMs) } as const;
    await updateTarget(table, failed, retry, newId(startMs));
    expect(await isSweptAt(minuteMs + graceMs + 1)).toBe(true);
  });
});
