import { playlistIdOf } from '@herald/platform-simulators/youtube/state.ts';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Json } from '../../../../lib/kernel/json.ts';
import type { PublishJob } from '../../../../lib/platforms/contract/adapter.ts';
import { uploadIdOf } from '../../../../lib/platforms/contract/live-post.ts';
import { apiRoot } from '../../../../lib/platforms/youtube/client.ts';
import { Progress } from '../../../../lib/platforms/youtube/progress.ts';
import { type Fixture, type JobChanges, openFixture } from '../../../contract/fixture.ts';
import { login, rowOf } from '../../../contract/rows.ts';
import { type FixtureServer, serveFixtures } from '../../../support/fixture-server.ts';
import { type Publisher, publisherOf } from '../../../support/publisher.ts';

const playlistId = playlistIdOf(login, 'Mornings');
const otherPlaylistId = playlistIdOf(login, 'Outtakes');
const aheadMs = 1_800_000;
const srt = '1\n00:00:01,000 --> 00:00:04,000\nThe harbour\n';
const captions = [
  { language: 'en', text: srt },
  { language: 'de', name: 'Einfach', text: 'WEBVTT\n\n00:01.000 --> 00:04.000\nDer Hafen' },
];

let fixtures: FixtureServer;
let fixture: Fixture;
let dueMs: number;
beforeAll(async () => {
  fixtures = await serveFixtures();
});
afterAll(() => fixtures.close());
beforeEach(async () => {
  fixture = await openFixture(rowOf('youtube'), fixtures);
  dueMs = fixture.clock.time + aheadMs;
});
afterEach(() => fixture.close());

const withJob = (job: PublishJob): Publisher =>
  publisherOf(fixture.adapter, job, fixture.tools, fixture.clock, fixture.idle);

/** A publisher of a video that is due in half an hour, unless the changes say otherwise. */
async function publisher(
  options: JobChanges['options'] = {},
  changes: Partial<PublishJob> & Pick<JobChanges, 'cover'> = {},
): Promise<Publisher> {
  const { cover, ...rest } = changes;
  const given = { title: 'Harbour', privacy: 'public', ...options };
  const { job } = await fixture.publisher({
    media: ['video.mp4'],
    options: given,
    ...(cover && { cover }),
  });
  return withJob({ ...job, dueMs, ...rest });
}
const prepared = async (...given: Parameters<typeof publisher>) => {
  const upload = await publisher(...given);
  await upload.prepare();
  return upload;
};

interface Video {
  readonly id: string;
  readonly snippet: { readonly title: string };
  readonly status: Readonly<Record<string, unknown>>;
}
/** Calls the API as the channel's owner does in YouTube Studio. */
async function studio(method: 'GET' | 'PUT' | 'DELETE', query: Record<string, string>, json?: object) {
  const { tools, account } = fixture;
  const answer = await tools.http.send({
    method,
    url: `${apiRoot(tools)}/videos`,
    query,
    bearer: account.tokens.accessToken,
    ...(json && { body: { json: json as never } }),
  });
  return answer.json as unknown as { items: Video[] };
}
const videoIdOf = ({ job }: Publisher) => Progress.parse(job.preparation).videoId ?? '';
const read = async (upload: Publisher) =>
  (await studio('GET', { part: 'snippet,status', id: videoIdOf(upload) })).items[0];
const countOf = async (operation: string) => {
  const all = (await fixture.control('requests')) as unknown as { operation: string }[];
  return all.filter((request) => request.operation === operation).length;
};
const discard = ({ job }: Publisher) =>
  fixture.adapter.discard?.(
    { account: job.account, accessToken: job.accessToken, preparation: job.preparation },
    fixture.tools,
  );

