import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { MediaSource } from '../../../../lib/platforms/contract/adapter.ts';
import { chunkGrainBytes } from '../../../../lib/platforms/youtube/chunks.ts';
import { type Fixture, openFixture } from '../../../contract/fixture.ts';
import { rowOf } from '../../../contract/rows.ts';
import { type FixtureServer, serveFixtures } from '../../../support/fixture-server.ts';
import { type Publisher, publisherOf } from '../../../support/publisher.ts';

const row = rowOf('youtube');
/** The scopes of an account that lets Herald upload, but not change videos: the last byte makes its videos live. */
const uploadOnly = ['youtube.upload', 'youtube.readonly'].map(
  (name) => `https://www.googleapis.com/auth/${name}`,
);
const mebibyte = 1_048_576;

let fixtures: FixtureServer;
let fixture: Fixture;
let ranges: [number, number][];
beforeAll(async () => {
  fixtures = await serveFixtures();
});
afterAll(() => fixtures.close());
beforeEach(async () => {
  ranges = [];
  fixture = await openFixture(row, fixtures);
});
afterEach(() => fixture.close());

function videoOf(sizeBytes: number) {
  const bytes = Buffer.alloc(sizeBytes);
  for (let index = 0; index < sizeBytes - 4; index += 4_096) bytes.writeUInt32LE(index, index);
  return {
    type: 'video',
    url: 'https://media.example/video.mp4',
    contentType: 'video/mp4',
    sizeBytes,
    sha256: createHash('sha256').update(bytes).digest('hex'),
    openRange: async (first: number, last: number) => {
      ranges.push([first, last]);
      return Readable.from([bytes.subarray(first, last + 1)]);
    },
  } as const;
}
/** One chunk, and the last. */
const video = videoOf(2 * chunkGrainBytes + 7);
const lastRange = [2 * chunkGrainBytes, 2 * chunkGrainBytes + 6];
/** A chunk of 8 MiB, one of 1 MiB, and the last. */
const largeVideo = videoOf(9 * mebibyte + 7);
const publisher = async (file: MediaSource = video) =>
  fixture.publisher({ media: [file], cover: await fixtures.source('square.jpg'), scopes: uploadOnly });

describe('an upload', () => {
  it('leaves only a few bytes for the last call', async () => {
    const upload = await publisher(largeVideo);
    await upload.prepare();
    const sentRanges = [
      [0, 8 * mebibyte - 1],
      [8 * mebibyte, 9 * mebibyte - 1],
    ];
    expect(ranges).toEqual(sentRanges);
    await upload.goLive();
    expect(ranges).toEqual([...sentRanges, [9 * mebibyte, 9 * mebibyte + 6]]);
    const { sizeBytes, sha256 } = largeVideo;
    expect(await fixture.posts()).toMatchObject([{ media: [{ bytes: sizeBytes, sha256 }] }]);
  });

  it('commits the session’s URL before any byte is sent', async () => {
    const { job } = await publisher();
    const step = await fixture.adapter.prepare(job, fixture.tools);
    expect(step).toMatchObject({ state: 'continue', preparation: { sessionUri: expect.any(String) } });
    expect(ranges).toEqual([]);
  });

  it('continues in another invocation if its time runs out', async () => {
    const { job } = await publisher();
    const { preparation } = await fixture.adapter.prepare(job, fixture.tools);
    const late = { ...job, preparation, deadline: fixture.clock.time + 1_000 };
    expect(await fixture.adapter.prepare(late, fixture.tools)).toMatchObject({ state: 'continue' });
    expect(ranges).toEqual([]);
    expect(await fixture.adapter.prepare({ ...job, preparation }, fixture.tools)).toMatchObject({
      state: 'ready',
    });
  });

  it('continues from the offset that YouTube reports, however little was stored', async () => {
    await fixture.plan('chunk-storage', 'error:half');
    const upload = await publisher(largeVideo);
    await upload.prepare();
    expect(ranges).toEqual([
      [0, 8 * mebibyte - 1],
      [4 * mebibyte, 9 * mebibyte - 1],
    ]);
    await upload.goLive();
    expect(await fixture.posts()).toHaveLength(1);
  });

  it.each(['error:503', 'drop-reply'])('survives a chunk whose call ends in %s', async (fault) => {
    await fixture.plan('videos.insert.chunk', fault);
    const upload = await publisher();
    await upload.publish();
    expect(await fixture.posts()).toMatchObject([{ media: [{ bytes: video.sizeBytes }] }]);
  });

  it('starts over if the session is gone, a bounded number of times', async () => {
    await fixture.plan('videos.insert.status', 'error:404');
    const upload = await publisher();
    await upload.publish();
    expect(await fixture.posts()).toHaveLength(1);

    await fixture.plan('videos.insert.status', 'error:410', 5);
    const lost = await publisher();
    await expect(lost.prepare()).rejects.toMatchObject({ remedy: 'rejected' });
  });

  it('is not sent again if an earlier call took effect', async () => {
    const upload = await publisher();
    await upload.prepare();
    const first = await upload.goLive();
    await upload.prepare();
    expect(await upload.goLive()).toEqual(first);
    expect(await fixture.posts()).toHaveLength(1);
  });

  it('refuses an upload URL that is not Google’s, because it would receive the token', async () => {
    const { job } = await publisher();
    const headers = { location: 'https://googleapis.com.evil.example/upload' };
    const answer = { status: 200, headers, text: '', json: undefined, call: 'POST' };
    const http = { addressOf: (url: string) => url, connectAhead: async () => {}, send: async () => answer };
    const attempt = fixture.adapter.prepare(job, { ...fixture.tools, http });
    await expect(attempt).rejects.toMatchObject({ remedy: 'unknown' });
  });
});

