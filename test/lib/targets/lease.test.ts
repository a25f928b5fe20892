import { beforeAll, describe, expect, it } from 'vitest';
import { toTimestamp } from '../../../lib/kernel/clock.ts';
import { newId } from '../../../lib/kernel/ids.ts';
import { ForbiddenMoveError } from '../../../lib/kernel/life-cycle.ts';
import { findPost } from '../../../lib/posts/stored/store.ts';
import { LeaseLostError } from '../../../lib/table/lease.ts';
import type { Table } from '../../../lib/table/table.ts';
import type { Target } from '../../../lib/targets/schemas.ts';
import { PostStatus, targetLifeCycle } from '../../../lib/targets/state.ts';
import { updateTarget } from '../../../lib/targets/store.ts';
import { takeLease } from '../../../lib/targets/take.ts';
import { startMs, storePost } from '../../support/builders.ts';
import { createTestTable } from '../../support/table.ts';

let table: Table;
beforeAll(async () => {
  table = await createTestTable();
});

const workspaceId = newId(startMs);
let writes = 0;
const newWrite = () => {
  writes += 1;
  return `write ${writes}`;
};

async function openTarget(changes: Partial<Target> = {}) {
  const { targets } = await storePost(table, workspaceId, [changes]);
  const [target] = targets;
  if (!target) throw new Error('no target');
  return {
    target,
    find: async () => (await findPost(table, workspaceId, target.postId))?.targets[0],
    take: (now = startMs, { writeId = newWrite(), wakeNumber = target.wakeNumber } = {}) =>
      takeLease(
        table,
        { ...target, wakeNumber },
        { now, nearMs: now + 20_000, preparableMs: now + 60_000, untilMs: now + 60_000, writeId },
      ),
  };
}

const taken = (outcome: Awaited<ReturnType<typeof takeLease>>): Target => {
  if (outcome.state !== 'taken') throw new Error(`the lease is ${outcome.state}`);
  return outcome.target;
};

describe('a lease', () => {
  it('goes to one of twenty concurrent workers', async () => {
    const { take } = await openTarget();
    const states = (await Promise.all(Array.from({ length: 20 }, () => take()))).map(({ state }) => state);
    expect(states.filter((state) => state === 'taken')).toHaveLength(1);
    expect(states.filter((state) => state === 'held')).toHaveLength(19);
  });

  it('increments the fencing token and records when it ends', async () => {
    const { take, find } = await openTarget({ attempt: 4 });
    const target = taken(await take());
    expect(target).toMatchObject({ attempt: 5, leaseUntil: toTimestamp(startMs + 60_000) });
    expect(await find()).toEqual(target);
  });

  it('may be taken shortly before the wake, but not earlier', async () => {
    const near = await openTarget({ wakeAt: toTimestamp(startMs + 20_000) });
    const far = await openTarget({ wakeAt: toTimestamp(startMs + 20_001) });
    expect((await near.take()).state).toBe('taken');
    expect(await far.take()).toEqual({ state: 'early', wakeMs: startMs + 20_001 });
  });

  it.each<[string, Partial<Target>, 'taken' | 'early']>([
    ['that is to be prepared may be taken a minute early', {}, 'taken'],
    ['whose preparation has started may not', { preparation: {} }, 'early'],
    ['that is to be retried may not', { failures: 1 }, 'early'],
    ['that is due at the wake may not', { scheduledFor: toTimestamp(startMs + 60_000) }, 'early'],
  ])('on a target %s', async (_which, changes, state) => {
    const wake = { wakeAt: toTimestamp(startMs + 60_000), scheduledFor: toTimestamp(startMs + 120_000) };
    const { take } = await openTarget({ ...wake, ...changes });
    expect((await take()).state).toBe(state);
    const later = await openTarget({ ...wake, ...changes, wakeAt: toTimestamp(startMs + 60_001) });
    expect((await later.take()).state).toBe('early');
  });

  it('expires, and can then be taken by another worker', async () => {
    const { take } = await openTarget();
    taken(await take());
    expect((await take(startMs + 59_999)).state).toBe('held');
    expect(taken(await take(startMs + 60_000)).attempt).toBe(3);
  });

  it.each<[string, Partial<Target>, number]>([
    ['with an older wake number', { wakeNumber: 3 }, 2],
    ['with a newer wake number', { wakeNumber: 3 }, 4],
  ])('is not given for a message %s', async (_what, changes, wakeNumber) => {
    const { take } = await openTarget(changes);
    expect(await take(startMs, { wakeNumber })).toEqual({ state: 'obsolete' });
  });

  it('is not given for a target without a wake or a deleted target', async () => {
    const { target, take } = await openTarget();
    await updateTarget(table, taken(await take()), { status: 'failed', wakeAt: null }, newWrite());
    expect(await take(startMs + 100_000)).toEqual({ state: 'obsolete' });
    const gone = { ...target, postId: newId(startMs) };
    const times = {
      now: startMs,
      nearMs: startMs,
      preparableMs: startMs,
      untilMs: startMs,
      writeId: newWrite(),
    };
    expect(await takeLease(table, gone, times)).toEqual({ state: 'obsolete' });
  });

  it('is recognized by its write id if the reply was lost', async () => {
    const { take } = await openTarget();
    const first = taken(await take(startMs, { writeId: 'mine' }));
    expect(await take(startMs, { writeId: 'mine' })).toEqual({ state: 'taken', target: first });
    expect((await take(startMs, { writeId: 'another' })).state).toBe('held');
  });
});

