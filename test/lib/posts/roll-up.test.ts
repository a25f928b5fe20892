import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { hourMs, toTimestamp } from '../../../lib/kernel/clock.ts';
import { newId } from '../../../lib/kernel/ids.ts';
import { listPosts } from '../../../lib/posts/list/list-posts.ts';
import type { PostFilters } from '../../../lib/posts/list/plan.ts';
import { rollUpPost } from '../../../lib/posts/roll-up.ts';
import type { Post } from '../../../lib/posts/stored/schemas.ts';
import { postStatus } from '../../../lib/posts/stored/state.ts';
import { findPost } from '../../../lib/posts/stored/store.ts';
import { unconditionally } from '../../../lib/table/condition.ts';
import { updateItem } from '../../../lib/table/items.ts';
import { postKey } from '../../../lib/table/keys.ts';
import type { Table } from '../../../lib/table/table.ts';
import { removed } from '../../../lib/table/update.ts';
import { summarise, type Target } from '../../../lib/targets/schemas.ts';
import type { PostStatus } from '../../../lib/targets/state.ts';
import { updateTarget } from '../../../lib/targets/store.ts';
import { changeTarget, openWorkspace, startMs, storePost } from '../../support/builders.ts';
import { createTestTable } from '../../support/table.ts';

let table: Table;
beforeAll(async () => {
  table = await createTestTable();
});

const inOneHour = toTimestamp(startMs + hourMs);

async function openPost(targetCount: number, changes: Partial<Post> = {}) {
  const { context } = await openWorkspace(table);
  const { workspaceId } = context;
  // None of them is due now.
  const wakeAt = inOneHour;
  const accounts = Array.from({ length: targetCount }, () => ({ accountId: newId(startMs), wakeAt }));
  const { post, targets } = await storePost(table, workspaceId, accounts, changes);
  return {
    context,
    post,
    targets,
    find: async () => {
      const found = await findPost(table, workspaceId, post.id);
      if (!found) throw new Error('the post was not found');
      return found;
    },
    rollUp: (at = startMs) => rollUpPost(table, workspaceId, post.id, at),
  };
}

/** Moves a target through these states and rolls the post up after each, as the relay does. */
async function walk(target: Target, states: readonly PostStatus[], rollUp: () => Promise<void>) {
  let held = target;
  for (const status of states) {
    held = await updateTarget(table, held, { status }, newId(startMs));
    await rollUp();
  }
}