type Request = Parameters<Fixture['tools']['http']['send']>[0];
type Response = Awaited<ReturnType<Fixture['tools']['http']['send']>>;

const isLastCall = ({ headers = {} }: Request) =>
  headers['content-range'] === `bytes ${lastRange[0]}-${lastRange[1]}/${video.sizeBytes}`;
const isChunk = ({ headers = {} }: Request) => /^bytes \d/.test(headers['content-range'] ?? '');
const isStatusQuery = ({ headers = {} }: Request) =>
  headers['content-range'] === `bytes */${video.sizeBytes}`;

/**
 * An upload whose platform answers as `answer` says from the last call on.
 *
 * @param answer undefined for YouTube's own answer
 */
const uploadWith = async (answer: (request: Request) => Promise<Response> | undefined) => {
  let isCalled = false;
  const { http } = fixture.tools;
  const send = async (request: Request): Promise<Response> => {
    const given = isCalled ? answer(request) : undefined;
    isCalled ||= isLastCall(request);
    return given ?? http.send(request);
  };
  const { job } = await publisher();
  return publisherOf(
    fixture.adapter,
    job,
    { ...fixture.tools, http: { ...http, send } },
    fixture.clock,
    fixture.idle,
  );
};

const answerOf = (status: number, headers: Response['headers'] = {}) => ({
  status,
  headers,
  text: '',
  json: undefined,
  call: 'PUT',
});
const stale = answerOf(308, { range: `bytes=0-${chunkGrainBytes - 1}` });
const gone = answerOf(404);
const requests = async (operation: string) => {
  const all = (await fixture.control('requests')) as unknown as { operation: string; at: number }[];
  return all.filter((request) => request.operation === operation);
};

