import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { Account } from '../../../lib/accounts/schemas.ts';
import type { Context } from '../../../lib/api-contract/context.ts';
import { ranked } from '../../../lib/insights/best-posts.ts';
import { toCsv } from '../../../lib/insights/csv.ts';
import { forgetNumbers } from '../../../lib/insights/forget.ts';
import { listBest, listMetrics } from '../../../lib/insights/list.ts';
import { periodOf } from '../../../lib/insights/period.ts';
import { readAccountMetrics } from '../../../lib/insights/read-account.ts';
import { readPostMetrics } from '../../../lib/insights/read-post.ts';
import { readAccountDays } from '../../../lib/insights/sweep-accounts.ts';
import { dayMs, hourMs, minuteMs, toTimestamp } from '../../../lib/kernel/clock.ts';
import { PlatformError } from '../../../lib/platforms/contract/errors.ts';
import { retagPost } from '../../../lib/posts/retag.ts';
import { getItem } from '../../../lib/table/items.ts';
import { postNumbersKey } from '../../../lib/table/keys.ts';
import { editTag } from '../../../lib/tags/manage.ts';
import type { Target } from '../../../lib/targets/schemas.ts';
import { startMs, storeAccount } from '../../support/builders.ts';
import { type InsightsFixture, instagramScopes, openInsights } from './fixture.ts';

const lagMs = 2 * minuteMs;

let fixture: InsightsFixture;
beforeEach(async () => {
  fixture = await openInsights();
});

const at = (now: number, changes: Partial<Context> = {}): Context => ({
  ...fixture.context,
  now,
  ...changes,
});

function read(
  target: Target,
  now: number,
  query: { fresh?: boolean } = {},
  stageFeatures = fixture.ports.stageFeatures,
) {
  fixture.clock.time = now;
  return readPostMetrics({ ...at(now), stageFeatures, asking: fixture.ports }, target.postId, query);
}
const only = async (reading: ReturnType<typeof read>) => {
  const [target] = (await reading).targets;
  if (target === undefined) throw new Error('no target');
  return target;
};

describe('the numbers of a post, as the API shows them', () => {
  it('are null with the reason, never 0, until they are taken', async () => {
    const target = await fixture.goLive(startMs);
    const shown = await only(read(target, startMs + minuteMs));
    expect([shown.reason, shown.asOf]).toEqual(['pending', null]);
    expect(shown.metrics.views).toEqual({
      value: null,
      reason: 'pending',
      platformName: 'views',
      asOf: null,
    });
    expect(shown.metrics.clicks).toEqual({
      value: null,
      reason: 'not_offered',
      platformName: null,
      asOf: null,
    });
    expect(shown.snapshots.map(({ age }) => age)).toEqual(['1h', '1d', '7d', '28d']);
  });

  it('are those of the latest reading, with a 0 that the platform has counted', async () => {
    const target = await fixture.goLive(startMs);
    await fixture.sweepAt(startMs + hourMs + lagMs);
    fixture.platform.answers.set(target.platformPostId ?? '', { views: 20, reach: 'withheld', shares: 0 });
    await fixture.sweepAt(startMs + dayMs + hourMs + lagMs);
    const shown = await only(read(target, startMs + 2 * dayMs));
    expect(shown.metrics.views.value).toBe(20);
    expect(shown.metrics.shares).toMatchObject({ value: 0, reason: null });
    expect(shown.metrics.reach).toMatchObject({ value: null, reason: 'withheld' });
    const [hourly, daily, weekly] = shown.snapshots;
    expect([hourly?.metrics.views.value, daily?.metrics.views.value]).toEqual([10, 20]);
    expect(weekly?.metrics.views).toMatchObject({ value: null, reason: 'pending' });
  });

  it('of an age that was missed are unavailable', async () => {
    const target = await fixture.goLive(startMs);
    await fixture.sweepAt(startMs + 8 * dayMs);
    const shown = await only(read(target, startMs + 8 * dayMs));
    expect(shown.snapshots[0]?.metrics.views.reason).toBe('unavailable');
  });

  it('of a story end after a day', async () => {
    const story = await fixture.goLive(startMs, { options: { contentType: 'story' } });
    await fixture.sweepAt(startMs + 23 * hourMs + lagMs);
    const shown = await only(read(story, startMs + 9 * dayMs, { fresh: true }));
    expect(shown.snapshots.map(({ metrics }) => metrics.views.value ?? metrics.views.reason)).toEqual([
      'unavailable',
      10,
      'story_over',
      'story_over',
    ]);
    expect(fixture.platform.asked).toHaveLength(1);
  });

  it.each<[string, Partial<Account>, object, string, RegExp]>([
    [
      'connected without the feature',
      { scopes: ['instagram_business_basic', 'instagram_business_content_publish'] },
      {},
      'not_permitted',
      /connect it again/,
    ],
    ['on a stage without it', {}, { instagram: ['publish'] }, 'not_enabled', /operator/],
    ['that has lost its access', { status: 'expired' }, {}, 'account_inactive', /connect it again/],
  ])('of an account %s say so', async (_name, account, features, reason, message) => {
    fixture = await openInsights(account);
    const target = await fixture.goLive(startMs);
    const stage = { ...fixture.ports.stageFeatures, ...features };
    const shown = await only(read(target, startMs + hourMs, { fresh: true }, stage));
    expect([shown.reason, shown.message]).toEqual([reason, expect.stringMatching(message)]);
    expect(fixture.platform.asked).toEqual([]);
  });
});

