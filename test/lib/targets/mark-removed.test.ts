import { beforeAll, describe, expect, it } from 'vitest';
import { minuteMs, toTimestamp } from '../../../lib/kernel/clock.ts';
import { newId } from '../../../lib/kernel/ids.ts';
import { findPost } from '../../../lib/posts/stored/store.ts';
import { LeaseLostError } from '../../../lib/table/lease.ts';
import type { Table } from '../../../lib/table/table.ts';
import { markRemoved } from '../../../lib/targets/mark-removed.ts';
import type { Target } from '../../../lib/targets/schemas.ts';
import { updateTarget } from '../../../lib/targets/store.ts';
import { startMs, storePost } from '../../support/builders.ts';
import { createTestTable } from '../../support/table.ts';

let table: Table;
beforeAll(async () => {
  table = await createTestTable();
});

const nowMs = startMs + minuteMs;
let writes = 0;

const live = { status: 'published', platformPostId: '17', publishedAt: toTimestamp(startMs) } as const;

async function openTarget(changes: Partial<Target>) {
  const { targets } = await storePost(table, newId(startMs), [{ ...live, ...changes }]);
  const [target] = targets;
  if (!target) throw new Error('no target');
  const find = async () => (await findPost(table, target.workspaceId, target.postId))?.targets[0];
  const mark = (read: Target = target) => {
    writes += 1;
    return markRemoved(table, read, nowMs, `write ${writes}`);
  };
  return { target, find, mark };
}

describe('a live target whose post is gone at the platform', () => {
  it('stays published, with the time at which that was noticed, and has no work left', async () => {
    const { mark, find } = await openTarget({ wakeAt: toTimestamp(nowMs) });
    expect(await mark()).toBe(true);
    const target = await find();
    expect(target).toMatchObject({
      status: 'published',
      platformPostId: '17',
      removedAt: toTimestamp(nowMs),
      removal: { state: 'removed', by: 'person', gone: ['17'] },
    });
    expect(target?.wakeAt).toBeUndefined();
    expect(target?.timeline.at(-1)).toMatchObject({ event: 'waiting', laterEvent: 'removed' });
  });

  it.each<[string, string[], string]>([
    ['was about to delete it', ['17'], 'service'],
    ['had not called the platform yet', [], 'person'],
  ])('was removed by whoever did it, if Herald %s', async (_when, intended, by) => {
    const removal = { state: 'requested', by: 'service', intended } as const;
    const { mark, find } = await openTarget({ removal });
    await mark();
    expect((await find())?.removal).toMatchObject({ state: 'removed', by });
  });

  it('is marked once', async () => {
    const { mark, find } = await openTarget({});
    await mark();
    const marked = await find();
    expect(await mark(marked)).toBe(true);
    expect(await mark()).toBe(false);
    expect(await find()).toEqual(marked);
  });

  it.each<[string, Partial<Target>]>([
    ['waits', { status: 'scheduled' }],
    ['is being published', { status: 'publishing' }],
    ['has failed', { status: 'failed' }],
    ['is held by a worker', { leaseUntil: toTimestamp(nowMs + 1) }],
  ])('is left alone if it %s', async (_what, changes) => {
    const { target, mark, find } = await openTarget(changes);
    expect(await mark()).toBe(false);
    expect(await find()).toEqual(target);
  });

  it('is not written any more by a worker that was held up', async () => {
    const { target, mark } = await openTarget({
      leaseUntil: toTimestamp(nowMs),
      wakeAt: toTimestamp(startMs),
    });
    await mark();
    await expect(updateTarget(table, target, { permalink: 'https://x' }, 'late')).rejects.toThrow(
      LeaseLostError,
    );
  });
});