describe('a last chunk whose outcome is unknown', () => {
  it('made the video live if the session names it, at the time that YouTube says', async () => {
    await fixture.plan('videos.insert', 'drop-reply');
    const upload = await publisher();
    await upload.prepare();
    await expect(upload.goLive()).rejects.toMatchObject({ remedy: 'unknown' });
    fixture.clock.time += 3_600_000 / 2;
    const [post, ...others] = await fixture.posts();
    expect(others).toEqual([]);
    expect(await upload.reconcile()).toMatchObject({
      kind: 'live',
      post: { platformPostId: post?.id, publishedMs: post?.publishedAt },
    });
  });

  it('is sent again to the same session if its worker was killed before the call', async () => {
    const upload = await publisher();
    await upload.prepare();
    await upload.crashAtLastCall(false);
    expect(await upload.reconcile()).toMatchObject({ kind: 'repeat' });
    await upload.goLive();
    expect(await fixture.posts()).toHaveLength(1);
    expect(await requests('videos.insert')).toHaveLength(1);
  });

  it('is sent again from the offset that YouTube reports if only a part was stored', async () => {
    const upload = await publisher();
    await upload.prepare();
    await upload.crashAtLastCall(false);
    const shorter = { ...upload.job.preparation, offset: 0 };
    const call = {
      token: fixture.adapter.tokenOf(upload.job),
      sinceMs: 0,
      endedMs: 0,
      isTaken: async () => false,
    };
    const seen = await fixture.adapter.lookUp({ ...upload.job, preparation: shorter, call }, fixture.tools);
    expect(seen).toMatchObject({ state: 'unseen', preparation: { offset: lastRange[0] } });
  });

  it.each([0, 30, 90])('is live once if the session’s status lags by %i seconds', async (seconds) => {
    await fixture.plan('videos.insert', 'drop-reply');
    const lastMs = fixture.clock.time + seconds * 1_000;
    const upload = await uploadWith((request) =>
      isStatusQuery(request) && fixture.clock.time < lastMs ? Promise.resolve(stale) : undefined,
    );
    const { post } = await upload.publish();
    const [live, ...others] = await fixture.posts();
    expect([others, post.platformPostId]).toEqual([[], live?.id]);
  });

  it('is processing while the session has the whole file and does not name the video', async () => {
    await fixture.set({ completionSeconds: 120 });
    const upload = await publisher();
    await upload.prepare();
    await expect(upload.goLive()).rejects.toMatchObject({ remedy: 'unknown' });
    const sent = await requests('videos.insert.chunk');
    const [post] = await fixture.posts();
    expect(await upload.reconcile()).toMatchObject({ kind: 'live', post: { platformPostId: post?.id } });
    expect(await requests('videos.insert.chunk')).toEqual(sent);
  });

  it('has an unknown outcome if the session never names the video', async () => {
    await fixture.set({ completionSeconds: 24 * 3_600 });
    const upload = await publisher();
    await upload.prepare();
    await upload.crashAtLastCall(true);
    expect(await upload.reconcile()).toMatchObject({ kind: 'unknown' });
    expect(await requests('videos.insert')).toHaveLength(1);
  });
});

describe('a session that is gone after the last call', () => {
  const isList = ({ url }: Request) => url.endsWith('playlistItems');
  const noUploads = { ...answerOf(200), json: { items: [] } };

  it.each([
    ['the status was stale once', [stale]],
    [
      'the status was stale until the last chunk was sent again',
      [stale, stale, stale, stale, stale, stale, stale, stale],
    ],
    ['the session was gone from the start', []],
  ])('never leads to a second video if %s', async (_name, before) => {
    await fixture.plan('videos.insert', 'drop-reply');
    const statuses = [...before];
    const upload = await uploadWith((request) => {
      if (isStatusQuery(request)) return Promise.resolve(statuses.shift() ?? gone);
      if (isChunk(request)) return Promise.resolve(gone);
      return isList(request) ? Promise.resolve(noUploads) : undefined;
    });
    await expect(upload.publish()).rejects.toThrow(
      "outcome unknown: check the channel's videos in YouTube Studio",
    );
    expect(await fixture.posts()).toHaveLength(1);
    expect(await requests('videos.insert')).toHaveLength(1);
  });

  it('leads to its video among the channel’s uploads, behind later ones', async () => {
    await fixture.plan('videos.insert', 'drop-reply');
    const upload = await uploadWith((request) =>
      isStatusQuery(request) ? Promise.resolve(gone) : undefined,
    );
    await upload.prepare();
    await expect(upload.goLive()).rejects.toMatchObject({ remedy: 'unknown' });
    await fixture.set({ otherPosts: 120, changesTexts: true, readLagSeconds: 90 });
    const [ours] = await fixture.posts();
    expect(await upload.reconcile()).toMatchObject({
      kind: 'live',
      post: { platformPostId: ours?.id, publishedMs: ours?.publishedAt },
    });
  });

  it('does not lead to another target’s video with the same title', async () => {
    const earlier = await publisher();
    const { post } = await earlier.publish();
    const upload = await uploadWith((request) =>
      isStatusQuery(request) ? Promise.resolve(gone) : undefined,
    );
    await upload.prepare();
    await upload.crashAtLastCall(false);
    await fixture.plan('videos.insert.status', 'error:404', 50);
    upload.taken.add(post.platformPostId ?? '');
    expect(await upload.reconcile()).toMatchObject({ kind: 'unknown' });
  });

  // "PlaylistItems: list" documents the reason playlistNotFound.
  it.each(['forbidden', 'channelSuspended', 'playlistNotFound'])(
    'has an unknown outcome, without a failure of the account, if YouTube refuses the list (%s)',
    async (reason) => {
      const upload = await publisher();
      await upload.prepare();
      await upload.crashAtLastCall(true);
      await fixture.plan('videos.insert.status', 'error:404', 50);
      await fixture.plan('playlistItems.list', `error:${reason}`, 50);
      expect(await upload.reconcile()).toMatchObject({ kind: 'unknown' });
    },
  );
});

