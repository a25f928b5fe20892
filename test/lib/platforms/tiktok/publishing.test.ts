import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { MediaSource, PublishJob } from '../../../../lib/platforms/contract/adapter.ts';
import { creatorInfoReaderFor } from '../../../../lib/platforms/registry/creator-infos.ts';
import { type Fixture, openFixture } from '../../../contract/fixture.ts';
import { login, rowOf } from '../../../contract/rows.ts';
import { type FixtureServer, serveFixtures } from '../../../support/fixture-server.ts';
import { readCorpusFile } from '../../../support/media-corpus.ts';
import { publisherOf } from '../../../support/publisher.ts';

const row = rowOf('tiktok');
const everyone = { privacyLevel: 'PUBLIC_TO_EVERYONE' };
const hourMs = 3_600_000;

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

const requests = async (operation: string) => {
  const all = (await fixture.control('requests')) as unknown as { operation: string; status: number }[];
  return all.filter((request) => request.operation === operation);
};
const limit = (limits: Record<string, number>) => fixture.control('limits', 'PUT', limits);
const creator = (changes: Record<string, unknown>) =>
  fixture.control('users', 'POST', { username: login, ...changes });
/** The same post, published by a worker with another token. */
const withToken = (job: PublishJob, accessToken: string) =>
  publisherOf(fixture.adapter, { ...job, accessToken }, fixture.tools, fixture.clock, fixture.idle);
const renewedToken = async () =>
  (await fixture.authorization.refresh(fixture.account.tokens, fixture.tools)).accessToken;