describe('a video that is uploaded ahead', () => {
  it('is private until the last call, which sends the whole status', async () => {
    const upload = await prepared({ embeddable: false });
    expect(await fixture.posts()).toEqual([]);
    expect((await read(upload))?.status).toMatchObject({
      privacyStatus: 'private',
      uploadStatus: 'processed',
    });
    fixture.clock.time = dueMs;
    const post = await upload.goLive();
    expect(post.platformPostId).toBe(videoIdOf(upload));
    expect(await fixture.posts()).toMatchObject([
      { id: post.platformPostId, privacyStatus: 'public', publishedAt: dueMs, viewableAt: dueMs },
    ]);
    expect((await read(upload))?.status).toMatchObject({ embeddable: false });
    expect(await countOf('videos.update')).toBe(1);
  });

  it('stays visible if a worker that was held up brings an edit once it is live', async () => {
    const { job } = await prepared({ embeddable: false });
    const edited: PublishJob = { ...job, options: { ...job.options, title: 'Harbour at night' } };
    const upload = withJob(edited);
    await upload.prepare();
    fixture.clock.time = dueMs;
    await upload.goLive();
    await fixture.adapter.prepare(edited, fixture.tools);
    expect((await read(upload))?.status).toMatchObject({ privacyStatus: 'public', embeddable: false });
  });

  it('loses an option that an edit removes', async () => {
    const { job } = await prepared({ embeddable: false });
    const { embeddable: _, ...options } = job.options;
    const upload = withJob({ ...job, options });
    await upload.prepare();
    expect((await read(upload))?.status).toMatchObject({ privacyStatus: 'private', embeddable: true });
  });

  it('keeps what its owner has changed in YouTube Studio while it was processed', async () => {
    await fixture.set({ processingSeconds: 60 });
    const upload = await publisher();
    let isChanged = false;
    const prepare: typeof fixture.adapter.prepare = async (job, tools) => {
      const { videoId } = Progress.parse(job.preparation);
      if (videoId !== null && !isChanged) {
        isChanged = true;
        const status = { privacyStatus: 'private', embeddable: false, containsSyntheticMedia: true };
        await studio('PUT', { part: 'status' }, { id: videoId, status });
      }
      return fixture.adapter.prepare(job, tools);
    };
    const watched = publisherOf(
      { ...fixture.adapter, prepare },
      upload.job,
      fixture.tools,
      fixture.clock,
      fixture.idle,
    );
    await watched.prepare();
    await watched.goLive();
    expect((await read(watched))?.status).toMatchObject({
      privacyStatus: 'public',
      embeddable: false,
      containsSyntheticMedia: true,
    });
  });

  it('is no upload for release 0.1.0, which would take its private video for a published one', async () => {
    const upload = await publisher();
    const sessions: unknown[] = [];
    const prepare: typeof fixture.adapter.prepare = async (job, tools) => {
      const step = await fixture.adapter.prepare(job, tools);
      sessions.push(step.preparation['sessionUri'] ?? null);
      return step;
    };
    await publisherOf(
      { ...fixture.adapter, prepare },
      upload.job,
      fixture.tools,
      fixture.clock,
      fixture.idle,
    ).prepare();
    expect([...new Set(sessions)]).toEqual([null]);
  });

  it.each(['unlisted', 'public'])('becomes %s', async (privacy) => {
    await (await prepared({ privacy })).goLive();
    expect(await fixture.posts()).toMatchObject([{ privacyStatus: privacy }]);
  });

  it('that stays private by its author’s wish is only read at its time', async () => {
    const upload = await prepared({ privacy: 'private' });
    const post = await upload.goLive();
    expect(post).toMatchObject({ platformPostId: videoIdOf(upload), isFinished: true });
    expect(await countOf('videos.update')).toBe(0);
  });

  it('has its playlist and thumbnail before the last call, after which nothing is left to do', async () => {
    const cover = await fixtures.source('square.jpg');
    const upload = await prepared({ playlistId }, { cover });
    expect([await countOf('playlistItems.insert'), await countOf('thumbnails.set')]).toEqual([1, 1]);
    const post = await upload.goLive();
    expect(post.isFinished).toBe(true);
    expect(await fixture.posts()).toMatchObject([
      { playlistIds: [playlistId], thumbnail: { type: 'image/jpeg' } },
    ]);
  });

  it('leaves what YouTube has refused as a warning, without a second call', async () => {
    const cover = await fixtures.source('square.jpg');
    await fixture.plan('thumbnails.set', 'error:forbidden');
    const upload = await prepared({}, { cover });
    const post = await upload.goLive();
    expect((await upload.finish(post)).warning).toContain('forbidden');
    expect(await countOf('thumbnails.set')).toBe(1);
  });

  it('is added to its playlist once if the response is lost', async () => {
    await fixture.plan('playlistItems.insert', 'drop-reply');
    const upload = await prepared({ playlistId });
    await upload.goLive();
    expect(await fixture.posts()).toMatchObject([{ playlistIds: [playlistId] }]);
    expect(await countOf('playlistItems.insert')).toBe(1);
  });

  it('has its captions before the last call', async () => {
    const upload = await prepared({ captions });
    const post = await upload.goLive();
    expect(post.isFinished).toBe(true);
    expect(await fixture.posts()).toMatchObject([
      { captions: [{ language: 'en', name: '', text: srt }, captions[1]] },
    ]);
    expect([await countOf('captions.insert'), await countOf('captions.list')]).toEqual([2, 0]);
  });

  it('that is due at once gets its captions afterwards', async () => {
    const upload = await prepared({ captions }, { dueMs: fixture.clock.time });
    expect(await countOf('captions.insert')).toBe(0);
    expect((await upload.finish(await upload.goLive())).warning).toBeUndefined();
    expect((await fixture.posts())[0]).toMatchObject({ captions: [{ text: srt }, captions[1]] });
  });

  it.each(['drop-reply', 'half-json'])('has each track once if a response is lost: %s', async (fault) => {
    await fixture.plan('captions.insert', fault);
    const upload = await prepared({ captions });
    const post = await upload.goLive();
    expect((await upload.finish(post)).warning).toBeUndefined();
    const [live] = await fixture.posts();
    expect(live).toMatchObject({ captions: [{ language: 'en' }, { language: 'de' }] });
  });

  it('says which captions YouTube has refused', async () => {
    await fixture.plan('captions.insert', 'error:invalidMetadata');
    const upload = await prepared({ captions });
    expect((await upload.finish(await upload.goLive())).warning).toContain('invalidMetadata');
  });

  it('leaves to finishing what YouTube cannot do ahead', async () => {
    await fixture.plan('playlistItems.insert', 'rate-limit', 5);
    const upload = await prepared({ playlistId });
    const post = await upload.goLive();
    expect(post.isFinished).toBe(false);
    expect((await upload.finish(post)).warning).toBeUndefined();
    expect(await fixture.posts()).toMatchObject([{ playlistIds: [playlistId] }]);
  });

  it('asks nothing more once it is prepared, nor shortly before its time', async () => {
    const done = await prepared();
    await fixture.set({ processingSeconds: 7_200 });
    const running = await publisher();
    const silent = {
      ...fixture.tools,
      http: { ...fixture.tools.http, send: () => Promise.reject(new Error('YouTube was asked')) },
    };
    expect(await fixture.adapter.prepare(done.job, silent)).toMatchObject({ state: 'ready' });
    await running.prepare();
    expect(fixture.clock.time).toBeGreaterThanOrEqual(dueMs - 5_000);
    expect(fixture.clock.time).toBeLessThanOrEqual(dueMs);
    expect(await fixture.adapter.prepare(running.job, silent)).toMatchObject({ state: 'ready' });
  });

  it('fails before its time if YouTube cannot process it', async () => {
    await fixture.plan('processing', 'error:codec');
    await fixture.set({ processingSeconds: 300 });
    const upload = await publisher();
    await expect(upload.prepare()).rejects.toMatchObject({
      remedy: 'rejected',
      message: 'YouTube could not process the video (codec).',
    });
    expect(fixture.clock.time).toBeLessThan(dueMs);
    expect(uploadIdOf(upload.job.preparation)).toBeDefined();
  });

  it('that is due at once does not wait for its processing, which is watched afterwards', async () => {
    await fixture.plan('processing', 'error:codec');
    await fixture.set({ processingSeconds: 300 });
    const upload = await prepared({}, { dueMs: fixture.clock.time });
    expect(fixture.clock.time).toBeLessThan(dueMs - aheadMs + 5_000);
    const post = await upload.goLive();
    await expect(upload.finish(post)).rejects.toThrow('YouTube could not process the video (codec), after');
  });

  it('is private with a warning if the settings of the channel force that', async () => {
    await fixture.set({ forcesPrivate: true });
    const upload = await prepared();
    const { warning } = await upload.finish(await upload.goLive());
    expect(warning).toContain('as private, not as public');
    expect(await fixture.posts()).toEqual([]);
  });

  it('fails if somebody has deleted it, after YouTube has said so several times', async () => {
    const upload = await prepared();
    await studio('DELETE', { id: videoIdOf(upload) });
    await expect(upload.publish()).rejects.toThrow('somebody may have deleted it');
  });

  it('is uploaded as before if the account does not let Herald change videos', async () => {
    const { job } = await fixture.publisher({
      media: ['video.mp4'],
      options: { title: 'Harbour' },
      scopes: [],
    });
    const upload = withJob({ ...job, dueMs });
    await upload.prepare();
    expect(uploadIdOf(upload.job.preparation)).toBeUndefined();
    await upload.goLive();
    expect(await countOf('videos.update')).toBe(0);
    expect(await fixture.posts()).toHaveLength(1);
  });
});