describe('a session whose status YouTube refuses to show', () => {
  const refused = async (makesCall: boolean) => {
    const upload = await publisher();
    await upload.prepare();
    await upload.crashAtLastCall(makesCall);
    await fixture.plan('videos.insert.status', 'error:forbidden', 50);
    return upload;
  };

  it('has its video found among the channel’s uploads', async () => {
    const upload = await refused(true);
    const [ours] = await fixture.posts();
    expect(await upload.reconcile()).toMatchObject({ kind: 'live', post: { platformPostId: ours?.id } });
  });

  it('has an unknown outcome if there is no such video', async () => {
    const upload = await refused(false);
    expect(await upload.reconcile()).toMatchObject({ kind: 'unknown' });
  });
});

/** The publisher of a video that YouTube never stops processing. A token would end before the last look. */
function stillProcessed({ job }: Publisher): Publisher {
  const { tools } = fixture;
  const item = {
    status: { uploadStatus: 'uploaded', privacyStatus: 'unlisted' },
    processingDetails: { processingStatus: 'processing' },
  };
  const send: typeof tools.http.send = async (request) =>
    request.method === 'GET' && request.url.endsWith('/videos')
      ? { ...answerOf(200), json: { items: [item] } }
      : tools.http.send(request);
  return publisherOf(
    fixture.adapter,
    job,
    { ...tools, http: { ...tools.http, send } },
    fixture.clock,
    fixture.idle,
  );
}

describe('a live video', () => {
  it('has its thumbnail', async () => {
    const upload = await publisher();
    expect((await upload.publish()).warning).toBeUndefined();
    expect(await fixture.posts()).toMatchObject([{ thumbnail: { type: 'image/jpeg' } }]);
  });

  it('that came back with another privacy than requested is published with a warning', async () => {
    await fixture.set({ forcesPrivate: true });
    const upload = await fixture.publisher({
      media: [video],
      options: { privacy: 'public', title: 'Harbour' },
      scopes: uploadOnly,
    });
    const { post, warning } = await upload.publish();
    expect(warning).toMatch(/^YouTube published the video as private, not as public: .*YouTube Studio/);
    expect(post.platformPostId).toMatch(/^[\w-]{11}$/);
    expect(await fixture.posts()).toEqual([]);
  });

  it('that was requested as private has no warning', async () => {
    const upload = await fixture.publisher({
      media: [video],
      options: { privacy: 'private', title: 'Harbour' },
      scopes: uploadOnly,
    });
    expect((await upload.publish()).warning).toBeUndefined();
  });

  it('stays published if its thumbnail is refused', async () => {
    await fixture.plan('thumbnails.set', 'error:forbidden');
    const upload = await publisher();
    const { post, warning } = await upload.publish();
    expect(post.permalink).toBe(`https://www.youtube.com/watch?v=${post.platformPostId}`);
    expect(warning).toContain('forbidden');
  });

  it.each([3, 1_800])(
    'is lost if YouTube could not process it, as it finds after %i seconds',
    async (seconds) => {
      await fixture.plan('processing', 'error:codec');
      await fixture.set({ processingSeconds: seconds });
      const upload = await publisher();
      await expect(upload.publish()).rejects.toThrow('YouTube could not process the video (codec), after');
    },
  );

  it('that YouTube still processes after a day has a warning', async () => {
    const upload = stillProcessed(await publisher());
    expect((await upload.publish()).warning).toContain('still processing the video a day after');
  });
});