describe('fresh numbers', () => {
  it('are asked for at most every 15 minutes', async () => {
    const target = await fixture.goLive(startMs);
    const first = await only(read(target, startMs + minuteMs, { fresh: true }));
    expect([first.metrics.views.value, first.freshFrom]).toEqual([10, toTimestamp(startMs + 16 * minuteMs)]);
    await read(target, startMs + 15 * minuteMs, { fresh: true });
    expect(fixture.platform.asked).toHaveLength(1);
    await read(target, startMs + 16 * minuteMs, { fresh: true });
    expect(fixture.platform.asked).toHaveLength(2);
  });

  it('are not asked for right after a snapshot, although older ones were asked for before', async () => {
    const target = await fixture.goLive(startMs);
    await read(target, startMs + 50 * minuteMs, { fresh: true });
    await fixture.sweepAt(startMs + hourMs + lagMs);
    const shown = await only(read(target, startMs + 70 * minuteMs, { fresh: true }));
    expect(fixture.platform.asked).toHaveLength(2);
    expect(shown.freshFrom).toBe(toTimestamp(startMs + hourMs + lagMs + 15 * minuteMs));
  });

  it('of a member of LinkedIn are kept for two days, although nothing was read before', async () => {
    fixture = await openInsights({
      platform: 'linkedin',
      scopes: ['r_basicprofile', 'w_member_social', 'r_member_postAnalytics'],
    });
    const target = await fixture.goLive(startMs);
    const { publishedAt = '' } = target;
    const stage = { linkedin: ['publish', 'insights'] } as const;
    const now = startMs + 5 * dayMs;
    await read(target, now, { fresh: true }, stage);
    expect(fixture.platform.asked).toHaveLength(1);
    const row = await getItem(fixture.table, postNumbersKey({ ...target, publishedAt }));
    expect(Number(row?.['expiresAtSeconds']) * 1_000).toBe(now + 2 * dayMs);
  });

  it('are asked for at most 200 times a day for an account', async () => {
    const targets = [];
    for (let index = 0; index < 201; index += 1) targets.push(await fixture.goLive(startMs));
    for (const target of targets) await read(target, startMs + minuteMs, { fresh: true });
    expect(fixture.platform.asked).toHaveLength(200);
  });

  it('leave the numbers as they are if the platform does not answer', async () => {
    const target = await fixture.goLive(startMs);
    await fixture.sweepAt(startMs + hourMs + lagMs);
    fixture.platform.error = new PlatformError('retry', 'busy');
    const shown = await only(read(target, startMs + 2 * hourMs, { fresh: true }));
    expect([shown.metrics.views.value, shown.asOf]).toEqual([10, toTimestamp(startMs + hourMs + lagMs)]);
  });

  it('are those that are there if a platform takes too long', async () => {
    const target = await fixture.goLive(startMs);
    await fixture.sweepAt(startMs + hourMs + lagMs);
    const asked = Promise.withResolvers<void>();
    const hanging = async (): Promise<never> => {
      asked.resolve();
      return new Promise<never>(() => {});
    };
    const { ports, platform } = fixture;
    const asking = { ...ports, insightsFor: async () => ({ ...platform, readPosts: hanging }) };
    fixture.clock.time = startMs + 2 * hourMs;
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    try {
      const context = { ...at(fixture.clock.time), stageFeatures: ports.stageFeatures, asking };
      const reading = readPostMetrics(context, target.postId, { fresh: true });
      await asked.promise;
      await vi.advanceTimersByTimeAsync(15_000);
      expect((await reading).targets[0]?.metrics.views.value).toBe(10);
    } finally {
      vi.useRealTimers();
    }
  });

  it('find that a post was deleted at the platform', async () => {
    const target = await fixture.goLive(startMs);
    fixture.platform.answers.set(target.platformPostId ?? '', 'gone');
    const shown = await only(read(target, startMs + hourMs, { fresh: true }));
    expect([shown.reason, shown.removedAt]).toEqual(['removed', toTimestamp(startMs + hourMs)]);
  });

  it('do not say so of a post that is so new that the platform may not show it yet', async () => {
    const target = await fixture.goLive(startMs);
    fixture.platform.answers.set(target.platformPostId ?? '', 'gone');
    const shown = await only(read(target, startMs + minuteMs, { fresh: true }));
    expect([shown.reason, shown.removedAt]).toEqual(['pending', null]);
    expect((await only(read(target, startMs + 2 * minuteMs))).removedAt).toBeNull();
  });
});

