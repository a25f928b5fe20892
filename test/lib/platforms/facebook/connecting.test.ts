import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Fixture, openFixture } from '../../../contract/fixture.ts';
import { login, redirectUri, rowOf } from '../../../contract/rows.ts';
import { type FixtureServer, serveFixtures } from '../../../support/fixture-server.ts';

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

const addPages = (pages: readonly object[]) =>
  fixture.control('users', 'POST', { username: 'many.pages', pages });
const connectMany = (decisions = {}) => fixture.connect({ login: 'many.pages', ...decisions });
const page = (number: number, more = {}) => ({ name: `Page ${number}`, ...more });

describe('connecting', () => {
  it('returns every Page with its own token, from any number of list pages', async () => {
    await fixture.set({ pagesAtOnce: 2 });
    await addPages(Array.from({ length: 7 }, (_, index) => page(index)));
    const accounts = await connectMany();
    expect(accounts.map(({ displayName }) => displayName).sort()).toEqual(
      Array.from({ length: 7 }, (_, index) => `Page ${index}`),
    );
    expect(new Set(accounts.map(({ tokens }) => tokens.accessToken)).size).toBe(7);
    expect(new Set(accounts.map(({ loginId }) => loginId)).size).toBe(1);
  });

  it('omits Pages on which the person may not create content', async () => {
    await addPages([
      page(1),
      page(2, { tasks: ['ANALYZE'] }),
      page(3, { tasks: ['PROFILE_PLUS_FULL_CONTROL'] }),
    ]);
    const accounts = await connectMany();
    expect(accounts.map(({ displayName }) => displayName)).toEqual(['Page 1', 'Page 3']);
  });

  it('names those Pages in an error if there are no others', async () => {
    await addPages([page(1, { tasks: ['ANALYZE'] })]);
    await expect(connectMany()).rejects.toMatchObject({
      remedy: 'rejected',
      message: expect.stringContaining('Page 1'),
    });
  });

  it('also finds the Pages of a business if the person allows that', async () => {
    await addPages([page(1), page(2, { businessId: '77' })]);
    expect(await connectMany()).toHaveLength(2);
    expect(await connectMany({ declined: 'business_management' })).toHaveLength(1);
  });

  it('finds the Pages of the other businesses if Facebook refuses to list those of one', async () => {
    await addPages([page(1, { businessId: '77' }), page(2, { businessId: '78' }), page(3)]);
    await fixture.plan('owned_pages', 'error:200');
    expect((await connectMany()).map(({ displayName }) => displayName)).toEqual(['Page 3', 'Page 2']);
  });

  it('asks once more for a list that Facebook does not answer, and misses no Page without a word', async () => {
    await addPages([page(1, { businessId: '77' }), page(2)]);
    await fixture.plan('owned_pages', 'error:2');
    expect(await connectMany()).toHaveLength(2);
    await fixture.plan('owned_pages', 'error:2');
    await fixture.plan('owned_pages', 'error:2');
    await expect(connectMany()).rejects.toMatchObject({ remedy: 'unknown' });
  });

  it.each(['businesses', 'owned_pages', 'client_pages'])(
    'names the reason if a login shows no Page because Facebook refuses %s',
    async (operation) => {
      await addPages([page(1, { businessId: '77' })]);
      if (operation === 'client_pages') await fixture.plan('owned_pages', 'error:10');
      await fixture.plan(operation, 'error:200');
      await expect(connectMany()).rejects.toMatchObject({ remedy: 'restricted' });
    },
  );

  it('believes what the person’s own list says about the tasks of a Page', async () => {
    await addPages([page(1, { tasks: ['ANALYZE'], isListedTwice: true, businessId: '77' }), page(2)]);
    expect((await connectMany()).map(({ displayName }) => displayName)).toEqual(['Page 2']);
  });

  it('returns tokens that outlive the login’s own', async () => {
    expect(fixture.account.tokens.expiresAt).toBeUndefined();
    fixture.clock.time += 90 * 86_400_000;
    await expect(fixture.authorization.refresh(fixture.account.tokens, fixture.tools)).resolves.toMatchObject(
      {
        accessToken: fixture.account.tokens.accessToken,
        obtainedAt: new Date(fixture.clock.time).toISOString(),
      },
    );
  });

  it('ends for a Page that a later login omits', async () => {
    const seeded = (await addPages([page(1), page(2)])) as unknown as { pages: { id: string }[] };
    const [first] = await connectMany();
    await connectMany({ page: seeded.pages[1]?.id ?? '' });
    if (!first) throw new Error('no Page');
    await expect(fixture.authorization.refresh(first.tokens, fixture.tools)).rejects.toMatchObject({
      remedy: 'reauthorise',
    });
    await expect(fixture.authorization.check?.(first.tokens, fixture.tools)).rejects.toMatchObject({
      remedy: 'reauthorise',
      platformCode: '190/492',
    });
  });

  it('is checked without a change', async () => {
    const { authorization, account, tools } = fixture;
    await expect(authorization.check?.(account.tokens, tools)).resolves.toBeUndefined();
    await fixture.plan('me', 'error:4');
    await expect(authorization.check?.(account.tokens, tools)).rejects.toMatchObject({ remedy: 'retry' });
  });

  it.each([458, 459, 460])('ends if Facebook refuses a token with 190/%i', async (subcode) => {
    await fixture.control('revoke', 'POST', { username: login, subcode });
    await expect(fixture.authorization.refresh(fixture.account.tokens, fixture.tools)).rejects.toMatchObject({
      remedy: 'reauthorise',
    });
  });

  it('is revoked for the whole login, with the app’s token', async () => {
    const { authorization, account, tools } = fixture;
    await authorization.revoke?.(account.tokens, tools, account.loginId);
    await expect(authorization.refresh(account.tokens, tools)).rejects.toMatchObject({
      remedy: 'reauthorise',
      platformCode: '190/458',
    });
  });

  it('asks for what a configuration of Facebook Login for Business has, if there is one', async () => {
    await fixture.set({ loginConfigId: '1234' });
    const app = { ...fixture.tools.app, loginConfigId: '1234' };
    const address = fixture.authorization.authorizationUrl(
      { state: 's', redirectUri, scopes: ['pages_manage_posts'] },
      { ...fixture.tools, app },
    );
    const dialog = new URL(address);
    const { searchParams } = dialog;
    expect([searchParams.get('config_id'), searchParams.get('scope')]).toEqual(['1234', null]);
    searchParams.set('login', login);
    searchParams.set('approve', '1');
    const answer = await fixture.visit(dialog);
    const code = new URL(answer.headers.get('location') ?? '').searchParams.get('code') ?? '';
    const [account] = await fixture.authorization.exchange({ code, redirectUri, scopes: [] }, fixture.tools);
    expect(account?.tokens.scopes).toContain('pages_manage_posts');
  });

  it('asks again for permissions that were declined once, and for those that were granted', () => {
    const address = fixture.authorization.authorizationUrl(
      { state: 's', redirectUri: 'https://a', scopes: [] },
      fixture.tools,
    );
    expect(new URL(address).searchParams.get('auth_type')).toBe('rerequest,reauthorize');
  });
});
