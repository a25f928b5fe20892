import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Feature } from '../../../../lib/platforms/contract/features.ts';
import { type Fixture, openFixture } from '../../../contract/fixture.ts';
import { rowOf } from '../../../contract/rows.ts';
import { type FixtureServer, serveFixtures } from '../../../support/fixture-server.ts';
import { publisherOf } from '../../../support/publisher.ts';

const row = rowOf('instagram');

let fixtures: FixtureServer;
let fixture: Fixture;
beforeAll(async () => {
  fixtures = await serveFixtures();
});
afterAll(() => fixtures.close());
beforeEach(async () => {
  fixture = await openFixture(row, fixtures);
});
afterEach(() => fixture.close());

const image = () => fixture.publisher({ media: ['image.jpg'], options: {} });
const reel = () => fixture.publisher({ media: ['video.mp4'], options: {} });

describe('comments', () => {
  const options = { commentsEnabled: false };

  it.each([
    ['an image', ['image.jpg']],
    ['a reel', ['video.mp4']],
    ['a carousel', ['image.jpg', 'square.jpg']],
  ])('are turned off as soon as %s is live', async (_kind, media) => {
    const publisher = await fixture.publisher({ media, options });
    expect((await publisher.publish()).warning).toBeUndefined();
    const [post] = await fixture.posts();
    expect(post?.details).toMatchObject({ comment_enabled: false });
  });

  it('stay on if the post says nothing, or true', async () => {
    for (const given of [{}, { commentsEnabled: true }]) {
      await (await fixture.publisher({ media: ['image.jpg'], options: given })).publish();
      for (const { details } of await fixture.posts()) expect(details).not.toHaveProperty('comment_enabled');
    }
  });
});

describe('each kind of post', () => {
  it.each([
    ['an image', ['image.jpg'], { altText: 'a cup' }, { media_product_type: 'FEED', alt_text: 'a cup' }],
    ['a reel', ['video.mp4'], { shareToFeed: false }, { media_product_type: 'REELS', share_to_feed: false }],
    ['a carousel', ['image.jpg', 'video.mp4', 'square.jpg'], {}, { media_product_type: 'FEED' }],
    ['an image with its place', ['image.jpg'], { locationId: '110' }, { location_id: '110' }],
    ['a reel with its place', ['video.mp4'], { locationId: '110' }, { location_id: '110' }],
    ['a carousel with its place', ['image.jpg', 'square.jpg'], { locationId: '110' }, { location_id: '110' }],
    [
      'a carousel with tags and alternative texts',
      ['image.jpg', 'video.mp4', 'square.jpg'],
      {
        altText: ['a cup', '', 'a saucer'],
        userTags: [
          { username: '@one', x: 0.5, y: 0.25 },
          { username: 'two', x: 0, y: 1, mediaIndex: 2 },
          { username: 'three', x: 1, y: 0, mediaIndex: 2 },
        ],
      },
      {
        children: [
          { alt_text: 'a cup', user_tags: [{ username: 'one', x: 0.5, y: 0.25 }] },
          {},
          {
            alt_text: 'a saucer',
            user_tags: [
              { username: 'two', x: 0, y: 1 },
              { username: 'three', x: 1, y: 0 },
            ],
          },
        ],
      },
    ],
    [
      'a reel with tags',
      ['video.mp4'],
      { userTags: [{ username: 'one' }] },
      { user_tags: [{ username: 'one' }] },
    ],
    ['an image story', ['image.jpg'], { contentType: 'story' }, { media_product_type: 'STORY' }],
    ['a video story', ['video.mp4'], { type: 'story' }, { media_product_type: 'STORY' }],
  ])('%s goes live', async (_name, media, options, details) => {
    const publisher = await fixture.publisher({ media, options });
    const { post, warning } = await publisher.publish();
    expect(warning).toBeUndefined();
    const [live, ...others] = await fixture.posts();
    expect(others).toEqual([]);
    expect(live).toMatchObject({ id: post.platformPostId, permalink: post.permalink, details });
    expect(live?.media).toHaveLength(media.length);
  });

  it('has the alternative texts of its images, unless the option has others', async () => {
    const described = async (name: string, altText: string) => ({
      ...(await fixtures.source(name)),
      altText,
    });
    const media = [await described('image.jpg', 'a boat'), await described('square.jpg', 'a pier')];
    await (await fixture.publisher({ media, options: { altText: ['', 'a quay'] } })).publish();
    const [live] = await fixture.posts();
    expect(live?.details).toMatchObject({ children: [{ alt_text: 'a boat' }, { alt_text: 'a quay' }] });
  });

  it.each([
    ['an image', ['image.jpg'], {}],
    ['a carousel', ['image.jpg', 'square.jpg'], {}],
    ['a story', ['image.jpg'], { type: 'story' }],
  ])('%s is found if the response to its last call was lost', async (_name, media, options) => {
    const publisher = await fixture.publisher({ media, options });
    await publisher.prepare();
    await fixture.plan('media_publish', 'drop-reply');
    await expect(publisher.goLive()).rejects.toMatchObject({ remedy: 'unknown' });
    const [post] = await fixture.posts();
    expect(await publisher.reconcile()).toMatchObject({ kind: 'live', post: { platformPostId: post?.id } });
  });
});

