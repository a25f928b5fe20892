import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { MediaSource } from '../../../../lib/platforms/contract/adapter.ts';
import { type Fixture, openFixture } from '../../../contract/fixture.ts';
import { rowOf } from '../../../contract/rows.ts';
import { type FixtureServer, serveFixtures } from '../../../support/fixture-server.ts';

const row = rowOf('youtube');
const bytes = Buffer.alloc(9 * 1_048_576 + 7);
for (let index = 0; index < bytes.length; index += 4_096) bytes.writeUInt32LE(index, index);

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

/** 9 MiB and 7 bytes: a chunk of 8 MiB, one of 1 MiB, and the last. */
const video: MediaSource = {
  type: 'video',
  url: 'https://media.example/video.mp4',
  contentType: 'video/mp4',
  sizeBytes: bytes.length,
  openRange: async (first, last) => {
    ranges.push([first, last]);
    return Readable.from([bytes.subarray(first, last + 1)]);
  },
};
const publisher = async () =>
  fixture.publisher({ media: [video], cover: await fixtures.source('square.jpg') });
const mebibyte = 1_048_576;
const sentRanges = [
  [0, 8 * mebibyte - 1],
  [8 * mebibyte, 9 * mebibyte - 1],
];
const lastRange = [9 * mebibyte, 9 * mebibyte + 6];

describe('an upload', () => {
  it('leaves only a few bytes for the go-live call', async () => {
    const upload = await publisher();
    await upload.prepare();
    expect(ranges).toEqual(sentRanges);
    await upload.goLive();
    expect(ranges).toEqual([...sentRanges, lastRange]);
    const sha256 = createHash('sha256').update(bytes).digest('hex');
    expect(await fixture.posts()).toMatchObject([{ media: [{ bytes: bytes.length, sha256 }] }]);
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
    const upload = await publisher();
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
    expect(await fixture.posts()).toMatchObject([{ media: [{ bytes: bytes.length }] }]);
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

  it('is not sent again if an earlier go-live call took effect', async () => {
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

describe('after the session is gone', () => {
  const goneAfter = async (fault: string) => {
    const upload = await publisher();
    await upload.prepare();
    await fixture.plan('videos.insert.chunk', fault);
    await expect(upload.goLive()).rejects.toMatchObject({ remedy: 'unknown' });
    await fixture.plan('videos.insert.status', 'error:404', 50);
    return upload.reconcile();
  };

  it('finds the video among the channel’s uploads', async () => {
    const outcome = await goneAfter('drop-reply');
    const [post] = await fixture.posts();
    expect(outcome).toMatchObject({ state: 'live', post: { platformPostId: post?.id } });
  });

  it('reports an unknown outcome if the video is not listed, and never sends it again', async () => {
    expect(await goneAfter('error:503')).toEqual({
      state: 'unknown',
      where: "the channel's videos in YouTube Studio",
    });
  });

  it('does not mistake another target’s video with the same title for it', async () => {
    const earlier = await publisher();
    await earlier.publish();
    const [other] = await fixture.posts();
    const { job } = await publisher();
    const preparation = { sessionUri: 'https://www.googleapis.com/upload/youtube/v3/videos?upload_id=x' };
    const intended = { ...job, preparation, intentAt: fixture.clock.time };
    const isTaken = async (id: string) => id === other?.id;
    const { reconcile } = fixture.adapter;
    expect(await reconcile(intended, fixture.tools)).toMatchObject({ state: 'live' });
    expect(await reconcile({ ...intended, isTaken }, fixture.tools)).toMatchObject({ state: 'pending' });
  });
});

describe('a live video', () => {
  it('has its thumbnail', async () => {
    const upload = await publisher();
    expect((await upload.publish()).warning).toBeUndefined();
    expect(await fixture.posts()).toMatchObject([{ thumbnail: { type: 'image/jpeg' } }]);
  });

  it('stays published if its thumbnail is refused', async () => {
    await fixture.plan('thumbnails.set', 'error:forbidden');
    const upload = await publisher();
    const { post, warning } = await upload.publish();
    expect(post.permalink).toBe(`https://www.youtube.com/watch?v=${post.platformPostId}`);
    expect(warning).toContain('forbidden');
  });

  it('has a warning with the reason if YouTube could not process it', async () => {
    await fixture.plan('processing', 'error:codec');
    await fixture.set({ processingSeconds: 3 });
    const upload = await publisher();
    expect((await upload.publish()).warning).toBe('YouTube could not process the video (codec).');
  });
});

it('a project without quota waits until midnight Pacific time', async () => {
  await fixture.plan('videos.insert.start', 'error:quotaExceeded');
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
