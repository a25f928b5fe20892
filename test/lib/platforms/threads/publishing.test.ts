import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { namesOf, scopesToRequest } from '../../../../lib/platforms/contract/features.ts';
import { threadsRules } from '../../../../lib/platforms/threads/rules.ts';
import { type Fixture, type JobChanges, openFixture } from '../../../contract/fixture.ts';
import { rowOf } from '../../../contract/rows.ts';
import { type FixtureServer, serveFixtures } from '../../../support/fixture-server.ts';

const row = rowOf('threads');

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

const kinds: [name: string, changes: JobChanges, details: object][] = [
  [
    'a text',
    { media: [], options: { link: 'https://example.com/', replyControl: 'everyone' } },
    { media_type: 'TEXT_POST', link_attachment: 'https://example.com/', reply_control: 'everyone' },
  ],
  [
    'an image',
    { media: ['image.jpg'], options: { altText: 'a cup', topicTag: '#Coffee' } },
    { media_type: 'IMAGE', alt_text: 'a cup', topic_tag: 'Coffee' },
  ],
  [
    'a PNG',
    { media: ['image.png'], options: { isSpoiler: true } },
    { media_type: 'IMAGE', is_spoiler_media: 'true' },
  ],
  ['a video', { media: ['video.mp4'], options: {} }, { media_type: 'VIDEO' }],
  [
    'a carousel',
    { media: ['image.jpg', 'video.mp4', 'square.jpg'], options: {} },
    { media_type: 'CAROUSEL_ALBUM' },
  ],
  [
    'a carousel of spoilers',
    { media: ['image.jpg', 'square.jpg'], options: { isSpoiler: true } },
    { media_type: 'CAROUSEL_ALBUM', is_spoiler_media: 'true' },
  ],
  [
    'a poll whose replies need an approval',
    {
      media: [],
      options: {
        poll: { options: [' Harbour ', 'Lighthouse', 'Both'] },
        replyApprovals: true,
        replyControl: 'everyone',
      },
    },
    {
      poll_attachment: JSON.stringify({ option_a: 'Harbour', option_b: 'Lighthouse', option_c: 'Both' }),
      enable_reply_approvals: 'true',
      reply_control: 'everyone',
    },
  ],
  [
    'a GIF',
    { media: [], options: { gifId: 'ICOgUNjpvO0PC' } },
    { gif_attachment: JSON.stringify({ gif_id: 'ICOgUNjpvO0PC', provider: 'GIPHY' }) },
  ],
  [
    'a text with a longer one attached',
    { media: [], options: { textAttachment: { text: ' The whole story ', link: 'https://example.com/' } } },
    {
      text_attachment: JSON.stringify({
        plaintext: 'The whole story',
        link_attachment_url: 'https://example.com/',
      }),
    },
  ],
  [
    'a ghost post',
    { media: [], options: { isGhostPost: true, textSpoilers: [{ offset: 0, length: 2 }] } },
    { is_ghost_post: 'true' },
  ],
  [
    'a text with hidden parts, counted without the whitespace before it',
    {
      content: ' \n The murderer is the gardener ',
      media: [],
      options: {
        textSpoilers: [
          { offset: 19, length: 12 },
          { offset: 7, length: 8 },
        ],
      },
    },
    {
      text_entities: JSON.stringify([
        { entity_type: 'SPOILER', offset: 16, length: 12 },
        { entity_type: 'SPOILER', offset: 4, length: 8 },
      ]),
    },
  ],
];
const image = () => fixture.publisher({ media: ['image.jpg'], options: {} });

describe('each kind of post', () => {
  it.each(kinds)('%s goes live', async (_name, changes, details) => {
    const publisher = await fixture.publisher(changes);
    const { post, warning } = await publisher.publish();
    expect(warning).toBeUndefined();
    const [live, ...others] = await fixture.posts();
    expect(others).toEqual([]);
    expect(live).toMatchObject({ id: post.platformPostId, permalink: post.permalink, details });
    expect(live?.media).toHaveLength(changes.media?.length ?? 0);
  });

  it.each(kinds)('%s is found if the response to its last call was lost', async (_name, changes) => {
    const publisher = await fixture.publisher(changes);
    await publisher.prepare();
    await fixture.plan('threads_publish', 'drop-reply');
    await expect(publisher.goLive()).rejects.toMatchObject({ remedy: 'unknown' });
    const [post] = await fixture.posts();
    expect(await publisher.reconcile()).toMatchObject({
      kind: 'live',
      post: { platformPostId: post?.id },
    });
  });
});

