import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { LastCall } from '../../../../lib/platforms/contract/last-call.ts';
import { type Fixture, type JobChanges, openFixture } from '../../../contract/fixture.ts';
import { rowOf } from '../../../contract/rows.ts';
import { type FixtureServer, serveFixtures } from '../../../support/fixture-server.ts';
import type { Publisher } from '../../../support/publisher.ts';

const row = rowOf('facebook');

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

type Kind = [name: string, changes: JobChanges, liveCall: string];
const text: Kind = ['a text', { media: [], options: {} }, 'feed'];
const link: Kind = ['a link', { media: [], options: { link: 'https://example.com/harbour' } }, 'feed'];
const photo: Kind = ['a photo', { media: ['image.jpg'], options: {} }, 'feed'];
const reel: Kind = ['a reel', { media: ['video.mp4'], options: { type: 'reel' } }, 'video_reels.finish'];
const video: Kind = ['a video', { media: ['video.mp4'], options: {} }, 'videos.finish'];
const photoStory: Kind = [
  'a photo story',
  { media: ['image.jpg'], options: { contentType: 'story' } },
  'photo_stories',
];
const videoStory: Kind = [
  'a video story',
  { media: ['video.mp4'], options: { contentType: 'story' } },
  'video_stories.finish',
];
const tenPhotos: Kind = ['ten photos', { media: Array(10).fill('tall.jpg'), options: {} }, 'feed'];
const usedOnce = [photo, tenPhotos, video, reel, videoStory];
const listedOnly = [text, link, photoStory];
const kinds = [...listedOnly, ...usedOnce];

async function prepared([, changes]: Kind): Promise<Publisher> {
  const publisher = await fixture.publisher(changes);
  await publisher.prepare();
  return publisher;
}

async function lost(kind: Kind): Promise<Publisher> {
  const publisher = await prepared(kind);
  await fixture.plan(kind[2], 'drop-reply');
  await expect(publisher.goLive()).rejects.toMatchObject({ remedy: 'unknown' });
  return publisher;
}

/** Looks up as the engine does, with another call. */
const lookUp = async (publisher: Publisher, call: Partial<LastCall>, tools = fixture.tools) => {
  const token = fixture.adapter.tokenOf(publisher.job);
  const now = fixture.clock.now();
  const latest = { token, sinceMs: now, endedMs: now, isTaken: async () => false, ...call };
  return fixture.adapter.lookUp({ ...publisher.job, call: latest }, tools);
};

describe('a post that went live', () => {
  it.each(kinds)('is found if the response was lost: %s', async (...kind) => {
    const publisher = await lost(kind);
    const verdict = await publisher.reconcile();
    const [live] = await fixture.posts();
    expect(verdict).toMatchObject({ kind: 'live', post: { platformPostId: live?.id } });
    const { publishedMs = 0 } = verdict.kind === 'live' ? verdict.post : {};
    expect(Math.abs(publishedMs - (live?.publishedAt ?? 0))).toBeLessThan(10_000);
  });

  it.each(kinds)('is found if the worker was killed after the call: %s', async (...kind) => {
    const publisher = await prepared(kind);
    await publisher.crashAtLastCall(true);
    const verdict = await publisher.reconcile();
    const [live, ...others] = await fixture.posts();
    expect(others).toEqual([]);
    expect(verdict).toMatchObject({ kind: 'live', post: { platformPostId: live?.id } });
  });

  it.each([text, photo])('is found in a list that lags by a minute: %s', async (...kind) => {
    await fixture.set({ listLagSeconds: 60 });
    const publisher = await lost(kind);
    expect(await publisher.reconcile()).toMatchObject({ kind: 'live' });
  });

  it.each([text, photo])('is found behind 200 later posts: %s', async (...kind) => {
    const publisher = await lost(kind);
    const [live] = await fixture.posts();
    await fixture.set({ otherPosts: 200 });
    expect(await publisher.reconcile()).toMatchObject({ kind: 'live', post: { platformPostId: live?.id } });
  });

  it.each(kinds)('is found although its list changes texts: %s', async (...kind) => {
    const publisher = await lost(kind);
    await fixture.set({ changesTexts: true });
    expect(await publisher.reconcile()).toMatchObject({ kind: 'live' });
  });

  it('is found by the record of an earlier release, which has its photos in the preparation only', async () => {
    const publisher = await prepared(photo);
    const sinceMs = fixture.clock.now();
    const { platformPostId } = await publisher.goLive();
    const preparation = { ...publisher.job.preparation, firstIntentAt: sinceMs, looks: 3 };
    const former = { ...publisher, job: { ...publisher.job, preparation } };
    const finding = await lookUp(former, { token: {}, sinceMs });
    expect(finding).toMatchObject({ state: 'live', post: { platformPostId } });
  });

  it('is not claimed if it belongs to another target', async () => {
    const publisher = await lost(text);
    publisher.taken.add((await fixture.posts())[0]?.id ?? '');
    expect(await publisher.reconcile()).toMatchObject({ kind: 'unknown' });
  });
});

