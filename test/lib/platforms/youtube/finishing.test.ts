import { playlistIdOf } from '@herald/platform-simulators/youtube/state.ts';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { FinishJob, PublishJob } from '../../../../lib/platforms/contract/adapter.ts';
import type { LivePost } from '../../../../lib/platforms/contract/live-post.ts';
import { type Fixture, type JobChanges, openFixture } from '../../../contract/fixture.ts';
import { login, rowOf } from '../../../contract/rows.ts';
import { type FixtureServer, serveFixtures } from '../../../support/fixture-server.ts';
import { publisherOf } from '../../../support/publisher.ts';

const row = rowOf('youtube');
const playlistId = playlistIdOf(login, 'Mornings');
const firstComment = 'Which harbour is yours? https://example.com/harbours';
const scope = (name: string) => `https://www.googleapis.com/auth/${name}`;
const usualScopes = [scope('youtube.upload'), scope('youtube.readonly')];

let fixtures: FixtureServer;
let fixture: Fixture;
/** A token that may manage playlists and write comments. */
let token: string;
beforeAll(async () => {
  fixtures = await serveFixtures();
});
afterAll(() => fixtures.close());
beforeEach(async () => {
  // Two tests wait for these times. Much shorter ones end other calls on a busy machine.
  fixture = await openFixture(row, fixtures);
  token = await tokenWith([...usualScopes, scope('youtube.force-ssl')]);
});
afterEach(() => fixture.close());

async function tokenWith(scopes: readonly string[]): Promise<string> {
  const [account] = await fixture.connect({ scope: scopes.join(' ') });
  return account?.tokens.accessToken ?? '';
}

/** A live video, and the publisher that finishes it. */
async function live(options: JobChanges['options'], more: JobChanges = {}, accessToken = token) {
  const given = { privacy: 'public', title: 'Harbour', ...options };
  const { job } = await fixture.publisher({ media: ['video.mp4'], options: given, ...more });
  const publisher = publisherOf(
    fixture.adapter,
    { ...job, accessToken, account: { ...job.account, scopes: usualScopes } },
    fixture.tools,
    fixture.clock,
    fixture.idle,
  );
  await publisher.prepare();
  return { publisher, post: await publisher.goLive() };
}

/** Returns the engine's argument for `finish`. */
function finishJob(job: PublishJob, post: LivePost): FinishJob {
  const call = { token: {}, sinceMs: 0, endedMs: 0, isTaken: async () => false };
  return { ...job, call, live: post, note: async () => {} };
}

async function published(...given: Parameters<typeof live>) {
  const { publisher, post } = await live(...given);
  return publisher.finish(post);
}

const countOf = async (operation: string) => {
  const all = (await fixture.control('requests')) as unknown as { operation: string }[];
  return all.filter((request) => request.operation === operation).length;
};
const playlistIds = async () =>
  (await fixture.posts()).map((post) => ({ playlistIds: undefined, ...post }).playlistIds);
const comments = async () =>
  (await fixture.posts()).map((post) => ({ comments: undefined, ...post }).comments);

it('a live video is in its playlist, with its first comment and declaration', async () => {
  const { warning } = await published({ playlistId, firstComment, hasPaidProductPlacement: true });
  expect(warning).toBeUndefined();
  expect(await fixture.posts()).toMatchObject([
    { playlistIds: [playlistId], comments: [firstComment], hasPaidProductPlacement: true },
  ]);
});

it('neither playlists nor comments are asked for without the options', async () => {
  expect(await published({ firstComment: '  ' })).toMatchObject({ state: 'done' });
  expect(await countOf('playlistItems.list')).toBe(0);
  expect(await countOf('commentThreads.insert')).toBe(0);
});

/** Faults of which YouTube may have carried out the call. */
const unclear = ['drop-reply', 'timeout', 'html', 'half-json', 'empty'];