describe('a held target', () => {
  it('is changed step by step, and released with its next wake', async () => {
    const { take, find } = await openTarget();
    let held = taken(await take());
    held = await updateTarget(table, held, { preparation: { containerId: '1', '': [null] } }, newWrite());
    expect(held).toMatchObject({ leaseUntil: toTimestamp(startMs + 60_000) });
    const wakeAt = toTimestamp(startMs + 5_000);
    held = await updateTarget(table, held, { wakeAt, failures: 1 }, newWrite());
    expect(held).not.toHaveProperty('leaseUntil');
    expect(await find()).toMatchObject({
      wakeAt,
      wakeNumber: 2,
      failures: 1,
      preparation: { containerId: '1' },
    });
    expect((await take(startMs, { wakeNumber: 2 })).state).toBe('taken');
  });

  it('cannot be written by a worker that has lost the lease', async () => {
    const { take, find } = await openTarget();
    const stale = taken(await take());
    const holder = taken(await take(startMs + 60_000));
    const write = (held: Target) => updateTarget(table, held, { status: 'publishing' }, newWrite());
    await expect(write(stale)).rejects.toThrow(LeaseLostError);
    expect((await find())?.status).toBe('scheduled');
    expect((await write(holder)).status).toBe('publishing');
  });

  it('cannot be written with an outdated state or wake', async () => {
    const { take } = await openTarget();
    const held = taken(await take());
    await updateTarget(table, held, { status: 'publishing' }, newWrite());
    await expect(updateTarget(table, held, { status: 'failed' }, newWrite())).rejects.toThrow(LeaseLostError);
    const other = await openTarget();
    const early = taken(await other.take());
    await updateTarget(table, early, { wakeAt: toTimestamp(startMs) }, newWrite());
    await expect(updateTarget(table, early, { failures: 1 }, newWrite())).rejects.toThrow(LeaseLostError);
  });

  it('that was deleted cannot be written, and is not created again', async () => {
    const { target } = await openTarget();
    const gone = { ...target, postId: newId(startMs) };
    await expect(updateTarget(table, gone, { failures: 1 }, newWrite())).rejects.toThrow(LeaseLostError);
    expect(await findPost(table, workspaceId, gone.postId)).toBeUndefined();
  });

  it('accepts a repetition of the same write, and no other', async () => {
    const { take } = await openTarget();
    const held = taken(await take());
    const first = await updateTarget(table, held, { status: 'publishing' }, 'mine');
    expect(await updateTarget(table, held, { status: 'publishing' }, 'mine')).toEqual(first);
    await expect(updateTarget(table, held, { status: 'publishing' }, 'another')).rejects.toThrow(
      LeaseLostError,
    );
  });

  it('is written by one of several that read the same version', async () => {
    const { take } = await openTarget();
    const held = taken(await take());
    const outcomes = await Promise.allSettled(
      Array.from({ length: 10 }, () => updateTarget(table, held, { status: 'publishing' }, newWrite())),
    );
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  });
});

describe('a move that the life cycle does not allow', () => {
  const moves = PostStatus.options.flatMap((from) => PostStatus.options.map((to) => [from, to] as const));
  const forbidden = moves.filter(([from, to]) => from !== to && !targetLifeCycle[from].includes(to));

  it.each(forbidden)('is refused, and writes nothing: %s → %s', async (from, to) => {
    const { target, find } = await openTarget({ status: from });
    const before = await find();
    await expect(
      updateTarget(
        table,
        target,
        { status: to, problem: { code: 'platform_rejected', text: 'x' } },
        newWrite(),
      ),
    ).rejects.toThrow(new ForbiddenMoveError(`a target must not go from ${from} to ${to}`));
    expect(await find()).toEqual(before);
  });
});