describe('a call that never arrived', () => {
  it.each(usedOnce)('is repeated, and makes one post: %s', async (...kind) => {
    const publisher = await prepared(kind);
    await fixture.plan(kind[2], 'error:500');
    await publisher.publish();
    expect(await fixture.posts()).toHaveLength(1);
  });

  it.each(usedOnce)('is repeated after its worker was killed: %s', async (...kind) => {
    const publisher = await prepared(kind);
    await publisher.crashAtLastCall(false);
    expect(await publisher.reconcile()).toMatchObject({ kind: 'repeat' });
    await publisher.goLive().catch(() => undefined);
    expect(await publisher.reconcile()).toMatchObject({ kind: 'live' });
    expect(await fixture.posts()).toHaveLength(1);
  });

  it.each(listedOnly)('is never repeated if Facebook may accept it twice: %s', async (...kind) => {
    const publisher = await prepared(kind);
    await fixture.plan(kind[2], 'error:500');
    await expect(publisher.publish()).rejects.toThrow(/outcome unknown: check the Page's \w+ on Facebook/);
    expect(await fixture.posts()).toEqual([]);
  });
});

describe('a list that never shows the post', () => {
  beforeEach(() => fixture.set({ listLagSeconds: 'forever', storyArchive: false }));

  it.each(listedOnly)('leaves the outcome unknown: %s', async (...kind) => {
    const publisher = await lost(kind);
    expect(await publisher.reconcile()).toMatchObject({ kind: 'unknown' });
    expect(await fixture.posts()).toHaveLength(1);
  });

  it('leads to a repeat that Facebook refuses, which proves nothing: photos', async () => {
    const publisher = await lost(photo);
    expect(await publisher.reconcile()).toMatchObject({ kind: 'repeat' });
    await expect(publisher.goLive()).rejects.toMatchObject({ platformCode: '100/1366051' });
    expect(await publisher.reconcile()).toMatchObject({ kind: 'unknown' });
    expect(await fixture.posts()).toHaveLength(1);
  });

  it('shows the post after the refused repeat: photos', async () => {
    const publisher = await lost(photo);
    await publisher.reconcile();
    await publisher.goLive().catch(() => undefined);
    await fixture.set({ listLagSeconds: 0 });
    expect(await publisher.reconcile()).toMatchObject({ kind: 'live' });
  });
});

describe('a list that Facebook does not let the app read', () => {
  // Facebook asks some apps for further permissions to read a Page's posts, and refuses with code 10.
  beforeEach(() => fixture.plan('published_posts', 'error:10', 1_000));

  it('leaves the outcome of a text unknown, without a failure of the account', async () => {
    const publisher = await lost(text);
    expect(await publisher.reconcile()).toMatchObject({ kind: 'unknown' });
  });

  it('leads to a repeat of photos', async () => {
    const publisher = await prepared(photo);
    await publisher.crashAtLastCall(false);
    expect(await publisher.reconcile()).toMatchObject({ kind: 'repeat' });
  });
});

describe('a video whose status Facebook does not let the app read', () => {
  it.each([video, reel, videoStory])(
    'is finished again, without a failure of the account: %s',
    async (...kind) => {
      const publisher = await prepared(kind);
      await publisher.crashAtLastCall(false);
      await fixture.plan('video_object', 'error:10', 50);
      expect(await publisher.reconcile()).toMatchObject({ kind: 'repeat' });
    },
  );
});

describe('a text that is identical to the last post', () => {
  const refused = async () => {
    const publisher = await prepared(text);
    await expect(publisher.goLive()).rejects.toMatchObject({ platformCode: '506', ifAbsent: 'rejected' });
    return publisher;
  };

  it('is refused at the first call', async () => {
    await (await prepared(text)).goLive();
    fixture.clock.time += 3_600_000;
    const publisher = await refused();
    expect(await publisher.reconcile()).toMatchObject({
      kind: 'absent',
      proof: expect.stringContaining('refused'),
    });
    expect(publisher.calls.at(-1)?.refusal).toContain('Duplicate status message');
  });

  it('is refused if another target has published it a moment ago', async () => {
    const { platformPostId } = await (await prepared(text)).goLive();
    const publisher = await refused();
    publisher.taken.add(platformPostId ?? '');
    expect(await publisher.reconcile()).toMatchObject({ kind: 'absent' });
  });

  it('is live if an earlier call of the same target, whose outcome was unknown, made the last post', async () => {
    const sinceMs = fixture.clock.now();
    const { platformPostId } = await (await prepared(text)).goLive();
    fixture.clock.time += 600_000;
    const publisher = await refused();
    expect(await lookUp(publisher, { sinceMs })).toMatchObject({ state: 'live', post: { platformPostId } });
  });

  it('is not refused because of a post that the list shows only at the second read', async () => {
    const sinceMs = fixture.clock.now();
    await (await prepared(text)).goLive();
    const publisher = await refused();
    const { http } = fixture.tools;
    const send: typeof http.send = async (request) => {
      const response = await http.send(request);
      return request.query?.['since'] === undefined ? response : { ...response, json: { data: [] } };
    };
    const tools = { ...fixture.tools, http: { ...http, send } };
    expect(await lookUp(publisher, { sinceMs }, tools)).toEqual({ state: 'unseen' });
  });

  it('proves nothing while the list does not show the last post', async () => {
    await fixture.set({ listLagSeconds: 'forever' });
    await (await prepared(text)).goLive();
    const publisher = await refused();
    expect(await publisher.reconcile()).toMatchObject({ kind: 'unknown' });
  });

  it('is looked up again at the next try', async () => {
    await (await prepared(text)).goLive();
    const publisher = await refused();
    expect(publisher.job.preparation).toEqual({ isDuplicate: true });
    await publisher.prepare();
    expect(publisher.job.preparation).toEqual({});
  });
});

describe('a video', () => {
  it('whose status lags is finished again, and is live although Facebook refuses that', async () => {
    const publisher = await prepared(reel);
    await fixture.set({ readLagSeconds: 'forever' });
    await publisher.crashAtLastCall(true);
    expect(await publisher.reconcile()).toMatchObject({ kind: 'repeat' });
    await expect(publisher.goLive()).rejects.toMatchObject({ remedy: 'rejected' });
    await fixture.set({ readLagSeconds: 0 });
    expect(await publisher.reconcile()).toMatchObject({ kind: 'live' });
    expect(await fixture.posts()).toHaveLength(1);
  });

  it('whose processing failed can no longer go live', async () => {
    await fixture.plan('video_processing', 'error:6000/1363019');
    const publisher = await prepared(reel);
    await publisher.goLive().catch(() => undefined);
    expect(await publisher.reconcile()).toMatchObject({ kind: 'absent', preparation: { renewals: 0 } });
  });

  it('that is processed for an hour has an unknown outcome, with a place to look', async () => {
    await fixture.plan('video_processing', 'timeout');
    const publisher = await prepared(reel);
    const begun = fixture.clock.time;
    await expect(publisher.publish()).rejects.toThrow("check the Page's reels in Meta Business Suite");
    expect(fixture.clock.time - begun).toBeGreaterThan(60 * 60_000);
  });
});

describe('a video whose last call is refused because of its upload', () => {
  const upload = 'error:6000/1363037';

  it.each([video, reel, videoStory])('is uploaded again: %s', async (...kind) => {
    const publisher = await prepared(kind);
    const { videoId } = publisher.job.preparation;
    await fixture.plan(kind[2], upload);
    await expect(publisher.goLive()).rejects.toMatchObject({ remedy: 'retry', preparation: { renewals: 1 } });
    await publisher.publish();
    expect(publisher.job.preparation['videoId']).not.toBe(videoId);
    expect(await fixture.posts()).toHaveLength(1);
  });

  it('fails if three more uploads do not help', async () => {
    const publisher = await prepared(reel);
    await fixture.plan(reel[2], upload, 50);
    await expect(publisher.publish()).rejects.toMatchObject({ remedy: 'rejected' });
    expect(publisher.calls).toHaveLength(4);
  });

  it('has an unknown outcome if its status shows that the call had an effect', async () => {
    const publisher = await prepared(reel);
    await fixture.plan(reel[2], 'error-after:6000/1363037');
    await expect(publisher.goLive()).rejects.toMatchObject({ remedy: 'unknown' });
    expect(await publisher.reconcile()).toMatchObject({ kind: 'live' });
    expect(await fixture.posts()).toHaveLength(1);
  });

  it.each([
    ['its status cannot be read', upload, 'error:500'],
    ['the upload only timed out', 'error:1/1363030', undefined],
  ])('is finished again, with the same upload, if %s', async (_name, refusal, reading) => {
    const publisher = await prepared(reel);
    await fixture.plan(reel[2], refusal);
    if (reading) await fixture.plan('video_object', reading);
    const error: unknown = await publisher.goLive().catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ remedy: 'retry', preparation: undefined });
  });
});

it.each(kinds)('the record of the call names what it publishes: %s', async (...kind) => {
  const publisher = await prepared(kind);
  await publisher.crashAtLastCall(false);
  const [record] = publisher.calls;
  expect(JSON.stringify(record?.token).length).toBeLessThan(1_024);
  const { photos = [], videoId } = publisher.job.preparation as { photos?: string[]; videoId?: string };
  const ids = [...photos, ...(videoId ? [videoId] : [])];
  expect(ids).toHaveLength(kind[1].media?.length ?? 0);
  expect(JSON.stringify(record?.token)).toEqual(expect.stringContaining(ids[0] ?? ''));
});
