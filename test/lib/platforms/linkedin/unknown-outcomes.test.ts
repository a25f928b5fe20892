import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { LastCall } from '../../../../lib/platforms/contract/last-call.ts';
import type { AccountKind } from '../../../../lib/platforms/contract/names.ts';
import { type Fixture, type JobChanges, openFixture } from '../../../contract/fixture.ts';
import { rows } from '../../../contract/rows.ts';
import { type FixtureServer, serveFixtures } from '../../../support/fixture-server.ts';
import { type Publisher, publisherOf } from '../../../support/publisher.ts';

let fixtures: FixtureServer;
let fixture: Fixture;
beforeAll(async () => {
  fixtures = await serveFixtures();
});
afterAll(() => fixtures.close());
afterEach(() => fixture.close());

async function open(as: AccountKind): Promise<Fixture> {
  const row = rows.find((candidate) => candidate.platform === 'linkedin' && candidate.as === as);
  if (!row) throw new Error(`no row for ${as}`);
  fixture = await openFixture(row, fixtures);
  return fixture;
}

type Kind = [name: string, changes: JobChanges];
const text: Kind = ['a text', { media: [], options: {} }];
const image: Kind = ['an image', { media: ['image.jpg'], options: {} }];
const kinds: Kind[] = [
  text,
  image,
  ['several images', { media: ['image.jpg', 'image.png'], options: {} }],
  ['a video', { media: ['video.mp4'], options: {} }],
  ['a poll', { media: [], options: { poll: { question: 'Coffee?', options: ['Yes', 'No'] } } }],
  ['a reshare', { media: [], options: { reshare: 'urn:li:share:7045020441609936898' } }],
  ['a link', { media: [], options: { link: 'https://example.com/a', title: 'A page' } }],
];

async function prepared([, changes]: Kind, content?: string): Promise<Publisher> {
  const { job } = await fixture.publisher(changes);
  const given = content === undefined ? job : { ...job, content };
  const publisher = publisherOf(fixture.adapter, given, fixture.tools, fixture.clock, fixture.idle);
  await publisher.prepare();
  return publisher;
}

async function lost(kind: Kind, content?: string): Promise<Publisher> {
  const publisher = await prepared(kind, content);
  await fixture.plan('posts.create', 'drop-reply');
  await expect(publisher.goLive()).rejects.toMatchObject({ remedy: 'unknown' });
  return publisher;
}

async function refusedAsDuplicate(kind: Kind): Promise<Publisher> {
  const publisher = await prepared(kind);
  await expect(publisher.goLive()).rejects.toMatchObject({
    platformCode: 'DUPLICATE_POST',
    ifAbsent: 'rejected',
  });
  return publisher;
}

/** Looks up as the engine does, with another time of the first unproven call. */
function lookUp(publisher: Publisher, call: Partial<LastCall>) {
  const token = fixture.adapter.tokenOf(publisher.job);
  const now = fixture.clock.now();
  const latest = { token, sinceMs: now, endedMs: now, isTaken: async () => false, ...call };
  return fixture.adapter.lookUp({ ...publisher.job, call: latest }, fixture.tools);
}

const creations = async () => {
  const all = (await fixture.control('requests')) as unknown as { operation: string }[];
  return all.filter(({ operation }) => operation === 'posts.create').length;
};