describe('a part of a thread', () => {
  const replies = async () =>
    (await fixture.control('replies')) as unknown as { id: string; text: string; replyToId: string }[];
  const first = async () => {
    const publisher = await fixture.publisher({ content: 'One', media: [], options: {} });
    return (await publisher.publish()).post.platformPostId ?? '';
  };

  it.each([
    ['a text', []],
    ['an image', ['image.jpg']],
    ['a carousel', ['image.jpg', 'square.jpg']],
  ])('that is %s is a reply to the part before it', async (_name, media) => {
    const replyTo = await first();
    const publisher = await fixture.publisher({ content: 'Two', media, options: {}, replyTo });
    const { post, warning } = await publisher.publish();
    expect(warning).toBeUndefined();
    expect(post.permalink).not.toBeNull();
    expect(await replies()).toMatchObject([{ id: post.platformPostId, text: 'Two', replyToId: replyTo }]);
  });

  it('is found among the replies to that part if the response to its last call was lost', async () => {
    const [replyTo, other] = [await first(), await first()];
    const options = { content: 'Two', media: [], options: {} };
    await (await fixture.publisher({ ...options, replyTo: other })).publish();
    const publisher = await fixture.publisher({ ...options, replyTo });
    await publisher.prepare();
    await fixture.plan('threads_publish', 'drop-reply');
    await expect(publisher.goLive()).rejects.toMatchObject({ remedy: 'unknown' });
    const own = (await replies()).find(({ replyToId }) => replyToId === replyTo);
    expect(await publisher.reconcile()).toMatchObject({ kind: 'live', post: { platformPostId: own?.id } });
  });

  it('without a text is found by its time, once its container says that it was published', async () => {
    const replyTo = await first();
    const publisher = await fixture.publisher({ content: '', media: ['image.jpg'], options: {}, replyTo });
    await publisher.prepare();
    await fixture.plan('threads_publish', 'drop-reply');
    await expect(publisher.goLive()).rejects.toMatchObject({ remedy: 'unknown' });
    const [own] = await replies();
    expect(await publisher.reconcile()).toMatchObject({ kind: 'live', post: { platformPostId: own?.id } });
  });

  it('is found by the address that a person gives, even if Threads shows another text', async () => {
    const replyTo = await first();
    const publisher = await fixture.publisher({ content: 'Two', media: [], options: {}, replyTo });
    await publisher.prepare();
    await publisher.crashAtLastCall(false);
    const shown = await fixture.publisher({ content: 'Two, as shown', media: [], options: {}, replyTo });
    const { post } = await shown.publish();
    const permalink = `${post.permalink?.replace(/^https:\/\/[^/]+/, 'https://www.threads.com')}/?xmt=1`;
    expect((await publisher.finish({ platformPostId: null, permalink })).post).toMatchObject(post);
  });

  it('waits until the part before it can be replied to', async () => {
    await fixture.set({ replyDelaySeconds: 20 });
    const replyTo = await first();
    await (await fixture.publisher({ content: 'Two', media: [], options: {}, replyTo })).publish();
    expect(await replies()).toHaveLength(1);
  });
});

describe('a quote', () => {
  it('names the post that it quotes', async () => {
    const quoted = await (await fixture.publisher({ content: 'Six', media: [], options: {} })).publish();
    const quotePostId = quoted.post.platformPostId ?? '';
    await (await fixture.publisher({ media: ['image.jpg'], options: { quotePostId } })).publish();
    expect((await fixture.posts()).map(({ details }) => details?.['quote_post_id'])).toContain(quotePostId);
  });

  it('of a post that does not exist is rejected', async () => {
    const publisher = await fixture.publisher({ media: [], options: { quotePostId: '123' } });
    await expect(publisher.prepare()).rejects.toMatchObject({
      remedy: 'rejected',
      message: expect.stringContaining('123'),
    });
  });
});

describe('containers', () => {
  it('of a carousel’s items are all finished before the carousel’s container is created', async () => {
    await (await fixture.publisher({ media: ['video.mp4', 'image.jpg'], options: {} })).publish();
    const requests = (await fixture.control('requests')) as unknown as {
      operation: string;
      status: number;
    }[];
    expect(requests.filter(({ status }) => status >= 400)).toEqual([]);
  });

  it('that expire before the post is due are replaced', async () => {
    const publisher = await image();
    await publisher.prepare();
    fixture.clock.time += 25 * 3_600_000;
    await publisher.publish();
    expect(await fixture.posts()).toHaveLength(1);
  });

  it('whose file Threads cannot download are replaced until it can', async () => {
    await fixture.plan('container_processing', 'error:FAILED_DOWNLOADING_VIDEO', 8);
    await (await fixture.publisher({ media: ['video.mp4'], options: {} })).publish();
    expect(await fixture.posts()).toHaveLength(1);
  });

  it.each(['FAILED_PROCESSING_VIDEO', 'FAILED_PROCESSING_AUDIO', 'UNKNOWN'])(
    'that fail with %s are replaced a bounded number of times',
    async (reason) => {
      await fixture.plan('container_processing', `error:${reason}`, 2);
      await (await image()).publish();
      expect(await fixture.posts()).toHaveLength(1);
      await fixture.plan('container_processing', `error:${reason}`, 20);
      await expect((await image()).prepare()).rejects.toMatchObject({
        remedy: 'rejected',
        platformCode: reason,
      });
    },
  );

  it.each([
    ['INVALID_ASPEC_RATIO', 'ratio'],
    ['INVALID_BIT_RATE', '25 Mbit'],
    ['INVALID_DURATION', '5 minutes'],
    ['INVALID_FRAME_RATE', 'frames'],
    ['INVALID_AUDIO_CHANNELS', 'stereo'],
    ['INVALID_AUDIO_CHANNEL_LAYOUT', 'stereo'],
  ])('that fail with %s fail the post immediately, with advice', async (reason, advice) => {
    await fixture.plan('container_processing', `error:${reason}`);
    await expect((await image()).prepare()).rejects.toMatchObject({
      remedy: 'rejected',
      message: expect.stringContaining(advice),
    });
  });

  it('that are never finished fail the post after half an hour', async () => {
    await fixture.plan('container_processing', 'timeout');
    await expect((await image()).prepare()).rejects.toMatchObject({ remedy: 'rejected' });
  });
});

