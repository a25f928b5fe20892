import { beforeEach, describe, expect, it } from 'vitest';
import { settlePlace } from '../../../../lib/daily-limits/settle.ts';
import { dayMs, toTimestamp } from '../../../../lib/kernel/clock.ts';
import type { DailyLimits } from '../../../../lib/platforms/contract/daily-limit.ts';
import { createPost } from '../../../../lib/posts/create.ts';
import { editPost } from '../../../../lib/posts/edit.ts';
import { CreatePostBody } from '../../../../lib/posts/request/schemas.ts';
import { validatePost } from '../../../../lib/posts/validate.ts';
import type { Table } from '../../../../lib/table/table.ts';
import type { Target } from '../../../../lib/targets/schemas.ts';
import { changeTarget, startMs, storeAccount } from '../../../support/builders.ts';
import { storeLimitedKey } from '../../../support/limited-key.ts';
import { countRequests } from '../../../support/requests.ts';
import { createTestTable } from '../../../support/table.ts';
import { mediaItem, openFixture, refusalsOf } from '../fixture.ts';

const timeZone = 'America/Los_Angeles';
const dailyLimits: DailyLimits = { youtube: { posts: 3, timeZone, counts: 'uploads' } };
/** Noon in Los Angeles. */
const noon = toTimestamp(startMs + 8 * 3_600_000);
const nextNoon = toTimestamp(Date.parse(noon) + dayMs);
const day = '2026-03-01';

let table: Table;
let small: Planner;
let large: Planner;

type Planner = Awaited<ReturnType<typeof openPlanner>>;

/** Each request is a moment later than the one before, so that posts have an age. */
let now = startMs;

/** A workspace whose posts go to YouTube and take their places at once. */
async function openPlanner() {
  const fixture = await openFixture(table);
  const context = {
    ...fixture.context,
    dailyLimits,
    get now() {
      now += 1;
      return now;
    },
  };
  const video = (changes: object = {}) =>
    CreatePostBody.parse({
      content: 'A video',
      platforms: [{ accountId: fixture.youtube.id }],
      mediaItems: [mediaItem(fixture.video)],
      scheduledFor: noon,
      ...changes,
    });
  const settle = async (targets: readonly Target[], days = [day]) => {
    for (const target of targets)
      for (const settled of days) await settlePlace(table, { ...target, day: settled, timeZone });
  };
  const plan = async (changes?: object) => {
    const created = await createPost(context, video(changes), { rawBody: '{}' });
    await settle(created.targets);
    return created;
  };
  return { ...fixture, context, video, plan, settle };
}

beforeEach(async () => {
  table = await createTestTable();
  now = startMs;
  [small, large] = [await openPlanner(), await openPlanner()];
});

const warning = (own: number, share: number) =>
  `YouTube takes 3 uploads per day from this service. For 2026-03-01 (America/Los_Angeles), this workspace has planned or used ${own} with this one, and its share is ${share}. So it will wait for the next day`;