describe('rolling a post up', () => {
  it('shows what has become of one target while another is going live', async () => {
    const { targets, find, rollUp } = await openPost(2);
    const [first, second] = targets;
    if (!first || !second) throw new Error('no targets');
    const leaseUntil = toTimestamp(startMs + 90_000);
    await updateTarget(table, second, { status: 'publishing', leaseUntil }, 'w');
    await updateTarget(
      table,
      first,
      { status: 'failed', problem: { code: 'platform_rejected', text: 'no' }, wakeAt: null },
      'w',
    );
    await rollUp();
    expect((await find()).post.targets).toMatchObject([{ status: 'failed' }, { status: 'publishing' }]);
  });

  it('writes nothing if only the time of the next try has changed', async () => {
    const { targets, find, rollUp } = await openPost(1);
    const [target] = targets;
    if (!target) throw new Error('no target');
    const failing = (minutes: number) =>
      ({ code: 'unknown', text: 'trying again', retryMs: startMs + minutes * 60_000 }) as const;
    const first = await changeTarget(table, target, { problem: failing(1) });
    await rollUp();
    await changeTarget(table, first, { problem: failing(2) });
    await rollUp();
    expect((await find()).post.version).toBe(2);
  });

  it('does not wait for a target that is being prepared', async () => {
    const { targets, find, rollUp } = await openPost(2);
    const [first, second] = targets;
    if (!first || !second) throw new Error('no targets');
    await updateTarget(table, second, { leaseUntil: toTimestamp(startMs + 90_000) }, 'w');
    await changeTarget(table, first, { status: 'published', wakeAt: null });
    await rollUp();
    expect((await find()).post.targets).toMatchObject([{ status: 'published' }, { status: 'scheduled' }]);
  });

  it('updates status, summary and the list by status from the targets', async () => {
    const { context, post, targets, find, rollUp } = await openPost(2);
    const [first] = targets;
    if (!first) throw new Error('no target');
    const live = {
      platformPostId: '17',
      permalink: 'https://instagram.com/p/17',
      publishedAt: toTimestamp(startMs),
    };
    await changeTarget(table, first, { status: 'published', ...live });
    await rollUp(startMs + 5_000);
    const found = await find();
    expect(found.post).toMatchObject({
      status: 'publishing',
      version: 2,
      updatedAt: toTimestamp(startMs + 5_000),
    });
    expect(found.post.targets[0]).toMatchObject({ status: 'published', ...live });
    const listed = (status: PostStatus) => listPosts(context, { limit: 10, status: [status] });
    expect((await listed('publishing')).posts.map(({ id }) => id)).toEqual([post.id]);
    expect((await listed('scheduled')).posts).toEqual([]);
  });

  it('puts the post into the list of what needs attention, and takes it out again', async () => {
    const { context, post, targets, rollUp } = await openPost(2);
    const [first, second] = targets;
    if (!first || !second) throw new Error('no targets');
    const waiting = async (filters: PostFilters) =>
      (await listPosts(context, { limit: 10, ...filters })).posts.map(({ id }) => id);
    expect(await waiting({ attention: true })).toEqual([]);
    const publishing = await updateTarget(table, first, { status: 'publishing' }, 'a');
    const failed = await updateTarget(table, publishing, { status: 'failed' }, 'b');
    await rollUp();
    // The other destination still waits.
    expect(await waiting({ attention: true, status: ['publishing'] })).toEqual([post.id]);
    expect(await waiting({ attention: true, sort: 'scheduledFor' })).toEqual([]);
    await updateTarget(table, failed, { status: 'scheduled' }, 'c');
    await rollUp();
    expect(await waiting({ attention: true })).toEqual([]);
    expect(await waiting({ status: ['scheduled'] })).toEqual([post.id]);
  });

  it('restores the keys of the indexes that an item of an earlier release lacks', async () => {
    const { context, post, rollUp } = await openPost(2, { scheduledFor: toTimestamp(startMs) });
    await updateItem(table, postKey(post.workspaceId, post.id), {
      set: { workspaceList: removed, statusList: `WORKSPACE#${post.workspaceId}#published` },
      if: unconditionally,
    });
    const lists: PostFilters[] = [
      { status: ['scheduled'] },
      { from: startMs },
      { platform: ['instagram'] },
      { from: startMs, accountId: [post.targets[0]?.accountId ?? ''] },
    ];
    const found = async () =>
      Promise.all(
        lists.map(async (filters) => (await listPosts(context, { limit: 10, ...filters })).posts.length),
      );
    expect(await found()).toEqual([0, 0, 0, 0]);
    await rollUp();
    expect(await found()).toEqual([1, 1, 1, 1]);
  });

  it('writes nothing if nothing visible has changed', async () => {
    const { find, rollUp } = await openPost(2);
    await rollUp(startMs + 5_000);
    expect((await find()).post).toMatchObject({ version: 1, updatedAt: toTimestamp(startMs) });
  });

  it('records the result once all targets are settled, and keeps it while one of them is retried', async () => {
    const { targets, find, rollUp } = await openPost(2);
    const [first, second] = targets;
    if (!first || !second) throw new Error('no targets');
    const result = async () => (await find()).post.settledResult;
    await updateTarget(table, first, { status: 'publishing' }, 'a');
    await rollUp();
    await updateTarget(table, { ...first, status: 'publishing' }, { status: 'published' }, 'b');
    await rollUp();
    expect(await result()).toBeUndefined();
    await updateTarget(table, second, { status: 'failed' }, 'c');
    await rollUp();
    const settled = `${first.accountId}:published ${second.accountId}:failed`;
    expect(await result()).toBe(settled);
    await updateTarget(table, { ...second, status: 'failed' }, { status: 'scheduled' }, 'd');
    await rollUp();
    expect(await result()).toBe(settled);
    await walk(second, ['publishing', 'published'], rollUp);
    expect(await result()).toBe(`${first.accountId}:published ${second.accountId}:published`);
  });

  it('corrects a status that an earlier roll-up stored from half an edit', async () => {
    const { context } = await openWorkspace(table);
    const { workspaceId } = context;
    const { post } = await storePost(table, workspaceId, [{ status: 'published' }], { status: 'draft' });
    await rollUpPost(table, workspaceId, post.id, startMs);
    expect((await findPost(table, workspaceId, post.id))?.post.status).toBe('published');
  });

  it('does nothing if the post was deleted', async () => {
    await rollUpPost(table, newId(1), newId(2), startMs);
  });

  it('keeps the order of the destinations in the request', async () => {
    const { targets, find, rollUp } = await openPost(12);
    for (const target of targets) await updateTarget(table, target, { status: 'failed' }, newId(1));
    await rollUp();
    expect((await find()).post.targets.map(({ accountId }) => accountId)).toEqual(
      targets.map(({ accountId }) => accountId),
    );
  });

  it('ends with the right status when targets change concurrently', async () => {
    const ends = fc.constantFrom<PostStatus[]>(
      ['publishing', 'published'],
      ['publishing', 'failed'],
      ['publishing', 'partial'],
      ['publishing', 'scheduled', 'failed'],
      ['failed'],
    );
    await fc.assert(
      fc.asyncProperty(fc.array(ends, { minLength: 1, maxLength: 12 }), async (paths) => {
        const { targets, find, rollUp } = await openPost(paths.length);
        await Promise.all(targets.map((target, index) => walk(target, paths[index] ?? [], rollUp)));
        const found = await find();
        expect(found.post.status).toBe(postStatus(paths.map((path) => path.at(-1) ?? 'scheduled')));
        const summaries = new Map(found.targets.map((target) => [target.accountId, summarise(target)]));
        expect(found.post.targets).toEqual(targets.map(({ accountId }) => summaries.get(accountId)));
      }),
      { numRuns: 8 },
    );
  });
});