describe('a platform on which young containers are lost although they read FINISHED', () => {
  const created = async () => {
    const requests = (await fixture.control('requests')) as unknown as { operation: string }[];
    return requests.filter(({ operation }) => operation === 'threads').length;
  };
  beforeEach(() => fixture.set({ settlingSeconds: 30 }));

  it('loses none of a post that was prepared ahead of its time', async () => {
    const publisher = await fixture.publisher({ media: [], options: {} });
    const begun = fixture.clock.time;
    await publisher.prepare();
    fixture.clock.time = begun + threadsRules.leadSeconds({ content: '', media: [], options: {} }) * 1_000;
    await publisher.goLive();
    expect(await created()).toBe(1);
  });

  it('publishes a post that is due immediately once its containers rest', async () => {
    const publisher = await image();
    await publisher.publish();
    expect(await fixture.posts()).toHaveLength(1);
    expect(await created()).toBe(3);
  });
});

describe('connecting', () => {
  it('succeeds although Threads inspects the tokens of testers only', async () => {
    await fixture.set({ inspectsTokens: false });
    const { features } = fixture.authorization;
    const [account] = await fixture.connect();
    expect(account?.tokens.scopes).toEqual(scopesToRequest(features, namesOf(features)));
  });

  it.each(['error:500', 'error:190', 'half-json'])(
    'succeeds although the inspection ends in %s',
    async (fault) => {
      await fixture.plan('debug_token', fault);
      expect(await fixture.connect()).toHaveLength(1);
    },
  );
});

describe('an unknown outcome', () => {
  it('results from a block as spam', async () => {
    const publisher = await image();
    await publisher.prepare();
    await fixture.plan('threads_publish', 'error:4/2207051');
    await expect(publisher.goLive()).rejects.toMatchObject({ remedy: 'unknown', ifAbsent: 'rejected' });
  });
});

describe('the first comment', () => {
  const firstComment = 'Which one is yours?';
  const publisher = () => fixture.publisher({ media: [], options: { firstComment } });

  it('is a reply to the post, once the post can be replied to', async () => {
    await fixture.set({ replyDelaySeconds: 5 });
    const { post, warning } = await (await publisher()).publish();
    expect(warning).toBeUndefined();
    expect(await fixture.control('replies')).toMatchObject([
      { text: firstComment, replyToId: post.platformPostId },
    ]);
  });

  it.each(['drop-reply', 'half-json'])(
    'is posted once although its publish call ends in %s and the status lags',
    async (fault) => {
      await fixture.set({ readLagSeconds: 20 });
      const { goLive, prepare, finish } = await publisher();
      await prepare();
      const live = await goLive();
      await fixture.plan('threads_publish', fault);
      expect((await finish(live)).warning).toBeUndefined();
      expect(await fixture.control('replies')).toHaveLength(1);
    },
  );

  it('leaves a warning on the published post if it is refused', async () => {
    const { goLive, prepare, finish } = await publisher();
    await prepare();
    const live = await goLive();
    await fixture.plan('threads', 'error:100');
    const { post, warning } = await finish(live);
    expect(post.permalink).toEqual(expect.any(String));
    expect(warning).toContain('Threads:');
  });
});

describe('an invalid token', () => {
  it.each(['190', 'missing'])('is recognized if Threads responds with %s', async (deadTokenAnswer) => {
    await fixture.set({ deadTokenAnswer });
    await fixture.control('revoke', 'POST', { username: fixture.account.username });
    await expect((await image()).prepare()).rejects.toMatchObject({ remedy: 'reauthorise' });
    await expect(fixture.authorization.refresh(fixture.account.tokens, fixture.tools)).rejects.toMatchObject({
      remedy: 'reauthorise',
    });
  });

  it('is not assumed if only the container is missing', async () => {
    const publisher = await image();
    await publisher.prepare();
    await fixture.plan('threads_publish', 'error:24');
    await expect(publisher.goLive()).rejects.toMatchObject({ remedy: 'retry', preparation: { renewals: 1 } });
  });
});

it('reads the id from the profile, because the token response has it as a number beyond 2^53', () => {
  expect(fixture.account.platformAccountId).toMatch(/^\d{17}$/);
  expect(fixture.account.displayName).toBe(fixture.account.username);
});