describe('a day of a platform with a daily limit', () => {
  it('of a lone workspace may be filled, and the post after that is told that it will wait', async () => {
    for (let count = 1; count <= 3; count += 1) expect((await large.plan()).warnings).toEqual([]);
    const expected = {
      field: 'platforms[0].scheduledFor',
      code: 'quota_exhausted',
      message: warning(4, 3),
      accountId: large.youtube.id,
      platform: 'youtube',
    };
    expect(await validatePost(large.context, large.video())).toEqual({
      problems: [],
      warnings: [expected],
      adaptations: [],
      cards: [],
    });
    const { post, warnings } = await large.plan();
    expect(warnings).toEqual([expected]);
    expect(post.status).toBe('scheduled');
    expect((await large.plan({ scheduledFor: nextNoon })).warnings).toEqual([]);
  });

  it('that one workspace has filled still has a place for another', async () => {
    for (let count = 1; count <= 5; count += 1) await large.plan();
    expect((await small.plan()).warnings).toEqual([]);
    expect((await validatePost(large.context, large.video())).warnings).toMatchObject([
      { message: warning(6, 2) },
    ]);
  });

  it('is not counted for a key that is limited to some accounts', async () => {
    const hidden = await storeAccount(table, large.context.workspaceId, { platform: 'youtube' });
    for (let count = 1; count <= 3; count += 1) await large.plan({ platforms: [{ accountId: hidden.id }] });
    const { context } = await storeLimitedKey(large.context, [large.youtube.id]);
    const message =
      'YouTube takes 3 uploads per day from this service. For 2026-03-01 (America/Los_Angeles), this workspace has a share of 3, and no place is left in it. So it will wait for the next day';
    expect((await validatePost(context, large.video())).warnings).toMatchObject([{ message }]);
  });

  it('that is used up by another workspace has no place', async () => {
    for (let count = 1; count <= 3; count += 1) {
      const { targets } = await large.plan();
      for (const target of targets) await changeTarget(table, target, { preparation: { session: 'x' } });
      await large.settle(targets);
    }
    expect((await small.plan()).warnings).toMatchObject([{ message: warning(1, 0) }]);
  });

  it('refuses a post that does not wait, naming the destination', async () => {
    for (let count = 1; count <= 3; count += 1) await large.plan();
    const strict = large.video({ onQuota: 'fail' });
    const message = warning(4, 3).replace('will wait for the next day', 'would fail');
    expect(await refusalsOf(createPost(large.context, strict, { rawBody: '{}' }))).toEqual([
      `platforms[0].scheduledFor: ${message}`,
    ]);
    expect(await validatePost(large.context, strict)).toMatchObject({
      problems: [{ message }],
      warnings: [],
    });
  });

  it('counts each destination of a post', async () => {
    const others = await Promise.all(
      ['UC2', 'UC3', 'UC4'].map((platformAccountId) =>
        storeAccount(table, large.context.workspaceId, { platform: 'youtube', platformAccountId }),
      ),
    );
    const platforms = [large.youtube, ...others].map(({ id }) => ({ accountId: id }));
    const { warnings } = await validatePost(large.context, large.video({ platforms }));
    expect(warnings).toHaveLength(1);
    platforms[3] = { ...platforms[3], scheduledFor: nextNoon } as never;
    expect((await validatePost(large.context, large.video({ platforms }))).warnings).toEqual([]);
  });

  it('does not stop drafts', async () => {
    for (let count = 1; count <= 3; count += 1) await large.plan();
    const draft = large.video({ isDraft: true, onQuota: 'fail' });
    expect((await createPost(large.context, draft, { rawBody: '{}' })).warnings).toEqual([]);
  });
});

describe('a change of a post', () => {
  it('to a full day is told so, and one that stays in its day is not', async () => {
    const posts = [await large.plan(), await large.plan(), await large.plan()];
    const stayed = await editPost(large.context, posts[0]?.post.id ?? '', { content: 'Another title' });
    expect(stayed.warnings).toEqual([]);
    const later = await large.plan({ scheduledFor: nextNoon });
    const moved = await editPost(large.context, later.post.id, { scheduledFor: noon });
    expect(moved.warnings).toMatchObject([{ field: 'platforms[0].scheduledFor' }]);
  });

  it('is not refused because its day has become full since it was accepted', async () => {
    const { post } = await large.plan({ onQuota: 'fail' });
    // Another workspace has used up the day.
    for (let count = 1; count <= 3; count += 1) {
      const { targets } = await small.plan();
      for (const target of targets) await changeTarget(table, target, { preparation: { session: 'x' } });
      await small.settle(targets);
    }
    const edited = await editPost(large.context, post.id, { content: 'Another title' });
    expect(edited.warnings).toMatchObject([{ message: expect.stringMatching(/would fail$/) }]);
    const again = editPost(large.context, post.id, { scheduledFor: noon });
    expect(await refusalsOf(again)).toMatchObject([expect.stringMatching(/^platforms\[0\]\.scheduledFor: /)]);
  });
});

describe('a platform without a daily limit', () => {
  it('costs no request more', async () => {
    const { counted, requests } = countRequests({ ...large.context });
    await createPost(counted, large.body({ scheduledFor: noon }), { rawBody: '{}' });
    expect(requests).toEqual(['BatchGetCommand', 'TransactWriteCommand']);
    await createPost(counted, large.video(), { rawBody: '{}' });
    expect(requests.slice(2)).toEqual(['BatchGetCommand', 'QueryCommand', 'TransactWriteCommand']);
  });
});
