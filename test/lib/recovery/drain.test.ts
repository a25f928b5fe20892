import { beforeEach, describe, expect, it } from 'vitest';
import { minuteMs, secondMs, toTimestamp } from '../../../lib/kernel/clock.ts';
import { newId } from '../../../lib/kernel/ids.ts';
import { putRepairTask } from '../../../lib/overdue/repair-tasks.ts';
import { findPost } from '../../../lib/posts/stored/store.ts';
import type { PublishMessage } from '../../../lib/publishing/message.ts';
import { sweepOverdue } from '../../../lib/recovery/sweep.ts';
import { batchPut } from '../../../lib/table/batch-write.ts';
import type { Table } from '../../../lib/table/table.ts';
import { targetItem } from '../../../lib/targets/item.ts';
import type { Target } from '../../../lib/targets/schemas.ts';
import { updateTarget } from '../../../lib/targets/store.ts';
import { takeLease } from '../../../lib/targets/take.ts';
import { aTarget, startMs, storePost } from '../../support/builders.ts';
import { sweepPorts, takingAll } from '../../support/sweep.ts';
import { createTestTable } from '../../support/table.ts';

let table: Table;
beforeEach(async () => {
  table = await createTestTable();
});

/** Stores targets of one workspace, all in the same shard. Each is due a second after the one before. */
async function storeTargets(count: number, firstMs = startMs): Promise<Target[]> {
  const workspaceId = newId(startMs);
  const targets = Array.from({ length: count }, (_, index) => {
    const wakeAt = toTimestamp(firstMs + index * secondMs);
    // The shard follows from the last four digits.
    const postId = `${newId(startMs).slice(0, -4)}0000`;
    return aTarget({ workspaceId, postId, scheduledFor: wakeAt, wakeAt });
  });
  await batchPut(table, targets.map(targetItem));
  return targets;
}

/** Sweeps this long after the start. The clock moves with each page. @returns the messages in order */
async function sweep(afterMs: number, { pageMs = 0, budgetMs = minuteMs, isRefused = false } = {}) {
  const messages: PublishMessage[] = [];
  let now = startMs + afterMs;
  const deadlineMs = now + budgetMs;
  const ports = {
    ...sweepPorts(table, () => now),
    enqueueAll: async (given: readonly PublishMessage[]) => {
      now += pageMs;
      return isRefused ? new Set(given) : takingAll(messages)(given);
    },
  };
  const count = await sweepOverdue(ports, deadlineMs);
  return { messages, count, ids: messages.map(({ postId }) => postId) };
}

const idsOf = (targets: readonly Target[]) => targets.map(({ postId }) => postId);

describe('a sweep', () => {
  it('sends one message for each overdue target, page by page, the longest overdue first', async () => {
    const targets = await storeTargets(350);
    const { ids } = await sweep(10 * minuteMs);
    expect(ids.toSorted()).toEqual(idsOf(targets).toSorted());
    // Two pages of a hundred are worked at the same time.
    expect(idsOf(targets).slice(0, 200)).toEqual(expect.arrayContaining(ids.slice(0, 100)));
  });

  it('leaves a target alone until the next sweep after it has sent its message', async () => {
    const targets = await storeTargets(3);
    await sweep(2 * minuteMs);
    expect((await sweep(3 * minuteMs - 5 * secondMs)).ids).toEqual([]);
    expect((await sweep(3 * minuteMs)).ids.toSorted()).toEqual(idsOf(targets).toSorted());
  });

  it('ends at its deadline, and the next one begins with the rest', async () => {
    const targets = await storeTargets(350);
    // Each sweep begins two pages.
    const budget = { pageMs: 10 * secondMs, budgetMs: 1 };
    const [first, second] = [await sweep(10 * minuteMs, budget), await sweep(11 * minuteMs, budget)];
    expect(first.ids.toSorted()).toEqual(idsOf(targets).slice(0, 200).toSorted());
    expect(second.ids).toEqual(expect.arrayContaining(idsOf(targets).slice(200)));
  });

  it('serves a tenant with few targets first, although another has a large, older backlog', async () => {
    await storeTargets(400, startMs - 60 * minuteMs);
    const few = await storeTargets(3);
    const { ids } = await sweep(minuteMs);
    expect(ids).toHaveLength(403);
    expect(Math.max(...idsOf(few).map((id) => ids.indexOf(id)))).toBeLessThan(200);
  });

  it('runs repair tasks although a tenant has a large backlog', async () => {
    await storeTargets(500, startMs - 60 * minuteMs);
    const { post } = await storePost(table, newId(startMs), [{ status: 'failed' }]);
    const task = { kind: 'roll-up', workspaceId: post.workspaceId, postId: post.id } as const;
    await putRepairTask(table, task, startMs, 0);
    const { count } = await sweep(minuteMs, { pageMs: secondMs, budgetMs: 1 });
    expect(count.repairs).toBe(1);
    expect((await findPost(table, post.workspaceId, post.id))?.post.status).toBe('failed');
  });

  it('sends a message that the queue did not accept again in the next sweep, and tells operators', async () => {
    const targets = await storeTargets(3);
    expect((await sweep(minuteMs, { isRefused: true })).count).toMatchObject({ targets: 0, failures: 3 });
    expect((await sweep(2 * minuteMs)).ids.toSorted()).toEqual(idsOf(targets).toSorted());
  });

  it('sends no message twice if two sweeps run at the same time', async () => {
    const targets = await storeTargets(150);
    const swept = await Promise.all([sweep(10 * minuteMs), sweep(10 * minuteMs)]);
    expect(swept.flatMap(({ ids }) => ids).toSorted()).toEqual(idsOf(targets).toSorted());
  });

  it('does not hide the next wake of a target that it has postponed', async () => {
    const [target] = await storeTargets(1);
    if (!target) throw new Error('no target');
    await sweep(minuteMs);
    const now = startMs + minuteMs + secondMs;
    const times = { now, nearMs: now, preparableMs: now, untilMs: now + minuteMs };
    const lease = await takeLease(table, target, { ...times, writeId: newId(now) });
    if (lease.state !== 'taken') throw new Error(`the lease is ${lease.state}`);
    const wakeAt = toTimestamp(now + secondMs);
    await updateTarget(table, lease.target, { wakeAt }, newId(now));
    expect((await sweep(minuteMs + 18 * secondMs)).messages).toMatchObject([{ wakeNumber: 2 }]);
  });
});
