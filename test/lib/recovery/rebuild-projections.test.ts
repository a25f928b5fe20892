import { beforeAll, describe, expect, it } from 'vitest';
import { countPlanned } from '../../../lib/calendar/read.ts';
import { readDay } from '../../../lib/daily-limits/read.ts';
import { settlePlace } from '../../../lib/daily-limits/settle.ts';
import { dailyLimitsOf } from '../../../lib/platforms/registry/daily-limits.ts';
import { editPost } from '../../../lib/posts/edit.ts';
import { queryPosts } from '../../../lib/posts/list/read-page.ts';
import { removePost } from '../../../lib/posts/remove.ts';
import { rebuildProjections } from '../../../lib/recovery/rebuild-projections.ts';
import type { Table } from '../../../lib/table/table.ts';
import { findLivePost } from '../../../lib/targets/live-posts.ts';
import type { TargetChanges } from '../../../lib/targets/store.ts';
import { changeTarget, startMs } from '../../support/builders.ts';
import { createTestTable } from '../../support/table.ts';
import { inOneHour, mediaItem, openFixture } from '../posts/fixture.ts';

let table: Table;
beforeAll(async () => {
  table = await createTestTable();
});

describe('a workspace whose stream records were lost', () => {
  it('gets its lists, live-post records and calendars rebuilt', async () => {
    const fixture = await openFixture(table);
    const { workspaceId } = fixture.context;
    const rebuilding = { table, dailyLimits: dailyLimitsOf({}), now: startMs };
    const ends: readonly TargetChanges[] = [
      { status: 'published', platformPostId: 'live-1', wakeAt: null },
      { status: 'failed', problem: { code: 'platform_rejected', text: 'no' }, wakeAt: null },
      {},
    ];
    const posts = [];
    for (const end of ends) {
      const { post, targets } = await fixture.create({ scheduledFor: inOneHour });
      const [target] = targets;
      if (target && end.status) await changeTarget(table, target, end);
      posts.push(post);
    }
    const listed = async () =>
      (await queryPosts(table, workspaceId, { limit: 10 })).posts.map(({ status }) => status);
    const planned = () => countPlanned(table, workspaceId, fixture.instagram.id, startMs);
    expect([await listed(), await planned()]).toEqual([['scheduled', 'scheduled', 'scheduled'], 3]);

    expect(await rebuildProjections(rebuilding, workspaceId)).toEqual({
      posts: 3,
      times: 3,
      places: 0,
      zones: 0,
    });
    expect((await listed()).toSorted()).toEqual(['failed', 'published', 'scheduled']);
    expect(await planned()).toBe(2);
    const account = { workspaceId, accountId: fixture.instagram.id };
    const live = { platform: 'instagram', platformPostId: 'live-1' };
    expect(await findLivePost(table, live, account)).toEqual({ ...account, postId: posts[0]?.id });
    expect(await rebuildProjections(rebuilding, workspaceId)).toEqual({
      posts: 3,
      times: 2,
      places: 0,
      zones: 0,
    });

    // Correct projections stay as they are.
    await editPost(fixture.context, posts[2]?.id ?? '', { content: 'Still here' });
    expect(await planned()).toBe(2);
  });

  it('gets its places in days of daily limits back, and loses those that nothing uses', async () => {
    const fixture = await openFixture(table);
    const { workspaceId } = fixture.context;
    const dailyLimits = dailyLimitsOf({});
    const video = {
      platforms: [{ accountId: fixture.youtube.id }],
      mediaItems: [mediaItem(fixture.video)],
      scheduledFor: inOneHour,
    };
    const [kept, removed] = [await fixture.create(video), await fixture.create(video)];
    const day = '2026-03-01';
    const timeZone = 'America/Los_Angeles';
    for (const target of removed.targets) await settlePlace(table, { ...target, day, timeZone });
    await removePost(fixture.context, removed.post.id);

    const rebuilding = { table, dailyLimits, now: startMs };
    expect(await rebuildProjections(rebuilding, workspaceId)).toMatchObject({ posts: 1, places: 2 });
    const places = await readDay(table, { platform: 'youtube', day, posts: 100 }, workspaceId);
    expect(places.map(({ postId }) => postId)).toEqual([kept.post.id]);
    expect(await rebuildProjections(rebuilding, workspaceId)).toMatchObject({ posts: 1, places: 1 });
  });
});