describe('a call that adds to a playlist', () => {
  it.each([...unclear, 'drop-request', 'error:503', 'error:SERVICE_UNAVAILABLE'])(
    'and ends in %s adds the video at most once',
    async (fault) => {
      await fixture.plan('playlistItems.insert', fault);
      const { warning } = await published({ playlistId });
      const [added = []] = await playlistIds();
      expect(added.length).toBeLessThan(2);
      expect(await countOf('playlistItems.insert')).toBe(1);
      expect(warning === undefined).toBe(added.length === 1);
    },
  );

  it('and whose response is lost adds the video once, although the list lags for ever', async () => {
    await fixture.plan('playlistItems.insert', 'drop-reply');
    await fixture.set({ listLagSeconds: 'forever' });
    const { warning } = await published({ playlistId });
    expect(await playlistIds()).toEqual([[playlistId]]);
    expect(warning).toContain(`may be missing from the playlist ${playlistId}`);
  });

  it('is made by the next worker if this one is killed before it', async () => {
    await fixture.set({ processingSeconds: 0 });
    const { publisher, post } = await live({ playlistId });
    const killed = { ...finishJob(publisher.job, post), note: () => Promise.reject(new Error('killed')) };
    await expect(fixture.adapter.finish(killed, fixture.tools)).rejects.toThrow('killed');
    expect(await publisher.finish(post)).toMatchObject({ state: 'done' });
    expect(await playlistIds()).toEqual([[playlistId]]);
  });

  it('is not made by the next worker if this one is killed after it', async () => {
    await fixture.set({ processingSeconds: 0 });
    const { publisher, post } = await live({ playlistId });
    let { preparation } = publisher.job;
    const note = async (noted: typeof preparation) => {
      preparation = noted;
    };
    const send: typeof fixture.tools.http.send = async (request) => {
      const response = await fixture.tools.http.send(request);
      if (request.method === 'POST') throw new Error('killed');
      return response;
    };
    const tools = { ...fixture.tools, http: { ...fixture.tools.http, send } };
    const job = finishJob(publisher.job, post);
    await expect(fixture.adapter.finish({ ...job, note }, tools)).rejects.toThrow('killed');
    const step = await fixture.adapter.finish({ ...job, preparation, note }, fixture.tools);
    expect(step).toEqual({ state: 'done', post });
    expect(await countOf('playlistItems.insert')).toBe(1);
  });

  it('is made again after a rate limit, and while YouTube does not know the new video', async () => {
    await fixture.plan('playlistItems.insert', 'rate-limit');
    await fixture.plan('playlistItems.insert', 'error:videoToAddNotFound', 2);
    expect((await published({ playlistId })).warning).toBeUndefined();
    expect(await playlistIds()).toEqual([[playlistId]]);
  });

  it.each([
    'error:playlistContainsMaximumNumberOfVideos',
    'error:playlistItemsNotAccessible',
    'error:insufficientPermissions',
  ])('and is refused with %s leaves a warning, and the first comment is still posted', async (fault) => {
    await fixture.plan('playlistItems.insert', fault, 9);
    const { warning } = await published({ playlistId, firstComment });
    expect(warning).toContain(fault.replace('error:', ''));
    expect(await comments()).toEqual([[firstComment]]);
    expect(await countOf('playlistItems.insert')).toBe(1);
  });

  it('names a playlist that does not exist', async () => {
    const { warning } = await published({ playlistId: 'PLmissing' });
    expect(warning).toContain('playlistNotFound');
  });
});

describe('a first comment', () => {
  it.each([...unclear, 'drop-request', 'error:503', 'error:processingFailure'])(
    'whose call ends in %s is posted at most once',
    async (fault) => {
      await fixture.plan('commentThreads.insert', fault);
      const { warning } = await published({ firstComment });
      const [posted = []] = await comments();
      expect(posted.length).toBeLessThan(2);
      expect(await countOf('commentThreads.insert')).toBe(1);
      expect(warning === undefined).toBe(posted.length === 1);
    },
  );

  it('whose response is lost is recognized among others, although YouTube shows texts differently', async () => {
    await fixture.plan('commentThreads.insert', 'drop-reply');
    await fixture.set({ changesTexts: true });
    expect((await published({ firstComment })).warning).toBeUndefined();
    expect(await comments()).toEqual([[firstComment]]);
  });

  it('is refused by a channel without comments: the video is live with a warning', async () => {
    await fixture.set({ disablesComments: true });
    const { warning } = await published({ firstComment, playlistId });
    expect(warning).toContain('commentsDisabled');
    expect(await playlistIds()).toEqual([[playlistId]]);
  });

  it('is refused if the channel’s settings have made the video private', async () => {
    await fixture.set({ forcesPrivate: true });
    const { warning } = await published({ firstComment });
    expect(warning).toContain('as private, not as public');
    expect(warning).toContain('(forbidden)');
  });
});

it('without the scope, YouTube refuses playlists and comments, and the video is live with a warning', async () => {
  const { warning } = await published({ firstComment, playlistId }, {}, await tokenWith(usualScopes));
  expect(warning?.match(/insufficientPermissions/g)).toHaveLength(2);
  expect(await fixture.posts()).toHaveLength(1);
});

it('playlist and comment do not wait for the thumbnail of a Short, and are not repeated while it waits', async () => {
  await fixture.set({ processingSeconds: 1_200, disablesComments: true });
  const begunMs = fixture.clock.time;
  const cover = await fixtures.source('square.jpg');
  const { publisher, post } = await live({ playlistId, firstComment }, { media: ['video.mp4'], cover });
  const { warning } = await publisher.finish(post);
  expect(warning).toContain('commentsDisabled');
  expect(fixture.clock.time - begunMs).toBeGreaterThan(1_200_000);
  expect(await countOf('playlistItems.insert')).toBe(1);
  expect(await countOf('commentThreads.insert')).toBe(1);
  expect(await countOf('thumbnails.set')).toBe(1);
});