describe('the posts of a period', () => {
  const list = (query: Partial<Parameters<typeof listMetrics>[1]> = {}, changes: Partial<Context> = {}) =>
    listMetrics(at(startMs + 60 * dayMs, changes), { limit: 50, ...query });

  it('are in order of the time at which they went live, over the ends of months and pages', async () => {
    const days = [0, 20, 40, 55];
    const targets = [];
    for (const day of days) targets.push(await fixture.goLive(startMs + day * dayMs));
    const found: string[] = [];
    let cursor: string | undefined;
    for (let pages = 0; pages < 20; pages += 1) {
      const page = await list({
        from: startMs,
        to: startMs + 60 * dayMs,
        limit: 1,
        ...(cursor && { cursor }),
      });
      found.push(...page.posts.map(({ postId }) => postId));
      if (page.nextCursor === null) break;
      cursor = page.nextCursor;
    }
    expect(found).toEqual(targets.map(({ postId }) => postId));
  });

  it('are those of posts with any of some tags, as these are called now', async () => {
    const { context } = fixture;
    const [summer, launch, plain] = [
      await fixture.goLive(startMs),
      await fixture.goLive(startMs + 1),
      await fixture.goLive(startMs + 2),
    ];
    const tag = (postId: string, name: string) => retagPost(context, postId, { tags: [name] });
    await tag(summer.postId, 'Summer');
    await tag(launch.postId, 'Launch');
    await tag(plain.postId, 'Other');
    await editTag(context, 'Summer', { name: 'Season' });
    const found = async (...tags: string[]) =>
      (await list({ from: startMs, to: startMs + dayMs, tags })).posts.map(({ postId }) => postId);
    expect(await found('SEASON')).toEqual([summer.postId]);
    expect(await found('season', 'launch', 'unknown')).toEqual([summer.postId, launch.postId]);
    expect(await found('Summer')).toEqual([]);
  });

  it('are those between its ends only', async () => {
    await fixture.goLive(startMs - 1);
    const inside = await fixture.goLive(startMs);
    await fixture.goLive(startMs + dayMs);
    const { posts } = await list({ from: startMs, to: startMs + dayMs });
    expect(posts.map(({ postId }) => postId)).toEqual([inside.postId]);
  });

  it('leave out those that a limited key may not see, with a foreign account as with none', async () => {
    const other = await storeAccount(fixture.table, fixture.context.workspaceId, {
      scopes: instagramScopes,
    });
    const own = await fixture.goLive(startMs);
    const foreign = await fixture.goLive(startMs, { accountId: other.id });
    const actor = { kind: 'key', id: 'limited', accountIds: [fixture.account.id] } as const;
    const { posts } = await list({ from: startMs, to: startMs + dayMs }, { actor });
    expect(posts.map(({ postId }) => postId)).toEqual([own.postId]);
    const filtered = await list({ from: startMs, to: startMs + dayMs, accountId: other.id }, { actor });
    expect(filtered.posts).toEqual([]);
    await fixture.sweepAt(startMs + hourMs + lagMs);
    const best = await listBest(at(startMs + dayMs, { actor }), { month: '2026-03' });
    expect(best.posts.map(({ postId }) => postId)).toEqual([own.postId]);
    expect(foreign.postId).not.toBe(own.postId);
  });

  it.each([
    [{ from: startMs, to: startMs }, 'range_empty'],
    [{ from: startMs, to: startMs + 93 * dayMs }, 'range_too_long'],
  ])('are refused for %o', (query, code) => {
    expect(() => periodOf(query, startMs + 200 * dayMs)).toThrow(
      expect.objectContaining({ fields: expect.anything() }),
    );
    expect(code).toMatch(/^range/);
  });

  it('are a table of comma-separated values without formulas', async () => {
    await fixture.goLive(startMs, {});
    await fixture.sweepAt(startMs + hourMs + lagMs);
    const { posts } = await list({ from: startMs, to: startMs + dayMs });
    const [post] = posts;
    if (!post) throw new Error('no post');
    const lines = (content: string) => toCsv([{ ...post, content }]).split('\r\n');
    expect(lines('Hello')[0]).toBe(
      'publishedAt,platform,accountId,postId,platformPostId,permalink,content,removedAt,asOf,views,reach,likes,comments,shares,saves,clicks,tags',
    );
    expect(lines('Hello')[1]).toContain(',Hello,,2026-03-01T13:02:00.000Z,10,8,3,1,0,2,');
    for (const formula of ['=1+1', '+1', '-1', '@SUM(1)', '＝1+1', ' =1', '\t=1', '\r=1'])
      expect(toCsv([{ ...post, content: formula }])).toContain(`'${formula}`);
    expect(lines('a "quote", and more')[1]).toContain('"a ""quote"", and more"');
  });
});