describe('a Short', () => {
  const withCover = async (changes: Partial<MediaSource> = {}) => {
    const short = { ...(await fixtures.source('video.mp4')), ...changes };
    return fixture.publisher({
      media: [short],
      cover: await fixtures.source('square.jpg'),
      scopes: uploadOnly,
    });
  };
  const thumbnails = () => requests('thumbnails.set');

  it('has its thumbnail, which is set only once YouTube has processed it', async () => {
    await fixture.set({ processingSeconds: 40 * 60 });
    const upload = await withCover();
    expect((await upload.publish()).warning).toBeUndefined();
    expect(await fixture.posts()).toMatchObject([{ isShort: true, thumbnail: { type: 'image/jpeg' } }]);
    expect(await thumbnails()).toHaveLength(1);
  });

  it('that YouTube processes for more than 45 minutes has a warning', async () => {
    const upload = stillProcessed(await withCover());
    expect((await upload.publish()).warning).toContain('still processing the Short');
  });

  it.each([
    ['wider than high', { widthPixels: 1_920, heightPixels: 1_080, durationSeconds: 60 }],
    ['longer than three minutes', { widthPixels: 1_080, heightPixels: 1_920, durationSeconds: 200 }],
  ])('is nothing to wait for if the video is %s', async (_shape, changes) => {
    const upload = stillProcessed(await withCover(changes));
    const begun = fixture.clock.time;
    await upload.publish();
    const [set, ...others] = await thumbnails();
    expect((set?.at ?? 0) - begun).toBeLessThan(60_000);
    expect(others).toEqual([]);
  });
});

it('a project whose uploads of the day are used up waits until midnight Pacific time', async () => {
  await fixture.control('limits', 'PUT', { 'videos.insert': 0 });
  const upload = await publisher();
  await expect(upload.prepare()).rejects.toMatchObject({ remedy: 'retry', retryAfterSeconds: 12 * 3_600 });
});

it('a Google account without a channel is not connected', async () => {
  await fixture.plan('channels.list', 'error:youtubeSignupRequired');
  await expect(fixture.connect()).rejects.toThrow('has no YouTube channel');
});

it('a revoked authorization can no longer be refreshed, and revoking it twice succeeds', async () => {
  const { authorization, tools, account } = fixture;
  await authorization.revoke?.(account.tokens, tools);
  await expect(authorization.refresh(account.tokens, tools)).rejects.toMatchObject({ remedy: 'reauthorise' });
  await authorization.revoke?.(account.tokens, tools);
});

describe('a grant', () => {
  it('that Google has limited to a week says so, also after it was refreshed', async () => {
    await fixture.set({ grantSeconds: 604_800 });
    const begun = fixture.clock.time;
    const [account] = await fixture.connect();
    if (!account) throw new Error('not connected');
    const refreshExpiresAt = new Date(begun + 604_800_000).toISOString();
    expect(account.tokens).toMatchObject({ refreshExpiresAt });
    fixture.clock.time += 3_600_500;
    const renewed = await fixture.authorization.refresh(account.tokens, fixture.tools);
    expect(renewed).toMatchObject({ refreshExpiresAt });
    fixture.clock.time = begun + 604_800_000;
    await expect(fixture.authorization.refresh(renewed, fixture.tools)).rejects.toMatchObject({
      remedy: 'reauthorise',
    });
  });

  it('without a limit has no end', () => {
    expect(fixture.account.tokens).not.toHaveProperty('refreshExpiresAt');
  });
});