describe('a last call whose response is lost', () => {
  it('has made the video public if YouTube shows it so, since the time that YouTube says', async () => {
    await fixture.plan('videos.update', 'drop-reply');
    const upload = await prepared();
    fixture.clock.time = dueMs;
    await expect(upload.goLive()).rejects.toMatchObject({ remedy: 'unknown' });
    fixture.clock.time += 2_000;
    expect(await upload.reconcile()).toMatchObject({ kind: 'live', post: { publishedMs: dueMs } });
    expect(await countOf('videos.update')).toBe(1);
  });

  it.each(['drop-request', 'timeout'])('is simply made again after %s', async (fault) => {
    await fixture.plan('videos.update', fault);
    const upload = await prepared();
    fixture.clock.time = dueMs;
    await expect(upload.goLive()).rejects.toMatchObject({ remedy: 'unknown' });
    expect(await upload.resume()).toMatchObject({ state: 'live' });
    expect(fixture.clock.time - dueMs).toBeLessThanOrEqual(30_000);
    expect(await fixture.posts()).toHaveLength(1);
  });
});

describe('a change of the post after its upload', () => {
  const changed = async (
    upload: Publisher,
    options: NonNullable<JobChanges['options']>,
    content = 'Another text',
  ) => {
    const later = withJob({ ...upload.job, content, options });
    await later.prepare();
    return later;
  };

  it('of its text and options updates the private video, without another upload', async () => {
    const upload = await prepared({ tags: ['sea'], hasPaidProductPlacement: true, embeddable: false });
    const later = await changed(upload, { title: 'A new title', madeForKids: true });
    expect(await countOf('videos.insert')).toBe(1);
    expect(await read(later)).toMatchObject({
      snippet: { title: 'A new title', description: 'Another text' },
      status: { privacyStatus: 'private', selfDeclaredMadeForKids: true, embeddable: true },
    });
    await later.goLive();
    const [post] = await fixture.posts();
    expect(post).toMatchObject({ tags: [], hasPaidProductPlacement: false, privacyStatus: 'public' });
    expect(await countOf('videos.update')).toBe(2);
  });

  it('of its playlist moves the video', async () => {
    const upload = await prepared({ playlistId });
    const later = await changed(upload, { title: 'Harbour', playlistId: otherPlaylistId });
    await later.goLive();
    expect(await fixture.posts()).toMatchObject([{ playlistIds: [otherPlaylistId] }]);
  });

  it('of its playlist, and back, adds it again after a crash of the worker that has removed it', async () => {
    const upload = await prepared({ playlistId });
    let noted = upload.job.preparation;
    const note = async (notes: PublishJob['preparation']) => {
      noted = structuredClone(notes);
    };
    const options = { title: 'Harbour', playlistId: otherPlaylistId };
    // The worker is killed before the outcome of this step is committed.
    await fixture.adapter.prepare({ ...upload.job, options, note }, fixture.tools);
    const again = withJob({ ...upload.job, preparation: noted });
    await again.prepare();
    await again.goLive();
    expect(await fixture.posts()).toMatchObject([{ playlistIds: [playlistId] }]);
  });

  it('of its captions replaces those that differ, and keeps the others', async () => {
    const upload = await prepared({ captions });
    const later = await changed(upload, {
      title: 'Harbour',
      captions: [{ language: 'en', text: srt.replace('harbour', 'pier') }, ...captions.slice(1)],
    });
    expect(await countOf('captions.insert')).toBe(3);
    await later.goLive();
    expect(await fixture.posts()).toMatchObject([
      { captions: [captions[1], { language: 'en', text: expect.stringContaining('pier') }] },
    ]);
  });

  it('of its captions replaces also a track whose upload was not confirmed', async () => {
    await fixture.plan('captions.insert', 'drop-reply');
    const upload = await publisher({ captions: captions.slice(0, 1) });
    let preparation: PublishJob['preparation'] = {};
    while ((await countOf('captions.insert')) === 0) {
      let noted: PublishJob['preparation'] | undefined;
      const note = async (notes: PublishJob['preparation']) => {
        noted = notes;
      };
      const step = await fixture.adapter.prepare({ ...upload.job, preparation, note }, fixture.tools);
      preparation = noted ?? step.preparation;
    }
    // The worker has crashed after its note. Then the text is changed.
    const options = {
      title: 'Harbour',
      captions: [{ language: 'en', text: srt.replace('harbour', 'pier') }],
    };
    const later = withJob({ ...upload.job, options, preparation });
    await later.prepare();
    await later.goLive();
    expect(await fixture.posts()).toMatchObject([
      { captions: [{ language: 'en', text: expect.stringContaining('pier') }] },
    ]);
  });

  it.each([
    ['other ones', [{ language: 'en', text: srt.replace('harbour', 'pier') }]],
    ['none', []],
  ])('of its captions to %s, and back, leaves the first ones', async (_what, others) => {
    const upload = await prepared({ captions });
    const other = await changed(upload, { title: 'Harbour', captions: others });
    const again = await changed(other, { title: 'Harbour', captions });
    const post = await again.goLive();
    expect(post.isFinished).toBe(true);
    expect(await fixture.posts()).toMatchObject([{ captions: [{ language: 'en', text: srt }, captions[1]] }]);
  });

  it('of its captions, and back, brings those again that a crashed worker has removed', async () => {
    const first = captions.slice(0, 1);
    const upload = await prepared({ captions: first });
    const options = { title: 'Harbour', captions: captions.slice(1) };
    let noted = upload.job.preparation;
    const note = async (notes: PublishJob['preparation']) => {
      if ((await countOf('captions.delete')) > 0) throw new Error('killed');
      noted = structuredClone(notes);
    };
    const killed = fixture.adapter.prepare({ ...upload.job, options, note }, fixture.tools);
    await expect(killed).rejects.toThrow('killed');
    const again = withJob({ ...upload.job, preparation: noted });
    await again.prepare();
    await again.goLive();
    expect(await fixture.posts()).toMatchObject([{ captions: [{ language: 'en', text: srt }] }]);
  });

  it('of its captions leaves those alone that YouTube has recognized itself', async () => {
    const upload = await prepared({ captions });
    const { http } = fixture.tools;
    const removed: unknown[] = [];
    const send: typeof http.send = async (request) => {
      const isOfCaptions = request.url.endsWith('/captions');
      if (isOfCaptions && request.method === 'DELETE') removed.push(request.query?.['id']);
      const response = await http.send(request);
      if (!isOfCaptions || request.method !== 'GET') return response;
      const { items } = response.json as { items: Json[] };
      const recognized = { id: 'recognized', snippet: { language: 'en', name: '', trackKind: 'asr' } };
      return { ...response, json: { items: [recognized, ...items] } };
    };
    const tools = { ...fixture.tools, http: { ...http, send } };
    const job = { ...upload.job, options: { title: 'Harbour' } };
    await publisherOf(fixture.adapter, job, tools, fixture.clock, fixture.idle).prepare();
    expect(removed).toHaveLength(2);
    expect(removed).not.toContain('recognized');
  });

  it('that has no captions any more removes them', async () => {
    const upload = await prepared({ captions });
    const later = await changed(upload, { title: 'Harbour' });
    await later.goLive();
    expect((await fixture.posts())[0]).not.toHaveProperty('captions');
  });

  it('of the notification needs another upload, because only an upload can say that', async () => {
    const upload = await prepared();
    const later = await changed(upload, { title: 'Harbour', notifySubscribers: false });
    expect(await countOf('videos.insert')).toBe(2);
    expect(uploadIdOf(later.job.preparation)).not.toBe(uploadIdOf(upload.job.preparation));
  });
});

