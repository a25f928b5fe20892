import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Fixture, openFixture } from '../../../contract/fixture.ts';
import { login, rowOf } from '../../../contract/rows.ts';
import { type FixtureServer, serveFixtures } from '../../../support/fixture-server.ts';

const draft = { draft: true };
const video = { media: ['video.mp4'], options: draft };
const photos = { media: ['image.jpg', 'square.jpg'], options: draft };

let fixtures: FixtureServer;
let fixture: Fixture;
beforeAll(async () => {
  fixtures = await serveFixtures();
});
afterAll(() => fixtures.close());
beforeEach(async () => {
  fixture = await openFixture(rowOf('tiktok'), fixtures);
});
afterEach(() => fixture.close());

const requests = async (operation: string) => {
  const all = (await fixture.control('requests')) as unknown as { operation: string; status: number }[];
  return all.filter((request) => request.operation === operation);
};
const limit = (limits: Record<string, number>) => fixture.control('limits', 'PUT', limits);

describe.each([
  ['a video', video, 'inbox.video.init'],
  ['photos', photos, 'content.init'],
] as const)('a draft of %s', (_name, changes, init) => {
  it('is finished once it is in the inbox, without an id or an address', async () => {
    await fixture.set({ processingSeconds: 20 });
    const begun = fixture.clock.time;
    const { post, warning } = await (await fixture.publisher(changes)).publish();
    expect(warning).toBeUndefined();
    expect(post).toMatchObject({ platformPostId: null, permalink: null, isFinished: true });
    expect(fixture.clock.time - begun).toBeGreaterThanOrEqual(20_000);
    expect(await fixture.posts()).toMatchObject([{ details: { isDraft: true } }]);
    expect(await requests(init)).toHaveLength(1);
  });

  it('does not ask what the creator may post, which needs another scope', async () => {
    await (await fixture.publisher(changes)).publish();
    expect(await requests('creator_info.query')).toEqual([]);
  });

  it('goes to the inbox of an account with an app that TikTok has not audited', async () => {
    await fixture.set({ unaudited: true });
    await (await fixture.publisher(changes)).publish();
    expect(await fixture.posts()).toHaveLength(1);
  });

  it('is live too if its owner has posted it before Herald looks', async () => {
    await fixture.set({ processingSeconds: 20 });
    const publisher = await fixture.publisher(changes);
    await publisher.prepare();
    await expect(publisher.goLive()).rejects.toMatchObject({ remedy: 'unknown' });
    await fixture.control('idle');
    fixture.clock.time += 30_000;
    await fixture.control('inbox', 'POST', { username: login });
    fixture.clock.time += 10_000;
    expect(await publisher.reconcile()).toMatchObject({
      kind: 'live',
      post: { platformPostId: expect.stringMatching(/^\d+$/), isFinished: true },
    });
  });

  it('waits for a day if five drafts are pending', async () => {
    await limit({ pendingSharesPerDay: 0 });
    const publisher = await fixture.publisher(changes);
    const attempt = publisher.prepare().then(() => publisher.goLive());
    await expect(attempt).rejects.toMatchObject({
      remedy: 'retry',
      isDailyLimit: true,
      retryAfterSeconds: 86_400,
      platformCode: 'spam_risk_too_many_pending_share',
    });
  });

  it('names the inbox as the place to look at', async () => {
    const { job } = await fixture.publisher(changes);
    expect(fixture.adapter.absenceRule(job).where).toBe("the account's inbox in the TikTok app");
  });
});

it('a draft of photos has its texts and no settings', async () => {
  await (await fixture.publisher({ ...photos, options: { draft: true, title: 'Six' } })).publish();
  const [post] = await fixture.posts();
  expect(post).toMatchObject({ content: rowOf('tiktok').content, details: { title: 'Six' } });
  expect(Object.keys(post?.details ?? {}).sort()).toEqual(['isDraft', 'photo_cover_index', 'title']);
});

it('a draft of a video whose last response is lost is found by its status', async () => {
  const publisher = await fixture.publisher(video);
  await publisher.prepare();
  await fixture.plan('video.upload', 'drop-reply');
  expect((await publisher.publish()).post.platformPostId).toBeNull();
  expect(await fixture.posts()).toHaveLength(1);
});

it('a draft of photos whose response is lost is never sent again', async () => {
  const publisher = await fixture.publisher(photos);
  await fixture.plan('content.init', 'drop-reply');
  await expect(publisher.publish()).rejects.toThrow("check the account's inbox in the TikTok app");
  await fixture.control('idle');
  expect(await fixture.posts()).toHaveLength(1);
});
