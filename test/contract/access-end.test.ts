import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { dayMs, hourMs, minuteMs, secondMs } from '../../lib/kernel/clock.ts';
import type { Table } from '../../lib/table/table.ts';
import { type FixtureServer, serveFixtures } from '../support/fixture-server.ts';
import { createTestTable } from '../support/table.ts';
import { type Fixture, openFixture } from './fixture.ts';
import { type PlatformRow, rows } from './rows.ts';
import { connected } from './sweep-fixture.ts';

const rowOf = (title: string): PlatformRow => {
  const found = rows.find(({ platform, as }) => title === (as ? `${platform} as ${as}` : platform));
  if (!found) throw new Error(`no row for ${title}`);
  return found;
};

let fixtures: FixtureServer;
let table: Table;
beforeAll(async () => {
  fixtures = await serveFixtures();
  table = await createTestTable();
});
afterAll(() => fixtures.close());

let fixture: Fixture;
const open = async (title: string) => {
  const row = rowOf(title);
  fixture = await openFixture(row, fixtures);
  return row;
};

interface Ends {
  /** The life of the refresh token that the platform names in its response; absent if it names none. */
  readonly refreshDays?: number;
  /** Days until the access ends whatever Herald does. */
  readonly endDays?: number;
  /** The last access token outlives the refresh token, and is used until it expires. */
  readonly isUsedUp?: true;
  readonly settings?: Readonly<Record<string, number>>;
}

const ends: Readonly<Record<string, Ends>> = {
  facebook: {},
  instagram: {},
  threads: {},
  'linkedin as organization': { refreshDays: 365, endDays: 365, isUsedUp: true },
  'linkedin as member': { endDays: 60 },
  pinterest: { refreshDays: 60 },
  tiktok: { refreshDays: 180 },
  youtube: {},
  // Google Cloud projects whose consent screen has the status "Testing".
  'youtube, limited': { refreshDays: 7, endDays: 7, settings: { grantSeconds: (7 * dayMs) / secondMs } },
};

it('says of every platform when its access ends', () => {
  const titles = rows.map(({ platform, as }) => (as ? `${platform} as ${as}` : platform));
  expect(Object.keys(ends).filter((title) => !title.includes(','))).toEqual(expect.arrayContaining(titles));
});

describe.each(Object.entries(ends))(
  'the access to %s',
  (title, { refreshDays, endDays, isUsedUp, settings }) => {
    afterEach(() => fixture.close());

    it('is stored with the end that the platform names, and is announced before it ends', async () => {
      const row = await open(title.split(',')[0] ?? '');
      if (settings) await fixture.set(settings);
      const [account] = await fixture.connect();
      const begunMs = fixture.clock.time;
      const daysUntil = (timestamp: string | undefined) =>
        timestamp === undefined ? undefined : Math.round((Date.parse(timestamp) - begunMs) / dayMs);
      expect(daysUntil(account?.tokens.refreshExpiresAt)).toBe(refreshDays);
      const { sweep, current } = await connected(row, fixture, table, account);
      expect(daysUntil((await current())?.reconnectBy)).toBe(endDays);

      const lastDay = endDays ?? 200;
      const toldDaysLeft: number[] = [];
      for (let day = 1; day <= lastDay; day += lastDay - day > 9 ? 4 : 0.5) {
        fixture.clock.time = begunMs + day * dayMs + minuteMs;
        const { told } = await sweep();
        if (told > 0) toldDaysLeft.push(lastDay - day);
      }
      expect(toldDaysLeft).toEqual(endDays === undefined ? [] : endDays > 7 ? [7, 1] : [1]);
      expect(await current()).toMatchObject({ status: endDays === undefined || isUsedUp ? 'ok' : 'expired' });
      if (isUsedUp) expect(daysUntil((await current())?.reconnectBy)).toBeGreaterThan(lastDay);
    });
  },
);

describe('a renewal whose response is lost', () => {
  afterEach(() => fixture.close());

  const lose = async (title: string, match: string) => {
    const row = await open(title);
    const account = await connected(row, fixture, table);
    fixture.clock.time += fixture.authorization.renewal.sweepAgeSeconds * secondMs;
    await fixture.plan(match, 'drop-reply');
    expect(await account.sweep()).toMatchObject({ wait: 1 });
    expect(await account.current()).toMatchObject({ status: 'ok' });
    return account;
  };

  it.each([
    ['youtube', 'token'],
    ['linkedin as organization', 'accessToken'],
  ])('by %s, which keeps the refresh token, is made up for by the next one', async (title, match) => {
    const { sweep, current } = await lose(title, match);
    fixture.clock.time += 3 * hourMs;
    expect(await sweep()).toMatchObject({ renewed: 1 });
    expect(await current()).toMatchObject({ status: 'ok' });
  });

  // TikTok: "The previous refresh token stops working once a new one is issued."
  // https://developers.tiktok.com/docs/en/oauth-refresh-a-user-access-token
  // Pinterest documents no time for which the previous one still works.
  it.each([
    ['tiktok', 'oauth.token'],
    ['pinterest', 'oauth.token'],
  ])(
    'by %s, which replaces the refresh token, ends the access, and the account says why',
    async (title, match) => {
      const { sweep, current } = await lose(title, match);
      // An error in between, which proves nothing, does not make Herald forget.
      fixture.clock.time += 3 * hourMs;
      await fixture.plan(match, 'error:500');
      expect(await sweep()).toMatchObject({ wait: 1 });
      for (let day = 0; day < 90; day += 3) {
        fixture.clock.time += 3 * dayMs;
        await sweep();
      }
      expect(await current()).toMatchObject({
        status: 'expired',
        statusMessage: expect.stringMatching(
          /An earlier renewal was interrupted, so .*lost: connect .*again/,
        ),
      });
    },
  );

  it('is no reason if the platform has answered every renewal', async () => {
    const row = await open('tiktok');
    const { sweep, current } = await connected(row, fixture, table);
    fixture.clock.time += fixture.authorization.renewal.sweepAgeSeconds * secondMs;
    await fixture.plan('oauth.token', 'rate-limit');
    await sweep();
    await fixture.control('revoke', 'POST', { username: 'harbour.coffee' });
    fixture.clock.time += 3 * hourMs;
    await sweep();
    const { statusMessage } = (await current()) ?? {};
    expect(statusMessage).toContain('TikTok');
    expect(statusMessage).not.toContain('interrupted');
  });
});