describe('an upload that nobody publishes any more', () => {
  const itemCount = async () => {
    const { tools, account } = fixture;
    const query = { part: 'contentDetails', mine: 'true' };
    const bearer = account.tokens.accessToken;
    const answer = await tools.http.send({
      method: 'GET',
      url: `${apiRoot(tools)}/playlists`,
      query,
      bearer,
    });
    const { items } = answer.json as unknown as { items: { contentDetails: { itemCount: number } }[] };
    return items[0]?.contentDetails.itemCount;
  };

  it('is deleted, and taken out of its playlist; doing so again changes nothing', async () => {
    const upload = await prepared({ playlistId });
    expect(await itemCount()).toBe(1);
    const said = `the private video ${videoIdOf(upload)} was deleted on YouTube`;
    expect(await discard(upload)).toBe(said);
    expect([await read(upload), await itemCount()]).toEqual([undefined, 0]);
    expect(await discard(upload)).toBe(said);
  });

  it.each(['drop-reply', 'drop-request', 'error:503'])(
    'is deleted by the next try after %s',
    async (fault) => {
      const upload = await prepared();
      await fixture.plan('videos.delete', fault);
      await expect(discard(upload)).rejects.toMatchObject({ remedy: 'unknown' });
      await discard(upload);
      expect(await read(upload)).toBeUndefined();
    },
  );

  it('stays if it has become visible', async () => {
    const upload = await prepared();
    await upload.goLive();
    expect(await discard(upload)).toBeUndefined();
    expect(await fixture.posts()).toHaveLength(1);
  });

  it('is found by its session if the worker was killed before it could note the video', async () => {
    const upload = await publisher();
    const { preparation } = await fixture.adapter.prepare(upload.job, fixture.tools);
    const job = { ...upload.job, preparation };
    const { preparation: whole } = await fixture.adapter.prepare(job, fixture.tools);
    expect(await discard(withJob(job))).toBe(
      `the private video ${Progress.parse(whole).videoId} was deleted on YouTube`,
    );
  });

  it('is nothing at all before its last byte', async () => {
    const upload = await publisher();
    const { preparation } = await fixture.adapter.prepare(upload.job, fixture.tools);
    expect(await discard(withJob({ ...upload.job, preparation }))).toBeUndefined();
    expect(await discard(upload)).toBeUndefined();
  });
});
