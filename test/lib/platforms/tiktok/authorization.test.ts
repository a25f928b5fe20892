import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Bench, openBench } from '../../../contract/fixture.ts';
import { app, login, redirectUri, rowOf } from '../../../contract/rows.ts';
import { type FixtureServer, serveFixtures } from '../../../support/fixture-server.ts';

let fixtures: FixtureServer;
let bench: Bench;
beforeAll(async () => {
  fixtures = await serveFixtures();
});
afterAll(() => fixtures.close());
beforeEach(async () => {
  bench = await openBench(rowOf('tiktok'), fixtures);
});
afterEach(() => bench.close());

const requests = async () =>
  (await bench.control('requests')) as unknown as { operation: string; path: string }[];

describe('connecting', () => {
  it('names the app by its client key, and the scopes with commas', () => {
    const url = new URL(bench.authorization.authorizationUrl({ state: 's', redirectUri }, bench.tools));
    expect(url.pathname).toBe('/www.tiktok.com/v2/auth/authorize/');
    expect(Object.fromEntries(url.searchParams)).toEqual({
      client_key: app.clientId,
      response_type: 'code',
      scope: 'user.info.basic,user.info.profile,video.publish,video.list',
      redirect_uri: redirectUri,
      state: 's',
    });
  });

  it('gives the account under its open id, with tokens that last as long as TikTok says', async () => {
    const { account, clock } = bench;
    expect(account).toMatchObject({
      platformAccountId: expect.stringMatching(/^-000/),
      username: login,
      displayName: login,
      avatarUrl: expect.stringMatching(/^https:/),
    });
    expect(Date.parse(account.tokens.expiresAt ?? '') - clock.now()).toBe(7_200_000);
    await bench.set({ accessTokenSeconds: 86_400 });
    const [again] = await bench.connect();
    expect(Date.parse(again?.tokens.expiresAt ?? '') - clock.now()).toBe(86_400_000);
  });

  it('does without the list of videos', async () => {
    const [account] = await bench.connect({ declined: 'video.list' });
    expect(account?.tokens.scopes).toEqual(['user.info.basic', 'user.info.profile', 'video.publish']);
  });

  it('tells a spent code from a dead token, whatever HTTP status it comes with', async () => {
    for (const oauthErrorStatus of [200, 400]) {
      await bench.set({ oauthErrorStatus });
      const attempt = bench.authorization.exchange({ code: 'guess', redirectUri }, bench.tools);
      await expect(attempt).rejects.toMatchObject({
        remedy: 'rejected',
        message: expect.stringContaining('connect again'),
      });
    }
  });
});

describe('renewing', () => {
  it('ends where the refresh token is dead', async () => {
    await bench.control('revoke', 'POST', { username: login });
    const attempt = bench.authorization.refresh(bench.account.tokens, bench.tools);
    await expect(attempt).rejects.toMatchObject({ remedy: 'reauthorise', platformCode: 'invalid_grant' });
  });

  it('says nothing of the account where the app’s own credentials are wrong', async () => {
    const tools = { ...bench.tools, app: { ...app, clientSecret: 'wrong' } };
    const attempt = bench.authorization.refresh(bench.account.tokens, tools);
    await expect(attempt).rejects.toMatchObject({ remedy: 'retry' });
  });
});

describe('disconnecting', () => {
  it.each([
    ['at once', 0],
    ['with a renewed token, once the present one is over', 7_200_000],
  ])('revokes %s', async (_name, laterMs) => {
    const { authorization, account, tools, clock } = bench;
    clock.time += laterMs;
    await authorization.revoke?.(account.tokens, tools);
    await expect(authorization.refresh(account.tokens, tools)).rejects.toMatchObject({
      remedy: 'reauthorise',
    });
    expect((await requests()).filter(({ operation }) => operation === 'oauth.revoke')).toHaveLength(1);
  });
});