describe('the best posts of a month', () => {
  it('are those with the most interactions by their numbers now', async () => {
    const few = await fixture.goLive(startMs);
    const many = await fixture.goLive(startMs + 1);
    fixture.platform.answers.set(many.platformPostId ?? '', { likes: 9, comments: 9 });
    await fixture.sweepAt(startMs + hourMs + lagMs);
    fixture.platform.answers.set(few.platformPostId ?? '', { likes: 90 });
    await fixture.sweepAt(startMs + dayMs + hourMs + lagMs);
    const { posts } = await listBest(at(startMs + 2 * dayMs), {});
    expect(posts.map(({ postId }) => postId)).toEqual([few.postId, many.postId]);
  });

  it('are at most a hundred: a better post displaces the worst, a worse one changes nothing', () => {
    const full = Array.from({ length: 100 }, (_, index) => ({ k: `post ${index}`, s: 100 + index }));
    expect(ranked(full, [{ k: 'new', s: 99 }])).toBeUndefined();
    const better = ranked(full, [{ k: 'new', s: 1_000 }]);
    expect([better?.length, better?.[0], better?.some(({ k }) => k === 'post 0')]).toEqual([
      100,
      { k: 'new', s: 1_000 },
      false,
    ]);
    expect(ranked([{ k: 'known', s: 1 }], [{ k: 'known', s: 5 }])).toBeUndefined();
  });

  it('keep one that has become good before there were a hundred', async () => {
    const good = await fixture.goLive(startMs);
    fixture.platform.answers.set(good.platformPostId ?? '', { likes: 0 });
    await fixture.sweepAt(startMs + hourMs + lagMs);
    fixture.platform.answers.set(good.platformPostId ?? '', { likes: 1_000 });
    await fixture.sweepAt(startMs + dayMs + hourMs + lagMs);
    for (let posts = 0; posts < 101; posts += 1) {
      const { platformPostId = '' } = await fixture.goLive(startMs + 2 * dayMs + posts);
      fixture.platform.answers.set(platformPostId, { likes: 5 + posts });
    }
    await fixture.sweepAt(startMs + 2 * dayMs + hourMs + lagMs);
    const { posts } = await listBest(at(startMs + 3 * dayMs), { month: '2026-03' });
    expect([posts.length, posts[0]?.postId]).toEqual([100, good.postId]);
  });

  it('give the places of a disconnected account to others', async () => {
    const { table, context } = fixture;
    const other = await storeAccount(table, context.workspaceId, { scopes: instagramScopes });
    for (let posts = 0; posts < 100; posts += 1) {
      const { platformPostId = '' } = await fixture.goLive(startMs + posts, { accountId: other.id });
      fixture.platform.answers.set(platformPostId, { likes: 100 });
    }
    await fixture.sweepAt(startMs + hourMs + lagMs);
    const now = startMs + 2 * hourMs;
    const until = toTimestamp(now);
    const gone = { workspaceId: context.workspaceId, accountId: other.id, until };
    expect(await forgetNumbers(table, gone, () => now, now + minuteMs)).toBe(true);
    const own = await fixture.goLive(startMs + dayMs);
    await fixture.sweepAt(startMs + dayMs + hourMs + lagMs);
    const { posts } = await listBest(at(startMs + 2 * dayMs), { month: '2026-03' });
    expect(posts.map(({ postId }) => postId)).toEqual([own.postId]);
  });

  it('are ranked by the latest numbers that the platform did not withhold', async () => {
    const target = await fixture.goLive(startMs);
    await fixture.sweepAt(startMs + hourMs + lagMs);
    fixture.platform.answers.set(target.platformPostId ?? '', { likes: 'withheld', views: 'withheld' });
    await fixture.sweepAt(startMs + dayMs + hourMs + lagMs);
    const { posts } = await listBest(at(startMs + 2 * dayMs), { month: '2026-03' });
    expect(posts[0]?.metrics.likes.value).toBe(3);
  });
});