describe("an organization's post that went live", () => {
  it.each(kinds)('is found if the response was lost: %s', async (...kind) => {
    await open('organization');
    const publisher = await lost(kind);
    const [live] = await fixture.posts();
    expect(await publisher.reconcile()).toMatchObject({
      kind: 'live',
      post: { platformPostId: live?.id, permalink: live?.permalink, publishedMs: live?.publishedAt },
    });
    expect(await creations()).toBe(1);
  });

  it('is found if the worker was killed after the call', async () => {
    await open('organization');
    const publisher = await prepared(image);
    await publisher.crashAtLastCall(true);
    expect(await publisher.reconcile()).toMatchObject({ kind: 'live' });
  });

  it.each([text, image])('is found in a list that lags by 90 seconds: %s', async (...kind) => {
    await open('organization');
    await fixture.set({ listLagSeconds: 90 });
    const publisher = await lost(kind);
    expect(await publisher.reconcile()).toMatchObject({ kind: 'live' });
    expect(await creations()).toBe(1);
  });

  it.each([text, image])('is found behind 200 later posts: %s', async (...kind) => {
    await open('organization');
    const publisher = await lost(kind);
    const [live] = await fixture.posts();
    await fixture.set({ otherPosts: 200 });
    expect(await publisher.reconcile()).toMatchObject({ kind: 'live', post: { platformPostId: live?.id } });
  });

  it('is found although LinkedIn has shortened its URL', async () => {
    await open('organization');
    const publisher = await lost(text, 'Six in the morning: https://example.com/harbour_at_six?a=b #coffee');
    await fixture.set({ changesTexts: true });
    expect(await publisher.reconcile()).toMatchObject({ kind: 'live' });
  });

  it('is found by the record of an earlier release, which has its media in the preparation only', async () => {
    await open('organization');
    const publisher = await prepared(image);
    const sinceMs = fixture.clock.now();
    const { platformPostId } = await publisher.goLive();
    fixture.clock.time += 3_000;
    const preparation = { ...publisher.job.preparation, firstIntentAt: sinceMs };
    const former = { ...publisher, job: { ...publisher.job, preparation } };
    const finding = await lookUp(former, { token: {}, sinceMs });
    expect(finding).toMatchObject({ state: 'live', post: { platformPostId } });
  });

  it('is not claimed if it belongs to another target', async () => {
    await open('organization');
    const publisher = await lost(text);
    publisher.taken.add((await fixture.posts())[0]?.id ?? '');
    expect(await publisher.reconcile()).toMatchObject({ kind: 'unknown' });
  });

  it('is never sent again if the list does not show it', async () => {
    await open('organization');
    await fixture.set({ listLagSeconds: 'forever', duplicateCheck: false });
    const publisher = await prepared(image);
    await fixture.plan('posts.create', 'drop-reply');
    await expect(publisher.publish()).rejects.toThrow("check the organization's posts on LinkedIn");
    expect(await fixture.posts()).toHaveLength(1);
  });

  it('is never sent again if LinkedIn does not let the app read the list', async () => {
    await open('organization');
    const publisher = await lost(text);
    await fixture.plan('posts.finder', 'error:ACCESS_DENIED', 10);
    expect(await publisher.reconcile()).toMatchObject({ kind: 'unknown' });
  });
});

it.each(kinds)('an organization’s call that never arrived has an unknown outcome: %s', async (...kind) => {
  await open('organization');
  const publisher = await prepared(kind);
  await publisher.crashAtLastCall(false);
  expect(await publisher.reconcile()).toMatchObject({ kind: 'unknown' });
});

it('an organization’s earlier post with the same text does not count as the call’s', async () => {
  await open('organization');
  await (await prepared(text)).goLive();
  fixture.clock.time += 300_000;
  const publisher = await prepared(text);
  await publisher.crashAtLastCall(false);
  expect(await publisher.reconcile()).toMatchObject({ kind: 'unknown' });
});

describe("a member's unknown outcome", () => {
  it.each(['drop-reply', 'timeout'])(
    'is reported once the call has ended, and nothing is sent again (%s)',
    async (fault) => {
      await open('member');
      // A platform without any check of duplicates, which LinkedIn does not promise.
      await fixture.set({ duplicateCheck: false });
      const publisher = await prepared(image);
      await fixture.plan('posts.create', fault);
      const begun = fixture.clock.time;
      await expect(publisher.publish()).rejects.toThrow("check the member's posts and activity on LinkedIn");
      // The call may start 5 seconds after its intent, and take 20 seconds.
      expect(fixture.clock.time - begun).toBeLessThanOrEqual(25_000);
      expect(await creations()).toBe(1);
    },
  );
});

