import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Fixture, type JobChanges, openFixture } from '../../../contract/fixture.ts';
import { rowOf } from '../../../contract/rows.ts';
import { type FixtureServer, serveFixtures } from '../../../support/fixture-server.ts';

const row = rowOf('facebook');

let fixtures: FixtureServer;
let fixture: Fixture;
beforeAll(async () => {
  fixtures = await serveFixtures();
});
afterAll(() => fixtures.close());
beforeEach(async () => {
  fixture = await openFixture(row, fixtures);
  // With this setting the video fixture needs two chunks.
  await fixture.set({ chunkBytes: 65_536 });
});
afterEach(() => fixture.close());

type Kind = [name: string, changes: JobChanges];
const photo: Kind = ['a photo', { media: ['image.jpg'], options: {} }];
const video: Kind = ['a video', { media: ['video.mp4'], options: { title: 'Harbour' } }];
const reel: Kind = ['a reel', { media: ['video.mp4'], options: { type: 'reel' } }];
const videoStory: Kind = ['a video story', { media: ['video.mp4'], options: { contentType: 'story' } }];
const kinds: Kind[] = [
  ['a text', { media: [], options: {} }],
  ['a link', { media: [], options: { link: 'https://example.com/harbour' } }],
  photo,
  ['ten photos', { media: Array(10).fill('tall.jpg'), options: {} }],
  video,
  reel,
  ['a photo story', { media: ['image.jpg'], options: { contentType: 'story' } }],
  videoStory,
];
const publisherOf = ([, changes]: Kind) => fixture.publisher(changes);

describe('each kind of post', () => {
  it.each(kinds)('%s goes live, with an id and a permalink', async (...kind) => {
    const publisher = await publisherOf(kind);
    await publisher.prepare();
    expect(await fixture.posts()).toEqual([]);
    const { post, warning } = await publisher.publish();
    expect(warning).toBeUndefined();
    const [live, ...others] = await fixture.posts();
    expect(others).toEqual([]);
    expect(live).toMatchObject({ id: post.platformPostId, permalink: post.permalink });
    expect(live?.media).toHaveLength(kind[1].media?.length ?? 0);
  });
});

const draftKinds: Kind[] = [
  ['a text', { media: [], options: { draft: true } }],
  ['a link', { media: [], options: { draft: true, link: 'https://example.com/harbour' } }],
  ['photos', { media: ['image.jpg', 'square.jpg'], options: { draft: true } }],
  ['a video', { media: ['video.mp4'], options: { draft: true } }],
  ['a reel', { media: ['video.mp4'], options: { draft: true, type: 'reel' } }],
];

describe('a draft', () => {
  it.each(draftKinds)('exists once, with an id and without a permalink: %s', async (...kind) => {
    const { post, warning } = await (await publisherOf(kind)).publish();
    expect({ warning, permalink: post.permalink }).toEqual({ warning: undefined, permalink: null });
    const [draft, ...others] = await fixture.posts();
    expect(others).toEqual([]);
    expect(draft).toMatchObject({
      id: post.platformPostId,
      content: row.content,
      details: { is_published: false },
    });
    expect(draft?.media).toHaveLength(kind[1].media?.length ?? 0);
  });

  it('of a video can have a cover', async () => {
    const cover = await fixtures.source('square.jpg');
    const { warning } = await (
      await fixture.publisher({ media: ['video.mp4'], options: { draft: true }, cover })
    ).publish();
    expect(warning).toBeUndefined();
    expect((await fixture.posts())[0]?.cover).toMatchObject({ bytes: cover.sizeBytes });
  });

  it.each(['text', 'photos'])('is never made again if its response was lost: %s', async (kind) => {
    const media = kind === 'text' ? [] : ['image.jpg'];
    const publisher = await fixture.publisher({ media, options: { draft: true } });
    await fixture.plan('feed', 'drop-reply');
    await expect(publisher.publish()).rejects.toThrow('check the drafts in Meta Business Suite');
    expect(await fixture.posts()).toHaveLength(1);
  });

  it('is not confused with a published post that has the same text', async () => {
    const publisher = await fixture.publisher({ media: [], options: { draft: true } });
    await publisher.prepare();
    await fixture.plan('feed', 'drop-request');
    await publisher.goLive().catch(() => {});
    await (await fixture.publisher({ media: [], options: {} })).publish();
    expect(await publisher.reconcile()).toMatchObject({ kind: 'unknown' });
  });
});

