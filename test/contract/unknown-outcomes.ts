import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type FixtureServer, serveFixtures } from '../support/fixture-server.ts';
import type { Publisher } from '../support/publisher.ts';
import { type Fixture, openFixture } from './fixture.ts';
import { type PostKind, postKinds } from './kinds.ts';

type Interruption =
  | 'the response is lost'
  | 'the request is lost'
  | 'the worker is killed before the call'
  | 'the call is still running when its worker is replaced';
const interruptions: readonly Interruption[] = [
  'the response is lost',
  'the request is lost',
  'the worker is killed before the call',
  'the call is still running when its worker is replaced',
];

const lags = [0, 30, 90, 'forever'] as const;
type Lag = (typeof lags)[number];

type View = 'as sent' | 'with changed texts' | 'behind 200 other posts' | 'beside the post of another target';
const views: readonly View[] = [
  'as sent',
  'with changed texts',
  'behind 200 other posts',
  'beside the post of another target',
];

interface Case {
  readonly interruption: Interruption;
  readonly lag: Lag;
  readonly view: View;
}

/** Decides by their numbers which pairs of an interruption and a lag of reads are tested with a kind of post. */
type Choice = (interruption: number, lag: number, kind: number) => boolean;

/** Each interruption with each lag. */
export const everyPair: Choice = () => true;

/** Each interruption once and each lag once, in pairs that differ between kinds of posts. */
export const onePairOfEach: Choice = (interruption, lag, kind) =>
  lag === (interruption + Math.floor(kind / 2)) % lags.length;

/** The chosen pairs of an interruption and a lag, with one view each. Each kind of post has other views. */
const casesOf = (kind: number, isChosen: Choice): [title: string, one: Case][] =>
  interruptions.flatMap((interruption, first) =>
    lags.flatMap((lag, second): [string, Case][] => {
      if (!isChosen(first, second, kind)) return [];
      const view = views[(first + second + kind) % views.length] ?? 'as sent';
      const duration = lag === 'forever' ? lag : `by ${lag} seconds`;
      return [
        [`${interruption}, reads lag ${duration}, and lists show it ${view}`, { interruption, lag, view }],
      ];
    }),
  );

/** Shorter than the time that any platform allows for its last call. */
const runningSeconds = 10;
const toleranceMs = 10_000;

let fixture: Fixture;

/** Publishes the same content for another target, and returns the id of its post. */
async function publishTwin({ changes }: PostKind): Promise<string> {
  await (await fixture.publisher(changes)).publish();
  return (await fixture.posts())[0]?.id ?? '';
}

async function interrupt(publisher: Publisher, { calls }: PostKind, { interruption }: Case): Promise<void> {
  switch (interruption) {
    case 'the response is lost':
      await fixture.plan(calls.after, 'drop-reply');
      await expect(publisher.goLive()).rejects.toMatchObject({ remedy: 'unknown' });
      break;
    case 'the request is lost':
      await fixture.plan(calls.before, 'drop-request');
      await expect(publisher.goLive()).rejects.toMatchObject({ remedy: 'unknown' });
      break;
    case 'the worker is killed before the call':
      await publisher.crashAtLastCall(false);
      break;
    case 'the call is still running when its worker is replaced':
      await fixture.plan(calls.before, `hold:${runningSeconds}`);
      await publisher.crashAtLastCall(true);
      break;
  }
  fixture.clock.time += 2_000;
}

/** Declares the tests of what becomes of interrupted last calls, for every kind of post. */
export function testUnknownOutcomes(isChosen: Choice): void {
  let fixtures: FixtureServer;
  beforeAll(async () => {
    fixtures = await serveFixtures();
  });
  afterAll(() => fixtures.close());
  afterEach(() => fixture.close());

  describe.each(postKinds.map((kind, index) => ({ ...kind, index })))('$title', ({ index, ...kind }) => {
    it.each(casesOf(index, isChosen))('makes at most one post if %s', async (_title, one) => {
      const { interruption, lag, view } = one;
      fixture = await openFixture(kind.row, fixtures);
      const publisher = await fixture.publisher(kind.changes);
      const { usedOnce } = fixture.adapter.absenceRule(publisher.job);
      // If the platform does not promise to refuse duplicates, the test must not depend on its refusals.
      const isChecking = ['facebook', 'linkedin'].includes(kind.row.platform);
      if (isChecking && usedOnce === undefined) await fixture.set({ duplicateCheck: false });
      const twin = view === 'beside the post of another target' ? await publishTwin(kind) : undefined;
      if (twin !== undefined) publisher.taken.add(twin);
      await publisher.prepare();
      await fixture.set({
        readLagSeconds: lag,
        changesTexts: view === 'with changed texts',
        otherPosts: view === 'behind 200 other posts' ? 200 : 0,
      });

      await interrupt(publisher, kind, one);
      const ended = await publisher.resume();

      // By now, a call that was held has taken effect.
      fixture.clock.time += runningSeconds * 1_000;
      const posts = (await fixture.posts()).filter(({ id }) => id !== twin);
      expect(posts.length).toBeLessThanOrEqual(1);
      const [post] = posts;
      if (ended.state === 'unknown') expect(ended.where).toMatch(/\w+ \w+/);
      else {
        expect(post).toBeDefined();
        await fixture.set({ readLagSeconds: 0 });
        const { platformPostId } = await finished(publisher, ended.post);
        expect(platformPostId).toBe(kind.withoutId === undefined ? post?.id : null);
      }
      if (lag === 'forever') return;
      const hasEffect = interruption.includes('response') || interruption.includes('running');
      if (hasEffect && kind.withoutReading === undefined) {
        expect(ended).toMatchObject({ state: 'live' });
        if (ended.state !== 'live') return;
        if (kind.repeatsAtOnce === undefined) expect(ended.isFound).toBe(true);
        if (!ended.isFound) return;
        const { publishedMs } = ended.post;
        if (kind.withoutTime !== undefined) expect(publishedMs).toBeUndefined();
        else expect(publishedMs).toSatisfy((ms) => Math.abs(ms - (post?.publishedAt ?? 0)) <= toleranceMs);
      }
      if (!hasEffect) expect(ended.state).toBe(usedOnce === undefined ? 'unknown' : 'live');
    });
  });
}

async function finished(publisher: Publisher, post: Parameters<Publisher['finish']>[0]) {
  return post.platformPostId === null ? (await publisher.finish(post)).post : post;
}