describe('the creator info', () => {
  it('is read before every post, and limits its options', async () => {
    await creator({ commentDisabled: true, stitchDisabled: true });
    const publisher = await fixture.publisher();
    await publisher.publish();
    expect(await requests('creator_info.query')).toHaveLength(1);
    expect(await fixture.posts()).toMatchObject([
      {
        details: {
          disable_comment: true,
          disable_duet: true,
          disable_stitch: true,
          is_aigc: true,
          brand_content_toggle: false,
        },
      },
    ]);
  });

  it('is shown to composers as TikTok returns it', async () => {
    await creator({ duetDisabled: true, maxVideoSeconds: 300, isPrivate: true });
    const read = creatorInfoReaderFor('tiktok');
    expect(await read?.(fixture.account.tokens.accessToken, fixture.tools)).toEqual({
      nickname: login,
      username: login,
      avatarUrl: expect.stringMatching(/^https:\/\//),
      privacyLevels: ['FOLLOWER_OF_CREATOR', 'MUTUAL_FOLLOW_FRIENDS', 'SELF_ONLY'],
      commentDisabled: false,
      duetDisabled: true,
      stitchDisabled: false,
      maxVideoSeconds: 300,
    });
  });

  const off = { disableComment: true, disableDuet: true, disableStitch: true };
  const on = { disableComment: false, disableDuet: false, disableStitch: false };
  const turnedOff = { commentDisabled: true, duetDisabled: true, stitchDisabled: true };
  it.each<[string, object, Record<string, unknown>, boolean]>([
    ['off by default', {}, {}, true],
    ['off if the post says so', off, {}, true],
    ['on if the post says so', on, {}, false],
    ['off if the creator has turned them off, whatever the post says', on, turnedOff, true],
  ])('comments, duets and stitches are %s', async (_name, options, standing, isOff) => {
    await creator(standing);
    await (await fixture.publisher({ options: { ...everyone, ...options } })).publish();
    const [video] = await fixture.posts();
    expect(video?.details).toMatchObject({
      disable_comment: isOff,
      disable_duet: isOff,
      disable_stitch: isOff,
    });
    const photos = { media: ['image.jpg'], options: { ...everyone, ...options } };
    const { post } = await (await fixture.publisher(photos)).publish();
    const ofPhotos = (await fixture.posts()).find(({ id }) => id === post.platformPostId);
    expect(ofPhotos?.details).toMatchObject({ disable_comment: isOff });
  });

  it.each([
    [61, 60],
    [601, 600],
  ])(
    'rejects a video of %i seconds for a limit of %i, before the upload starts',
    async (seconds, maxVideoSeconds) => {
      await creator({ maxVideoSeconds });
      const video = { ...(await fixtures.source('video.mp4')), durationSeconds: seconds };
      const publisher = await fixture.publisher({ media: [video], options: everyone });
      await expect(publisher.prepare()).rejects.toMatchObject({
        remedy: 'rejected',
        message: expect.stringContaining(`at most ${maxVideoSeconds} seconds; this one lasts ${seconds}`),
      });
      expect(await requests('video.init')).toEqual([]);
    },
  );

  it.each([60, 60.9, undefined])(
    'accepts a video of %s seconds for a limit of 60',
    async (durationSeconds) => {
      await creator({ maxVideoSeconds: 60 });
      const video = { ...(await fixtures.source('video.mp4')), durationSeconds };
      await (await fixture.publisher({ media: [video], options: everyone })).publish();
      expect(await fixture.posts()).toHaveLength(1);
    },
  );

  it('rejects a privacy level that the account does not allow, before the upload starts', async () => {
    await creator({ isPrivate: true });
    const publisher = await fixture.publisher();
    await expect(publisher.prepare()).rejects.toMatchObject({
      remedy: 'rejected',
      message: expect.stringContaining('FOLLOWER_OF_CREATOR, MUTUAL_FOLLOW_FRIENDS, SELF_ONLY'),
    });
    expect(await requests('video.init')).toEqual([]);
  });

  it.each([
    ['has reached the daily limit', () => limit({ postsPerDay: 0 }), 'retry', 'spam_risk_too_many_posts'],
    ['exceeds the app’s users per day', () => limit({ usersPerDay: 0 }), 'retry', 'reached_active_user_cap'],
    ['is banned', () => creator({ isBanned: true }), 'restricted', 'spam_risk_user_banned_from_posting'],
  ])(
    'is refused during preparation if the creator %s, although with HTTP 200',
    async (_name, arrange, remedy, platformCode) => {
      await arrange();
      const publisher = await fixture.publisher();
      await expect(publisher.prepare()).rejects.toMatchObject({ remedy, platformCode, status: 200 });
    },
  );

  it('requires a private account if the app has not passed the audit', async () => {
    await fixture.set({ unaudited: true });
    const publisher = await fixture.publisher();
    await expect(publisher.prepare()).rejects.toMatchObject({
      remedy: 'rejected',
      message: expect.stringContaining('the TikTok account itself must be set to private'),
    });
  });
});

describe('a video', () => {
  const chunkBytes = 5 * 1_048_576;
  const bytes = Buffer.alloc(2 * chunkBytes + 7);
  for (let index = 0; index < bytes.length; index += 4_096) bytes.writeUInt32LE(index, index);
  const video = readCorpusFile('vp9-opus.webm');
  video.copy(bytes);
  // The rest is an empty element (Void) with a size of eight bytes.
  bytes.writeUInt16BE(0xec01, video.length);
  bytes.writeUIntBE(0, video.length + 2, 1);
  bytes.writeUIntBE(bytes.length - video.length - 9, video.length + 3, 6);
  let ranges: [number, number][];
  beforeEach(() => {
    ranges = [];
  });
  const large: MediaSource = {
    type: 'video',
    url: 'https://media.example/video.webm',
    contentType: 'video/webm',
    sizeBytes: bytes.length,
    openRange: async (first, last) => {
      ranges.push([first, last]);
      return Readable.from([bytes.subarray(first, last + 1)]);
    },
  };
  const largeVideo = () => fixture.publisher({ media: [large], options: everyone });
  const firstRange = [0, chunkBytes + 2];
  const lastRange = [chunkBytes + 3, bytes.length - 1];

  it('is uploaded during preparation, except for its last chunk', async () => {
    const publisher = await largeVideo();
    await publisher.prepare();
    expect(ranges).toEqual([firstRange]);
    expect(await fixture.posts()).toEqual([]);
    await publisher.publish();
    expect(ranges).toEqual([firstRange, lastRange]);
    const sha256 = createHash('sha256').update(bytes).digest('hex');
    expect(await fixture.posts()).toMatchObject([{ media: [{ bytes: bytes.length, sha256 }] }]);
  });

  it('has its upload URL committed before any byte is sent', async () => {
    const { job } = await largeVideo();
    const step = await fixture.adapter.prepare(job, fixture.tools);
    expect(step).toMatchObject({
      state: 'continue',
      preparation: { publishId: expect.stringMatching(/^v_pub_file~/), uploadUrl: expect.any(String) },
    });
    expect(ranges).toEqual([]);
  });

  it('continues in another invocation if the time runs out', async () => {
    const { job } = await largeVideo();
    const { preparation } = await fixture.adapter.prepare(job, fixture.tools);
    const late = { ...job, preparation, deadline: fixture.clock.time + 1_000 };
    expect(await fixture.adapter.prepare(late, fixture.tools)).toMatchObject({ state: 'continue' });
    expect(ranges).toEqual([]);
    expect(await fixture.adapter.prepare({ ...job, preparation }, fixture.tools)).toMatchObject({
      state: 'ready',
    });
  });

  it.each(['error:503', 'drop-reply', 'rate-limit', 'timeout'])(
    'survives a chunk whose call ends in %s',
    async (fault) => {
      await fixture.plan('video.upload', fault);
      const publisher = await largeVideo();
      await publisher.publish();
      const [post, ...others] = await fixture.posts();
      expect(others).toEqual([]);
      expect(post?.media[0]?.bytes).toBe(bytes.length);
      expect(await requests('video.init')).toHaveLength(1);
    },
  );

  it('continues with the chunk that TikTok expects', async () => {
    const publisher = await largeVideo();
    const step = await fixture.adapter.prepare(publisher.job, fixture.tools);
    const stale = { ...publisher.job, preparation: step.preparation };
    await fixture.adapter.prepare(stale, fixture.tools);
    // The status lags: it says that nothing is stored.
    const http = {
      ...fixture.tools.http,
      send: async (request: Parameters<typeof fixture.tools.http.send>[0]) => {
        const answer = await fixture.tools.http.send(request);
        const json = { data: { status: 'PROCESSING_UPLOAD', uploaded_bytes: 0 }, error: { code: 'ok' } };
        return request.url.includes('status') ? { ...answer, json } : answer;
      },
    };
    expect(await fixture.adapter.prepare(stale, { ...fixture.tools, http })).toMatchObject({
      state: 'ready',
    });
    expect(ranges).toEqual([firstRange, firstRange]);
  });

  it.each([403, 404])(
    'starts over immediately if its upload disappears (%i) before the last chunk',
    async (status) => {
      await fixture.plan('video.upload', `error:${status}`);
      const publisher = await largeVideo();
      await publisher.publish();
      expect(await requests('video.init')).toHaveLength(2);
      expect(await fixture.posts()).toHaveLength(1);
    },
  );

  it('is not started over while a stale status read does not know its new upload', async () => {
    await fixture.plan('status.fetch', 'error:invalid_publish_id', 5);
    const publisher = await fixture.publisher();
    const begun = fixture.clock.time;
    await publisher.prepare();
    expect(await requests('video.init')).toHaveLength(1);
    // 1 + 2 + 4 + 8 + 16 seconds
    expect(fixture.clock.time - begun).toBe(31_000);
  });

  it('starts over if TikTok does not know its upload, a bounded number of times', async () => {
    const publisher = await fixture.publisher();
    await fixture.plan('status.fetch', 'error:invalid_publish_id', 9);
    await publisher.publish();
    expect(await fixture.posts()).toHaveLength(1);
    expect(await requests('video.init')).toHaveLength(2);
    await fixture.plan('status.fetch', 'error:invalid_publish_id', 50);
    await expect((await fixture.publisher()).prepare()).rejects.toMatchObject({ remedy: 'rejected' });
    expect(await requests('video.init')).toHaveLength(2 + 4);
  });

  it('starts over after its upload has expired, a bounded number of times', async () => {
    await fixture.set({ accessTokenSeconds: 86_400 });
    const [account] = await fixture.connect();
    const publisher = withToken((await largeVideo()).job, account?.tokens.accessToken ?? '');
    for (let inits = 1; inits <= 4; inits += 1) {
      await publisher.prepare();
      expect(await requests('video.init')).toHaveLength(inits);
      fixture.clock.time += hourMs;
      const remedy = inits === 4 ? 'rejected' : 'retry';
      await expect(publisher.goLive()).rejects.toMatchObject({ remedy });
    }
    expect(await fixture.posts()).toEqual([]);
  });

  it('starts over if TikTok refuses its last chunk because the upload is gone', async () => {
    const publisher = await largeVideo();
    await publisher.prepare();
    await fixture.plan('video.upload', 'error:404');
    await expect(publisher.goLive()).rejects.toMatchObject({ remedy: 'retry', status: 404 });
    expect(publisher.job.preparation).toEqual({ renewals: 1 });
    await publisher.publish();
    expect(await requests('video.init')).toHaveLength(2);
    expect(await fixture.posts()).toHaveLength(1);
  });

  it('sends the chunks that TikTok has lost if it refuses the last one (416)', async () => {
    const publisher = await largeVideo();
    await publisher.prepare();
    await fixture.plan('video.upload', 'error:416');
    await expect(publisher.goLive()).rejects.toMatchObject({ remedy: 'retry', status: 416 });
    await publisher.publish();
    expect(await requests('video.init')).toHaveLength(1);
    expect(await fixture.posts()).toHaveLength(1);
  });

  it.each([0, 30, 90])(
    'is live once if its response is lost and the status lags by %i seconds',
    async (seconds) => {
      const publisher = await largeVideo();
      await publisher.prepare();
      await fixture.set({ readLagSeconds: seconds });
      await fixture.plan('video.upload', 'drop-reply');
      const { post } = await publisher.publish();
      const [live, ...others] = await fixture.posts();
      expect([others, post.platformPostId]).toEqual([[], live?.id]);
      expect(await requests('video.init')).toHaveLength(1);
    },
  );

  it('has an unknown outcome if its response is lost and the status lags until the upload has expired', async () => {
    await fixture.set({ accessTokenSeconds: 86_400 });
    const [account] = await fixture.connect();
    const publisher = withToken((await largeVideo()).job, account?.tokens.accessToken ?? '');
    await publisher.prepare();
    fixture.clock.time += 50 * 60_000;
    await fixture.set({ readLagSeconds: 'forever' });
    await fixture.plan('video.upload', 'drop-reply');
    await expect(publisher.publish()).rejects.toThrow("outcome unknown: check the account's profile");
    expect(await fixture.posts()).toHaveLength(1);
    expect(await requests('video.init')).toHaveLength(1);
  });

  it('has its last chunk sent again if the worker was killed before the call', async () => {
    const publisher = await largeVideo();
    await publisher.prepare();
    await publisher.crashAtLastCall(false);
    expect(await publisher.reconcile()).toMatchObject({ kind: 'repeat' });
    // On a busy machine the response may come after the short limit of these tests.
    await publisher.goLive().catch(() => publisher.reconcile());
    expect(await fixture.posts()).toHaveLength(1);
    expect(await requests('video.init')).toHaveLength(1);
  });

  it('has an unknown outcome if the worker was killed before the call and the upload has expired', async () => {
    await fixture.set({ accessTokenSeconds: 86_400 });
    const [account] = await fixture.connect();
    const publisher = withToken((await largeVideo()).job, account?.tokens.accessToken ?? '');
    await publisher.prepare();
    await publisher.crashAtLastCall(false);
    fixture.clock.time += hourMs;
    expect(await publisher.reconcile()).toMatchObject({ kind: 'unknown' });
    expect(await requests('video.init')).toHaveLength(1);
  });

  it('is not sent again if an earlier call took effect', async () => {
    const publisher = await fixture.publisher();
    await publisher.prepare();
    const { job } = publisher;
    await publisher.goLive();
    expect(await fixture.adapter.prepare(job, fixture.tools)).toMatchObject({ state: 'ready' });
    fixture.clock.time += 5_000;
    const [post] = await fixture.posts();
    expect(await fixture.adapter.goLive(job, fixture.tools)).toMatchObject({ platformPostId: post?.id });
    expect(await fixture.posts()).toHaveLength(1);
    expect(await requests('video.init')).toHaveLength(1);
  });

  it('refuses an upload URL that is not TikTok’s', async () => {
    const { job } = await largeVideo();
    const http = {
      ...fixture.tools.http,
      send: async (request: Parameters<typeof fixture.tools.http.send>[0]) => {
        const answer = await fixture.tools.http.send(request);
        const data = { publish_id: 'v_pub_file~1', upload_url: 'https://tiktokapis.com.evil.example/video/' };
        return request.url.includes('video/init')
          ? { ...answer, json: { data, error: { code: 'ok' } } }
          : answer;
      },
    };
    const attempt = fixture.adapter.prepare(job, { ...fixture.tools, http });
    await expect(attempt).rejects.toMatchObject({ remedy: 'unknown' });
  });
});

describe('a post that TikTok has accepted', () => {
  it('is live once its status says so, and not before', async () => {
    await fixture.set({ processingSeconds: 90 });
    const publisher = await fixture.publisher();
    await publisher.prepare();
    await expect(publisher.goLive()).rejects.toMatchObject({
      remedy: 'unknown',
      message: expect.stringContaining('processing'),
    });
    const before = fixture.clock.time;
    expect(await publisher.reconcile()).toMatchObject({ kind: 'live' });
    expect(fixture.clock.time - before).toBeGreaterThanOrEqual(90_000);
    expect(await requests('video.upload')).toHaveLength(1);
  });

  it('keeps its exact id, although TikTok sends a large number', async () => {
    const publisher = await fixture.publisher();
    const { post } = await publisher.publish();
    expect(post.platformPostId).toMatch(/^753\d{16}$/);
    expect(String(Number(post.platformPostId))).not.toBe(post.platformPostId);
    expect(post.permalink).toBe(`https://www.tiktok.com/@${login}/video/${post.platformPostId}`);
    expect(await fixture.posts()).toMatchObject([{ id: post.platformPostId, permalink: post.permalink }]);
  });

  it.each(['SELF_ONLY', 'MUTUAL_FOLLOW_FRIENDS'])(
    'for %s is complete without an id',
    async (privacyLevel) => {
      const publisher = await fixture.publisher({ media: row.media, options: { privacyLevel } });
      const before = fixture.clock.time;
      expect(await publisher.publish()).toEqual({
        state: 'done',
        post: { platformPostId: null, permalink: null },
      });
      expect(fixture.clock.time - before).toBeLessThan(10_000);
    },
  );

  it('is finished without its id if the id is not available in time', async () => {
    await fixture.set({ postIdDelaySeconds: 24 * 3_600 });
    const publisher = await fixture.publisher();
    expect(await publisher.publish()).toEqual({
      state: 'done',
      post: { platformPostId: null, permalink: null },
      warning: expect.stringContaining('moderation'),
    });
  });

  it.each(['html', 'half-json', 'ok-with-error', 'error:500', 'rate-limit'])(
    'stays published if every status call ends in %s',
    async (fault) => {
      const publisher = await fixture.publisher();
      await publisher.prepare();
      await fixture.set({ postIdDelaySeconds: 60 });
      const live = await publisher.goLive();
      await fixture.plan('status.fetch', fault, 20);
      const { post, warning } = await publisher.finish(live);
      expect([post, warning]).toEqual([{ platformPostId: null, permalink: null }, expect.any(String)]);
    },
  );

  it('fails permanently if TikTok cannot use the file, and is not live', async () => {
    const publisher = await fixture.publisher({ media: ['two-seconds.mp4'], options: everyone });
    await expect(publisher.publish()).rejects.toMatchObject({
      remedy: 'rejected',
      platformCode: 'duration_check_failed',
    });
    expect(await fixture.posts()).toEqual([]);
    expect(await requests('video.init')).toHaveLength(1);
  });

  it('starts over if TikTok failed internally, a bounded number of times', async () => {
    await fixture.plan('processing', 'error:internal');
    await (await fixture.publisher()).publish();
    expect(await fixture.posts()).toHaveLength(1);
    expect(await requests('video.init')).toHaveLength(2);

    await fixture.plan('processing', 'error:internal', 10);
    const hopeless = await fixture.publisher();
    await expect(hopeless.publish()).rejects.toMatchObject({ remedy: 'rejected', platformCode: 'internal' });
    expect(await requests('video.init')).toHaveLength(6);
  });

  it('that is never processed has an unknown outcome', async () => {
    await fixture.plan('processing', 'timeout');
    await limit({ statusPerMinute: 1_000 });
    const publisher = await fixture.publisher();
    await publisher.prepare();
    await expect(publisher.goLive()).rejects.toMatchObject({ remedy: 'unknown' });
    const begun = fixture.clock.time;
    const next = withToken(publisher.job, await renewedToken());
    await next.crashAtLastCall(false);
    expect(await next.reconcile()).toMatchObject({ kind: 'unknown' });
    expect(fixture.clock.time - begun).toBeGreaterThan(75 * 60_000);
    expect(await requests('video.init')).toHaveLength(1);
  });

  it('that TikTok no longer knows, or assigns to another account, has an unknown outcome', async () => {
    const publisher = await fixture.publisher();
    await publisher.prepare();
    await publisher.goLive();
    const ask = (job: PublishJob) => {
      const token = fixture.adapter.tokenOf(job);
      const endedMs = fixture.clock.time;
      const call = { token, sinceMs: endedMs, endedMs, isTaken: async () => false };
      return fixture.adapter.lookUp({ ...job, call }, fixture.tools);
    };
    const { job } = publisher;
    const forgotten = { ...job, preparation: { ...job.preparation, publishId: 'v_pub_file~old' } };
    expect(await ask(forgotten)).toEqual({ state: 'unseen', isGone: true });
    await fixture.control('users', 'POST', { username: 'north.light' });
    const [other] = await fixture.connect({ login: 'north.light' });
    expect(await ask({ ...job, accessToken: other?.tokens.accessToken ?? '' })).toEqual({
      state: 'unseen',
      isGone: true,
    });
  });

  it('whose status TikTok refuses to show has an unknown outcome, without a failure of the account', async () => {
    const publisher = await fixture.publisher();
    await publisher.prepare();
    await publisher.crashAtLastCall(true);
    await fixture.plan('status.fetch', 'error:spam_risk_user_banned_from_posting', 50);
    expect(await publisher.reconcile()).toMatchObject({ kind: 'unknown' });
  });

  it('that has failed is absent, with the reason', async () => {
    await fixture.plan('processing', 'error:duration_check_failed');
    const publisher = await fixture.publisher();
    await publisher.prepare();
    await expect(publisher.goLive()).rejects.toMatchObject({ remedy: 'unknown' });
    expect(await publisher.reconcile()).toMatchObject({
      kind: 'absent',
      proof: expect.stringContaining('duration_check_failed'),
    });
    await expect(publisher.prepare()).rejects.toMatchObject({ platformCode: 'duration_check_failed' });
  });
});

describe('a token that expires during publishing', () => {
  it('between the last call and the status never makes a second post', async () => {
    const publisher = await fixture.publisher();
    await publisher.prepare();
    await fixture.plan('video.upload', 'expire-token');
    // TikTok accepts the bytes, because the upload URL needs no token; only the status call fails.
    await expect(publisher.goLive()).rejects.toMatchObject({ remedy: 'unknown' });
    await expect(publisher.reconcile()).rejects.toMatchObject({ remedy: 'reauthorise' });

    const next = withToken(publisher.job, await renewedToken());
    await next.crashAtLastCall(false);
    fixture.clock.time += 10_000;
    const outcome = await next.reconcile();
    const [post, ...others] = await fixture.posts();
    expect(others).toEqual([]);
    expect(outcome).toMatchObject({ kind: 'live', post: { platformPostId: post?.id } });
    expect(await requests('video.init')).toHaveLength(1);
  });

  it('during preparation or before finish asks to reauthorise; then the work continues', async () => {
    const publisher = await fixture.publisher();
    const { preparation } = await fixture.adapter.prepare(publisher.job, fixture.tools);
    await fixture.plan('status.fetch', 'expire-token');
    const job = { ...publisher.job, preparation };
    await expect(fixture.adapter.prepare(job, fixture.tools)).rejects.toMatchObject({
      remedy: 'reauthorise',
    });

    const next = withToken(job, await renewedToken());
    await next.prepare();
    const live = await next.goLive();
    await fixture.plan('status.fetch', 'expire-token');
    await expect(next.finish(live)).rejects.toMatchObject({ remedy: 'reauthorise' });
    expect([(await fixture.posts()).length, (await requests('video.init')).length]).toEqual([1, 1]);
  });
});

describe('photos', () => {
  const options = { ...everyone, title: 'Harbour', photoCoverIndex: 1, autoAddMusic: true };
  const photos = (changes = {}) =>
    fixture.publisher({ media: ['image.jpg', 'square.jpg'], options: { ...options, ...changes } });

  it('go live with one call, and TikTok downloads them', async () => {
    const publisher = await photos();
    await publisher.prepare();
    expect(await requests('content.init')).toEqual([]);
    const { post, warning } = await publisher.publish();
    expect(warning).toBeUndefined();
    expect(post.permalink).toBe(`https://www.tiktok.com/@${login}/photo/${post.platformPostId}`);
    const [live, ...others] = await fixture.posts();
    expect(others).toEqual([]);
    expect(live).toMatchObject({
      id: post.platformPostId,
      content: publisher.job.content,
      media: [{ type: 'image/jpeg' }, { type: 'image/jpeg' }],
      details: { title: 'Harbour', photo_cover_index: 1, auto_add_music: true },
    });
    expect(await requests('content.init')).toHaveLength(1);
  });

  it('are looked up by the publish id that the last call returned', async () => {
    const publisher = await photos();
    await publisher.prepare();
    await expect(publisher.goLive()).rejects.toMatchObject({
      remedy: 'unknown',
      preparation: { publishId: expect.stringMatching(/^p_pub_url~/) },
    });
    expect(await publisher.reconcile()).toMatchObject({ kind: 'live' });
    expect(await requests('video.list')).toEqual([]);
  });

  it('that TikTok could not download are not live, and are retried for as long as the engine retries', async () => {
    await fixture.plan('processing', 'error:photo_pull_failed', 8);
    await (await photos()).publish();
    expect(await fixture.posts()).toHaveLength(1);
    expect(await requests('content.init')).toHaveLength(9);
  });

  it('from an unverified host are refused', async () => {
    const media: MediaSource = {
      ...(await fixtures.source('image.jpg')),
      url: 'https://media.example/a.jpg',
    };
    const publisher = await fixture.publisher({ media: [media], options: everyone });
    await expect(publisher.publish()).rejects.toMatchObject({
      remedy: 'rejected',
      platformCode: 'url_ownership_unverified',
    });
  });

  it('are found by their text if the response was lost', async () => {
    const publisher = await photos();
    await publisher.prepare();
    await fixture.plan('content.init', 'drop-reply');
    await expect(publisher.goLive()).rejects.toMatchObject({ remedy: 'unknown', preparation: undefined });
    const outcome = await publisher.reconcile();
    const [post, ...others] = await fixture.posts();
    expect(others).toEqual([]);
    expect(outcome).toMatchObject({
      kind: 'live',
      post: { platformPostId: post?.id, permalink: post?.permalink },
    });
    const publishedMs = outcome.kind === 'live' ? (outcome.post.publishedMs ?? 0) : 0;
    expect(Math.abs(publishedMs - (post?.publishedAt ?? 0))).toBeLessThanOrEqual(5_000);
  });

  it.each([
    ['the call had no effect', 'timeout', {}, {}],
    ['they are not listed', 'drop-reply', { photosAreListed: false }, {}],
    ['they are not public', 'drop-reply', {}, { privacyLevel: 'SELF_ONLY' }],
  ])('have an unknown outcome if the response was lost and %s', async (_name, fault, settings, changes) => {
    await fixture.set(settings);
    const publisher = await photos(changes);
    await publisher.prepare();
    await fixture.plan('content.init', fault);
    await expect(publisher.goLive()).rejects.toMatchObject({ remedy: 'unknown' });
    expect(await publisher.reconcile()).toMatchObject({ kind: 'unknown' });
    expect(fixture.adapter.absenceRule(publisher.job).where).toBe("the account's profile in the TikTok app");
    expect(await requests('content.init')).toHaveLength(1);
  });

  it('that are not public are reported once the call has ended, because no list shows them', async () => {
    const publisher = await photos({ privacyLevel: 'SELF_ONLY' });
    await publisher.prepare();
    await publisher.crashAtLastCall(true);
    const begun = fixture.clock.time;
    expect(await publisher.reconcile()).toMatchObject({ kind: 'unknown' });
    // The call itself may take 45 seconds, and start 5 seconds after its intent.
    expect(fixture.clock.time - begun).toBeLessThanOrEqual(60_000);
  });

  it('are found behind later posts, although the list changes and truncates their text', async () => {
    const { http } = fixture.tools;
    const content = `${'The harbour  at six in the morning. '.repeat(8)} https://example.com/harbour`;
    const send: typeof http.send = async (request) => {
      const answer = await http.send(request);
      const json = JSON.parse(answer.text, (key, value) =>
        key === 'video_description' && value.length > 150 ? `${value.slice(0, 150)}…` : value,
      );
      return request.url.includes('video/list') ? { ...answer, json } : answer;
    };
    const { job } = await photos();
    const tools = { ...fixture.tools, http: { ...http, send } };
    const publisher = publisherOf(fixture.adapter, { ...job, content }, tools, fixture.clock, fixture.idle);
    await publisher.prepare();
    await fixture.set({ otherPosts: 50, changesTexts: true });
    await fixture.plan('content.init', 'drop-reply');
    await expect(publisher.goLive()).rejects.toMatchObject({ remedy: 'unknown' });
    const outcome = await publisher.reconcile();
    const [ours, ...others] = await fixture.posts();
    expect(others).toEqual([]);
    expect(outcome).toMatchObject({ kind: 'live', post: { platformPostId: ours?.id } });
  });

  it('are not confused with those of another target', async () => {
    const earlier = await photos();
    const { post } = await earlier.publish();
    const publisher = await photos();
    await publisher.prepare();
    await publisher.crashAtLastCall(false);
    publisher.taken.add(post.platformPostId ?? '');
    expect(await publisher.reconcile()).toMatchObject({ kind: 'unknown' });
  });

  it('are not mistaken for photos whose text differs only in its URL', async () => {
    const media = ['image.jpg', 'square.jpg'];
    const publisher = await fixture.publisher({ media, options, content: 'New: https://example.com/1' });
    await publisher.prepare();
    await publisher.crashAtLastCall(false);
    await (await fixture.publisher({ media, options, content: 'New: https://example.com/2' })).publish();
    expect(await publisher.reconcile()).toMatchObject({ kind: 'unknown' });
  });

  it('have an unknown outcome if TikTok refuses to show the list of posts', async () => {
    const publisher = await photos();
    await publisher.prepare();
    await publisher.crashAtLastCall(true);
    await fixture.plan('video.list', 'error:invalid_params', 50);
    expect(await publisher.reconcile()).toMatchObject({ kind: 'unknown' });
  });

  it('have an unknown outcome if Herald may not read the list of posts', async () => {
    const [account] = await fixture.connect({ declined: 'video.list' });
    const publisher = await photos();
    const next = withToken(publisher.job, account?.tokens.accessToken ?? '');
    await next.prepare();
    await fixture.plan('content.init', 'drop-reply');
    await expect(next.goLive()).rejects.toMatchObject({ remedy: 'unknown' });
    expect(await next.reconcile()).toMatchObject({ kind: 'unknown' });
  });
});