describe('an audience', () => {
  const countries = ['de', 'AT', 'DE'];
  const targeting = { geo_locations: { countries: ['DE', 'AT'] } };

  it.each<Kind>([
    ['a text', { media: [], options: { countries } }],
    ['a link', { media: [], options: { countries, link: 'https://example.com/harbour' } }],
    ['photos', { media: ['image.jpg', 'square.jpg'], options: { countries } }],
    ['a video', { media: ['video.mp4'], options: { countries } }],
    ['a draft', { media: [], options: { countries, draft: true } }],
  ])('of some countries is that of %s', async (...kind) => {
    await (await publisherOf(kind)).publish();
    expect((await fixture.posts())[0]?.details).toMatchObject({ targeting });
  });

  it('is everybody if no country is named', async () => {
    await (await publisherOf(['a text', { media: [], options: { countries: [] } }])).publish();
    expect((await fixture.posts())[0]?.details).not.toHaveProperty('targeting');
  });
});

describe('texts', () => {
  it('have a link and the text of the post', async () => {
    const options = { link: 'https://example.com/harbour' };
    await (await fixture.publisher({ media: [], options })).publish();
    expect((await fixture.posts())[0]).toMatchObject({ content: row.content, details: options });
  });
});

describe('photos', () => {
  it('have their alternative texts, of which the option’s wins', async () => {
    const described = async (altText: string) => ({ ...(await fixtures.source('image.jpg')), altText });
    const media = [await described('a boat'), await described('a pier'), 'square.jpg'];
    await (await fixture.publisher({ media, options: { altText: ['', 'a quay'] } })).publish();
    expect((await fixture.posts())[0]?.details).toMatchObject({
      alt_text_custom: ['a boat', 'a quay', ''],
    });
  });

  it('above 4 MB that Facebook refuses are tried three times, because the error may be about the download', async () => {
    const media = [{ ...(await fixtures.source('image.jpg')), sizeBytes: 5_000_000 }];
    await fixture.plan('photos', 'error:100/1366046', 2);
    await (await fixture.publisher({ media, options: {} })).publish();
    expect(await fixture.posts()).toHaveLength(1);
    await fixture.plan('photos', 'error:100/1366046', 3);
    await expect((await fixture.publisher({ media, options: {} })).publish()).rejects.toMatchObject({
      remedy: 'rejected',
      message: expect.stringContaining('at most 4 MB'),
    });
  });

  it('that Facebook cannot download are retried for as long as the engine retries', async () => {
    await fixture.plan('photos', 'error:100/1366046', 8);
    await (await publisherOf(photo)).publish();
    expect(await fixture.posts()).toHaveLength(1);
  });

  it('that Facebook has are not uploaded again if it cannot download the next one', async () => {
    const publisher = await fixture.publisher({ media: ['image.jpg', 'square.jpg'], options: {} });
    const first = await fixture.adapter.prepare(publisher.job, fixture.tools);
    await fixture.plan('photos', 'error:100/1366046');
    const job = { ...publisher.job, preparation: first.preparation };
    const error: unknown = await fixture.adapter
      .prepare(job, fixture.tools)
      .catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ remedy: 'retry', preparation: undefined });
  });
});

/** Counts the started uploads of a reel or a video story. */
async function uploads(kind: Kind): Promise<number> {
  const requests = (await fixture.control('requests')) as unknown as { operation: string }[];
  const name = kind[0] === reel[0] ? 'video_reels.start' : 'video_stories.start';
  return requests.filter(({ operation }) => operation === name).length;
}