describe.each<AccountKind>(['member', 'organization'])('as %s, a post refused as a duplicate', (as) => {
  it('of an older post is rejected, with advice', async () => {
    await open(as);
    await (await prepared(text)).goLive();
    fixture.clock.time += 300_000;
    const publisher = await refusedAsDuplicate(text);
    expect(await publisher.reconcile()).toMatchObject({
      kind: 'absent',
      proof: expect.stringContaining('older than the call'),
    });
    expect(publisher.calls.at(-1)?.refusal).toMatch(/duplicate of urn:li:share:\d+.*change the text/);
  });

  it('of another target’s post is rejected', async () => {
    await open(as);
    const { platformPostId } = await (await prepared(text)).goLive();
    const publisher = await refusedAsDuplicate(text);
    publisher.taken.add(platformPostId ?? '');
    expect(await publisher.reconcile()).toMatchObject({
      kind: 'absent',
      proof: expect.stringContaining('another destination'),
    });
  });

  it('of a new post that does not exist has an unknown outcome', async () => {
    await open(as);
    await fixture.set({ namesMissingDuplicates: true });
    await (await prepared(text)).goLive();
    fixture.clock.time += 300_000;
    const publisher = await refusedAsDuplicate(text);
    expect(await publisher.reconcile()).toMatchObject({ kind: 'unknown' });
    expect(publisher.calls.at(-1)?.refusal).toContain('duplicate');
  });

  it('is looked up again at the next try', async () => {
    await open(as);
    await (await prepared(text)).goLive();
    const publisher = await refusedAsDuplicate(text);
    expect(publisher.job.preparation['duplicateUrn']).toMatch(/^urn:li:share:/);
    await publisher.prepare();
    expect(publisher.job.preparation['duplicateUrn']).toBeNull();
  });
});

describe('a refusal that names a post which an earlier call of unknown outcome made', () => {
  it.each([text, image])(
    'settles an organization’s post as live, whatever the list shows: %s',
    async (...kind) => {
      await open('organization');
      await fixture.set({ listLagSeconds: 'forever' });
      const publisher = await prepared(kind);
      const sinceMs = fixture.clock.now();
      await publisher.crashAtLastCall(true);
      fixture.clock.time += 120_000;
      await publisher.goLive().catch(() => undefined);
      const [live, ...others] = await fixture.posts();
      expect(others).toEqual([]);
      expect(await lookUp(publisher, { sinceMs })).toMatchObject({
        state: 'live',
        post: { platformPostId: live?.id },
      });
    },
  );

  it('settles an organization’s post as live, however LinkedIn shows its text', async () => {
    await open('organization');
    await fixture.set({ listLagSeconds: 'forever' });
    const publisher = await prepared(text);
    const sinceMs = fixture.clock.now();
    await publisher.crashAtLastCall(true);
    await publisher.goLive().catch(() => undefined);
    const [live] = await fixture.posts();
    const { http } = fixture.tools;
    const send: typeof http.send = async (request) => {
      const response = await http.send(request);
      const isPost = request.method === 'GET' && request.url.includes('/posts/');
      return isPost ? { ...response, json: { ...Object(response.json), commentary: 'Six' } } : response;
    };
    const call = {
      token: fixture.adapter.tokenOf(publisher.job),
      sinceMs,
      endedMs: sinceMs,
      isTaken: async () => false,
    };
    const tools = { ...fixture.tools, http: { ...http, send } };
    expect(await fixture.adapter.lookUp({ ...publisher.job, call }, tools)).toMatchObject({
      state: 'live',
      post: { platformPostId: live?.id },
    });
  });

  it('leaves a member’s outcome unknown, because nobody can read that post', async () => {
    await open('member');
    const publisher = await prepared(text);
    const sinceMs = fixture.clock.now();
    await publisher.crashAtLastCall(true);
    fixture.clock.time += 120_000;
    await publisher.goLive().catch(() => undefined);
    expect(await lookUp(publisher, { sinceMs })).toEqual({ state: 'unseen' });
  });
});

it('the record of a call with twenty images has at most 1 KB', async () => {
  await open('organization');
  const assets = Array.from({ length: 20 }, (_, index) => `urn:li:image:C4E10AQFoyyAjHPMQu${index + 10}`);
  const { job } = await fixture.publisher();
  const preparation = { assets, duplicateUrn: 'urn:li:share:7045020441609936898' };
  const token = fixture.adapter.tokenOf({ ...job, preparation });
  expect(token).toMatchObject(preparation);
  expect(JSON.stringify(token).length).toBeLessThan(1_024);
});
