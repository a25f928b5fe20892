import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { dayMs, hourMs } from '../../lib/kernel/clock.ts';
import type { AskedPost, PlatformInsights, PostReading } from '../../lib/platforms/contract/insights.ts';
import type { AccountKind } from '../../lib/platforms/contract/names.ts';
import { insightsFor } from '../../lib/platforms/registry/insights.ts';
import { numbersOf } from '../../lib/platforms/registry/numbers.ts';
import { type FixtureServer, serveFixtures } from '../support/fixture-server.ts';
import { type Fixture, openFixture } from './fixture.ts';
import { type PlatformRow, rows } from './rows.ts';

let fixtures: FixtureServer;
let fixture: Fixture | undefined;
beforeAll(async () => {
  fixtures = await serveFixtures();
});
afterEach(async () => {
  await fixture?.close();
  fixture = undefined;
});
afterAll(() => fixtures.close());

/** LinkedIn's app of members has no numbers. */
const counted = rows.filter(({ platform, as }) => platform !== 'linkedin' || as === 'organization');
const cases = counted.map((row) => [`${row.platform}${row.as ? ` (${row.as})` : ''}`, row] as const);

interface Live {
  readonly opened: Fixture;
  readonly post: AskedPost;
  readonly reader: PlatformInsights;
  readonly as: AccountKind | undefined;
}

/** Publishes the row's post as an account with the feature. */
async function publish(row: PlatformRow): Promise<Live> {
  const opened = await openFixture(row, fixtures);
  fixture = opened;
  const publisher = await opened.publisher();
  const { post } = await publisher.publish();
  await opened.idle();
  return {
    opened,
    post: { platformPostId: post.platformPostId ?? '', publishedMs: opened.clock.now(), isStory: false },
    reader: await insightsFor(row.platform),
    as: row.as === 'organization' ? 'organization' : undefined,
  };
}

/** Returns what a reader gets. Some access tokens have ended by then. */
async function requestOf({ account, authorization, clock, tools }: Fixture) {
  const { expiresAt } = account.tokens;
  const isOver = expiresAt !== undefined && Date.parse(expiresAt) <= clock.now();
  const { accessToken } = isOver ? await authorization.refresh(account.tokens, tools) : account.tokens;
  return { account: { ...account, scopes: account.tokens.scopes }, accessToken, nowMs: clock.now() };
}

async function readOne({ opened, post, reader }: Live): Promise<PostReading | undefined> {
  const found = await reader.readPosts([post], await requestOf(opened), opened.tools);
  return found.get(post.platformPostId);
}

const numbersIn = (reading: PostReading | undefined): Record<string, unknown> =>
  reading === undefined || reading === 'gone' ? {} : { ...reading };

describe.each(cases)('the numbers of a post on %s', (_name, row) => {
  it('are all that the platform has, and never fall', async () => {
    const live = await publish(row);
    live.opened.clock.time += hourMs;
    const first = numbersIn(await readOne(live));
    live.opened.clock.time += 7 * dayMs;
    const later = numbersIn(await readOne(live));
    const names = Object.keys(numbersOf(row.platform).ofPost({ as: live.as })).sort();
    expect(Object.keys(later).sort()).toEqual(names);
    for (const name of names) {
      expect(later[name]).toBeTypeOf('number');
      expect(later[name]).toBeGreaterThanOrEqual(Number(first[name]));
    }
    expect(later['views']).toBeGreaterThan(0);
  });

  it('are pending while the platform has not reported them', async () => {
    const live = await publish(row);
    await live.opened.set({ numbersDelaySeconds: 2 * 86_400 });
    live.opened.clock.time += hourMs;
    expect(numbersIn(await readOne(live))['views'] ?? 'pending').toBe('pending');
  });

  it('are not read if the platform refuses them', async () => {
    const live = await publish(row);
    await live.opened.set({ refusesNumbers: true });
    live.opened.clock.time += hourMs;
    // YouTube's public counts need no permission of their own.
    if (row.platform === 'youtube') expect(numbersIn(await readOne(live))['views']).toBeTypeOf('number');
    else await expect(readOne(live)).rejects.toMatchObject({ name: 'PlatformError' });
  });
});

/** Returns an id of the same kind that no post has. */
const unknownId = (id: string): string =>
  /\d$/.test(id) ? id.replace(/\d+$/, (digits) => String(BigInt(digits) + 4_000n)) : 'dQw4w9WgXcQ';

describe.each(cases)('a post that does not exist on %s', (_name, row) => {
  it('is gone, unless the platform does not tell private posts apart', async () => {
    const live = await publish(row);
    const { opened, reader, post } = live;
    opened.clock.time += hourMs;
    const gone = { ...post, platformPostId: unknownId(post.platformPostId) };
    const read = await reader.readPosts([post, gone], await requestOf(opened), opened.tools);
    if (row.platform === 'tiktok') expect(numbersIn(read.get(gone.platformPostId))['views']).toBe('withheld');
    else expect(read.get(gone.platformPostId)).toBe('gone');
    expect(numbersIn(read.get(post.platformPostId))['views']).toBeTypeOf('number');
  });
});

describe.each(cases)('the numbers of an account on %s', (_name, row) => {
  it('are those of each day, with the followers of today', async () => {
    const live = await publish(row);
    const { opened, reader } = live;
    opened.clock.time += 3 * dayMs;
    const days = [2, 1, 0].map((ago) =>
      new Date(opened.clock.now() - ago * dayMs).toISOString().slice(0, 10),
    );
    const read = await reader.readAccount(days, await requestOf(opened), opened.tools);
    const today = read.get(days[2] ?? '') ?? {};
    const names = numbersOf(row.platform).ofAccount({ as: live.as });
    if (names.followers !== undefined) expect(today.followers).toBeTypeOf('number');
    if (names.views !== undefined) expect(read.get(days[1] ?? '')?.views).toBeTypeOf('number');
    expect(Object.keys(today).every((name) => name in names)).toBe(true);
  });
});