describe('videos', () => {
  it('are sent in the chunks that Facebook expects', async () => {
    await (await publisherOf(video)).prepare();
    const requests = (await fixture.control('requests')) as unknown as { operation: string }[];
    const calls = requests.map(({ operation }) => operation).filter((name) => name.startsWith('videos'));
    expect(calls).toEqual(['videos.start', 'videos.transfer', 'videos.transfer']);
  });

  it.each(['drop-reply', 'half-json', 'error:500', 'timeout'])(
    'continue from the bytes that Facebook has after %s',
    async (fault) => {
      await fixture.close();
      fixture = await openFixture(row, fixtures);
      await fixture.set({ chunkBytes: 65_536 });
      const publisher = await publisherOf(video);
      await fixture.plan('videos.transfer', fault);
      await publisher.publish();
      const [live] = await fixture.posts();
      const source = await fixtures.source('video.mp4');
      expect(live?.media[0]?.bytes).toBe(source.sizeBytes);
    },
  );

  it.each([video, reel])('%s shows its cover and its first comment', async (...kind) => {
    const publisher = await fixture.publisher({
      ...kind[1],
      cover: await fixtures.source('square.jpg'),
      options: { ...kind[1].options, firstComment: 'First' },
    });
    const { warning } = await publisher.publish();
    expect(warning).toBeUndefined();
    const cover = await fixtures.source('square.jpg');
    expect((await fixture.posts())[0]?.cover).toMatchObject({ bytes: cover.sizeBytes });
    expect(await fixture.control('comments')).toMatchObject([{ text: 'First' }]);
  });

  it.each(['complete', 'completed'])('are live once their status is %s', async (completeWord) => {
    await fixture.set({ completeWord });
    const publisher = await publisherOf(reel);
    await publisher.prepare();
    await expect(publisher.goLive()).rejects.toThrow('is processing it');
    expect(await publisher.reconcile()).toMatchObject({
      kind: 'live',
      post: { permalink: expect.stringMatching(/^https:\/\/www\.facebook\.com\/reel\/\d+/) },
    });
  });

  it('whose processing fails after the last call are uploaded once more', async () => {
    await fixture.plan('video_processing', 'error:6000/1363019');
    const publisher = await publisherOf(reel);
    await publisher.publish();
    expect(await fixture.posts()).toHaveLength(1);
  });

  it('whose processing fails again fail with Facebook’s message', async () => {
    await fixture.plan('video_processing', 'error:100/1363040', 5);
    const publisher = await publisherOf(reel);
    await expect(publisher.publish()).rejects.toMatchObject({
      remedy: 'rejected',
      message: expect.stringContaining('aspect ratio'),
    });
    expect(await fixture.posts()).toEqual([]);
  });

  it.each([reel, videoStory])('that read as missing at first are read again: %s', async (...kind) => {
    const publisher = await publisherOf(kind);
    await fixture.plan('video_object', 'error:100/33', 2);
    await publisher.prepare();
    expect(await uploads(kind)).toBe(1);
    await publisher.publish();
    expect(await fixture.posts()).toHaveLength(1);
  });

  it.each([reel, videoStory])('that are gone are uploaded once more: %s', async (...kind) => {
    const publisher = await publisherOf(kind);
    await fixture.plan('video_object', 'error:100/33', 8);
    await publisher.prepare();
    expect(await uploads(kind)).toBe(2);
  });

  it.each([reel, videoStory])(
    'that Facebook cannot download start over for as long as the engine retries: %s',
    async (_name, { options = {} }) => {
      const video = await fixtures.source('video.mp4');
      const media = { ...video, url: 'http://127.0.0.1:9/none.mp4' };
      const publisher = await fixture.publisher({ media: [media], options });
      for (let attempts = 0; attempts < 6; attempts += 1) {
        await expect(publisher.prepare()).rejects.toMatchObject({
          remedy: 'retry',
          retryAfterSeconds: 60,
          preparation: { renewals: 1 },
        });
        fixture.clock.time += 60_000;
      }
      Object.assign(media, { url: video.url });
      await publisher.publish();
      expect(await fixture.posts()).toHaveLength(1);
    },
  );
});

describe('the collaborators of a reel', () => {
  const pages = ['105400000000009', '105400000000010'];
  const open = () =>
    fixture.publisher({ media: ['video.mp4'], options: { contentType: 'reel', collaborators: pages } });
  const invited = async () => (await fixture.posts())[0]?.details?.['collaborators'] ?? [];
  const sent = async () => {
    const requests = (await fixture.control('requests')) as unknown as { operation: string }[];
    return requests.filter(({ operation }) => operation === 'collaborators').length;
  };

  it('are invited once the reel is live', async () => {
    const publisher = await open();
    await publisher.prepare();
    expect(await sent()).toBe(0);
    expect((await publisher.publish()).warning).toBeUndefined();
    expect(await invited()).toEqual(pages);
    expect(await sent()).toBe(2);
  });

  it('are invited later if Facebook does not know the new reel yet', async () => {
    const publisher = await open();
    await fixture.plan('collaborators', 'error:100/33', 2);
    expect((await publisher.publish()).warning).toBeUndefined();
    expect(await invited()).toEqual(pages);
  });

  it.each(['drop-reply', 'half-json'])(
    'are not invited twice if the response is lost (%s): a warning says so',
    async (fault) => {
      const publisher = await open();
      await fixture.plan('collaborators', fault);
      expect((await publisher.publish()).warning).toBe(
        `The Page ${pages[0]} may not have been invited as a collaborator: Facebook did not confirm it.`,
      );
      expect(await invited()).toEqual(pages);
      expect(await sent()).toBe(2);
    },
  );

  it('whom Facebook refuses are named in a warning, and the others are invited', async () => {
    const publisher = await open();
    await fixture.plan('collaborators', 'error:368');
    expect((await publisher.publish()).warning).toContain('368');
    expect(await invited()).toEqual(pages.slice(1));
  });
});