describe('the numbers of an account', () => {
  const days = async () => {
    const query = { from: Date.parse('2026-03-01'), to: Date.parse('2026-03-05') };
    const context = { ...at(startMs + 5 * dayMs), stageFeatures: fixture.ports.stageFeatures };
    return readAccountMetrics(context, fixture.account.id, query);
  };

  it('are read once a day although it publishes nothing, and shown for every day', async () => {
    for (const hours of [9, 10, 11]) {
      fixture.clock.time = Date.parse('2026-03-03') + hours * hourMs;
      await readAccountDays(fixture.ports, fixture.clock.time + minuteMs);
    }
    expect(fixture.platform.accountsAsked).toHaveLength(1);
    const shown = await days();
    expect(shown.days.map(({ day, metrics }) => [day, metrics.views.value ?? metrics.views.reason])).toEqual([
      ['2026-03-01', 7],
      ['2026-03-02', 7],
      ['2026-03-03', 7],
      ['2026-03-04', 'pending'],
    ]);
    expect(shown.days[0]?.metrics.profileViews.reason).toBe('not_offered');
  });

  it('are read in the evening if the platform did not answer in the morning', async () => {
    fixture.clock.time = Date.parse('2026-03-03T09:01:00Z');
    fixture.platform.error = new PlatformError('retry', 'busy');
    await readAccountDays(fixture.ports, fixture.clock.time + minuteMs);
    fixture.platform.error = undefined;
    fixture.clock.time = Date.parse('2026-03-03T18:01:00Z');
    expect(await readAccountDays(fixture.ports, fixture.clock.time + minuteMs)).toBe(1);
  });

  it('are not read without the feature', async () => {
    fixture = await openInsights({ scopes: [] });
    fixture.clock.time = Date.parse('2026-03-03T09:01:00Z');
    expect(await readAccountDays(fixture.ports, fixture.clock.time + minuteMs)).toBe(0);
    expect((await days()).reason).toBe('not_permitted');
  });
});