describe('containers', () => {
  it.each([
    ['of images are polled after 1, 2, 4 … 60 seconds', image, [1, 2, 4, 8, 16, 32, 60, 60]],
    ['of videos are polled after 8, 16 … 60 seconds', reel, [8, 16, 32, 60, 60, 60, 60, 60]],
  ])('%s', async (_which, publisher, expected) => {
    await fixture.plan('container_processing', 'timeout');
    const { job } = await publisher();
    const waits: number[] = [];
    let { preparation } = await fixture.adapter.prepare(job, fixture.tools);
    for (let look = 0; look < 8; look += 1) {
      const step = await fixture.adapter.prepare({ ...job, preparation }, fixture.tools);
      if (step.state === 'waiting') waits.push(step.waitSeconds);
      preparation = step.preparation;
    }
    expect(waits).toEqual(expected);
  });

  it('without a status_code count as in progress, and fail the post after half an hour', async () => {
    await fixture.set({ omitsStatusCode: true });
    const publisher = await image();
    const begun = fixture.clock.time;
    await expect(publisher.prepare()).rejects.toMatchObject({ remedy: 'rejected' });
    expect(fixture.clock.time - begun).toBeLessThan(32 * 60_000);
    await fixture.set({ omitsStatusCode: false });
    await (await image()).publish();
    expect(await fixture.posts()).toHaveLength(1);
  });

  it('that are never finished fail the post after half an hour', async () => {
    await fixture.plan('container_processing', 'timeout');
    const publisher = await reel();
    const begun = fixture.clock.time;
    await expect(publisher.prepare()).rejects.toMatchObject({ remedy: 'rejected' });
    expect(fixture.clock.time - begun).toBeLessThan(32 * 60_000);
  });

  it('may read as missing at first', async () => {
    await fixture.set({ firstReadMissing: true });
    const publisher = await image();
    const { post, warning } = await publisher.publish();
    expect(warning).toBeUndefined();
    expect(post.permalink).toMatch(/^https:\/\/www\.instagram\.com\/p\//);
  });

  it('that expire before the post is due are replaced', async () => {
    const publisher = await image();
    await publisher.prepare();
    fixture.clock.time += 25 * 3_600_000;
    await publisher.publish();
    expect(await fixture.posts()).toHaveLength(1);
  });

  it('whose processing fails are replaced a bounded number of times', async () => {
    await fixture.plan('container_processing', 'error:2207082', 2);
    const publisher = await reel();
    await publisher.publish();
    expect(await fixture.posts()).toHaveLength(1);

    await fixture.plan('container_processing', 'error:2207082', 20);
    const hopeless = await reel();
    await expect(hopeless.prepare()).rejects.toMatchObject({ remedy: 'rejected', platformCode: '2207082' });
  });

  it.each(['2207052', '2207003', '2207077'])(
    'whose file Instagram cannot download (%s) are replaced until it can',
    async (code) => {
      await fixture.plan('container_processing', `error:${code}`, 8);
      await (await reel()).publish();
      expect(await fixture.posts()).toHaveLength(1);
    },
  );

  it('are retried, with advice about the URL, if Instagram cannot download an image', async () => {
    await fixture.plan('media', 'error:9004/2207052', 8);
    const publisher = await image();
    await expect(publisher.prepare()).rejects.toMatchObject({
      remedy: 'retry',
      message: expect.stringContaining('check that its URL is public'),
    });
    await publisher.publish();
    expect(await fixture.posts()).toHaveLength(1);
  });

  it('that are discarded take a minute each, which is less than the daily limit of 400 in 6 hours', async () => {
    await fixture.plan('container_processing', 'error:2207052', 20);
    const publisher = await fixture.publisher({
      media: ['video.mp4', 'video.mp4', 'video.mp4'],
      options: {},
    });
    await expect(publisher.prepare()).rejects.toMatchObject({ remedy: 'retry', retryAfterSeconds: 180 });
    expect(publisher.job.preparation).toEqual({ renewals: 1 });
  });

  it('of a format that Instagram refuses fail the post immediately', async () => {
    await fixture.plan('container_processing', 'error:2207026');
    const publisher = await reel();
    await expect(publisher.prepare()).rejects.toMatchObject({ remedy: 'rejected', platformCode: '2207026' });
  });
});

describe('an unknown outcome', () => {
  it('results from a block as spam, after which the post may be live', async () => {
    const publisher = await image();
    await publisher.prepare();
    await fixture.plan('media_publish', 'error:4/2207051');
    await expect(publisher.goLive()).rejects.toMatchObject({ remedy: 'unknown', ifAbsent: 'rejected' });
  });

  it('of a reel that Instagram does not list is live, without its id', async () => {
    await fixture.set({ listUnsharedReels: false });
    const publisher = await fixture.publisher({ media: ['video.mp4'], options: { shareToFeed: false } });
    await publisher.prepare();
    await fixture.plan('media_publish', 'drop-reply');
    await publisher.goLive().catch(() => undefined);
    const verdict = await publisher.reconcile();
    expect(verdict).toEqual({ kind: 'live', post: { platformPostId: null, permalink: null } });
    if (verdict.kind !== 'live') return;
    expect((await publisher.finish(verdict.post)).warning).toContain('does not list it yet');
  });

  it.each([
    ['a story', { type: 'story' }],
    ['an image without a caption', {}],
  ])('of %s is not resolved with one that was made after the call', async (_name, options) => {
    const publisherWithout = async () => {
      const { job } = await fixture.publisher({ media: ['image.jpg'], options });
      return publisherOf(
        fixture.adapter,
        { ...job, content: '' },
        fixture.tools,
        fixture.clock,
        fixture.idle,
      );
    };
    const publisher = await publisherWithout();
    await publisher.prepare();
    await publisher.crashAtLastCall(false);
    fixture.clock.time += 120_000;
    const byHand = await publisherWithout();
    await byHand.publish();
    expect(await publisher.reconcile()).toMatchObject({ kind: 'unknown' });
  });
});

describe('the first comment', () => {
  const firstComment = 'Which one is yours?';
  const commented = async () => (await fixture.control('comments')).map(({ text }) => text);

  it.each(['drop-reply', 'half-json'])('is posted once although its call ends in %s', async (fault) => {
    await fixture.plan('comments', fault);
    const publisher = await fixture.publisher({ media: ['image.jpg'], options: { firstComment } });
    expect((await publisher.publish()).warning).toBeUndefined();
    expect(await commented()).toEqual([firstComment]);
  });

  it('leaves a warning on the published post if it is refused', async () => {
    await fixture.plan('comments', 'error:100');
    const publisher = await fixture.publisher({ media: ['image.jpg'], options: { firstComment } });
    const { post, warning } = await publisher.publish();
    expect(post.permalink).toEqual(expect.any(String));
    expect(warning).toContain('Instagram:');
  });
});

describe('connecting', () => {
  it('also reads the token response in its documented shape', async () => {
    await fixture.set({ tokenAnswer: 'data' });
    const [account] = await fixture.connect();
    expect(account?.platformAccountId).toBe(fixture.account.platformAccountId);
  });

  it('reads the id from the profile, because the token response has it as a number beyond 2^53', () => {
    expect(fixture.account.platformAccountId).toMatch(/^\d{17}$/);
    expect(fixture.account.meta['appScopedId']).toMatch(/^\d{17}$/);
  });

  it('subscribes the account to its events', async () => {
    await fixture.authorization.afterConnect?.(fixture.account, fixture.tools);
    const [account] = await fixture.control('accounts');
    expect(account).toMatchObject({ subscribedFields: ['comments', 'messages', 'messaging_postbacks'] });
  });

  it.each<[string, readonly Feature[], string[]]>([
    ['comments', ['comments'], ['comments']],
    ['messages', ['messages'], ['messages', 'messaging_postbacks']],
    ['nothing', [], []],
  ])('subscribes the account to %s if it grants no more', async (_title, features, subscribedFields) => {
    await fixture.control('users', 'POST', { username: 'second' });
    const [account] = await fixture.connect({ login: 'second' }, features);
    if (account) await fixture.authorization.afterConnect?.(account, fixture.tools);
    const accounts = (await fixture.control('accounts')) as {
      username?: string;
      subscribedFields?: unknown;
    }[];
    expect(accounts.find(({ username }) => username === 'second')?.subscribedFields).toEqual(
      subscribedFields,
    );
  });

  it('ends if the account’s owner revokes it', async () => {
    await fixture.control('revoke', 'POST', { username: fixture.account.username });
    const { authorization, tools, account } = fixture;
    await expect(authorization.refresh(account.tokens, tools)).rejects.toMatchObject({
      remedy: 'reauthorise',
    });
  });

  it('cannot be refreshed on the first day, which is no fault of the account', async () => {
    const { authorization, tools, account } = fixture;
    await expect(authorization.refresh(account.tokens, tools)).rejects.toMatchObject({ remedy: 'retry' });
  });
});