describe('stories', () => {
  it('of a Page without a story archive are live without a permalink', async () => {
    await fixture.set({ storyArchive: false });
    const publisher = await fixture.publisher({ media: ['image.jpg'], options: { contentType: 'story' } });
    const { post, warning } = await publisher.publish();
    expect(post).toEqual({ platformPostId: (await fixture.posts())[0]?.id, permalink: null });
    expect(warning).toBeUndefined();
  });
});

describe('the first comment', () => {
  const live = async () => {
    const publisher = await fixture.publisher();
    await publisher.prepare();
    return { publisher, post: await publisher.goLive() };
  };

  it('is posted without reading the comments before', async () => {
    const { publisher, post } = await live();
    expect((await publisher.finish(post)).warning).toBeUndefined();
    expect(await fixture.control('comments')).toHaveLength(1);
    const requests = (await fixture.control('requests')) as unknown as { operation: string }[];
    expect(requests.filter(({ operation }) => operation === 'comments_list')).toEqual([]);
  });

  it.each([video, reel].flatMap((kind) => [true, false].map((isWhole) => ({ kind, isWhole }))))(
    'is posted below the post of $kind.0, whether or not its post_id begins with the Page: $isWhole',
    async ({ kind: [, changes], isWhole }) => {
      await fixture.set({ completePostIds: isWhole });
      const options = { ...changes.options, firstComment: 'First' };
      const publisher = await fixture.publisher({ ...changes, options });
      expect((await publisher.publish()).warning).toBeUndefined();
      const { platformAccountId } = fixture.account;
      expect(await fixture.control('comments')).toMatchObject([
        { postId: expect.stringMatching(new RegExp(`^${platformAccountId}_\\d+$`)) },
      ]);
    },
  );

  it.each(['drop-reply', 'half-json'])('is posted once although its call ends in %s', async (fault) => {
    await fixture.set({ pagePublicContentAccess: true });
    await fixture.plan('comments', fault);
    const publisher = await fixture.publisher();
    expect((await publisher.publish()).warning).toBeUndefined();
    expect(await fixture.control('comments')).toHaveLength(1);
  });

  it('is posted once if its response is lost and the list of comments lags', async () => {
    const { publisher, post } = await live();
    await fixture.set({ listLagSeconds: 60, pagePublicContentAccess: true });
    await fixture.plan('comments', 'drop-reply');
    expect((await publisher.finish(post)).warning).toBeUndefined();
    expect(await fixture.control('comments')).toHaveLength(1);
  });

  it('is missing, with a warning, if its call had an unknown outcome and it does not appear', async () => {
    const { publisher, post } = await live();
    await fixture.set({ pagePublicContentAccess: true });
    await fixture.plan('comments', 'error:500');
    expect((await publisher.finish(post)).warning).toContain('The first comment may be missing');
    expect(await fixture.control('comments')).toEqual([]);
  });

  it('is posted again if its call was certainly refused', async () => {
    const { publisher, post } = await live();
    await fixture.plan('comments', 'error:100/33');
    expect((await publisher.finish(post)).warning).toBeUndefined();
    expect(await fixture.control('comments')).toHaveLength(1);
  });

  it.each(['error:10', 'error:200', 'error:368'])(
    'is missing, with a warning, if Facebook refuses comments (%s)',
    async (fault) => {
      const { publisher, post } = await live();
      await fixture.plan('comments', fault);
      expect((await publisher.finish(post)).warning).toMatch(/^Facebook: /);
    },
  );

  it('leaves a warning if its response is lost and the app may not read the comments', async () => {
    const { publisher, post } = await live();
    await fixture.plan('comments', 'drop-reply');
    expect((await publisher.finish(post)).warning).toContain('does not let the app read the comments');
    expect(await fixture.control('comments')).toHaveLength(1);
  });
});
