import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { namesOf, scopesToRequest } from '../../../../lib/platforms/contract/features.ts';
import { type Fixture, openFixture } from '../../../contract/fixture.ts';
import { app, login, redirectUri, rowOf } from '../../../contract/rows.ts';
import { type FixtureServer, serveFixtures } from '../../../support/fixture-server.ts';

let fixtures: FixtureServer;
let fixture: Fixture;
beforeAll(async () => {
  fixtures = await serveFixtures();
});
afterAll(() => fixtures.close());
beforeEach(async () => {
  fixture = await openFixture(rowOf('tiktok'), fixtures);
});
afterEach(() => fixture.close());

const requests = async () =>
  (await fixture.control('requests')) as unknown as { operation: string; path: string }[];

describe('connecting', () => {
  it('sends the client key, the scopes separated by commas, and the wish to be asked', () => {
    const { features } = fixture.authorization;
    const scopes = scopesToRequest(features, namesOf(features));
    const request = { state: 's', redirectUri, scopes };
    const url = new URL(fixture.authorization.authorizationUrl(request, fixture.tools));
    expect(url.href).toContain('/www.tiktok.com/v2/auth/authorize/?');
    expect(Object.fromEntries(url.searchParams)).toEqual({
      client_key: app.clientId,
      disable_auto_auth: '1',
      response_type: 'code',
      scope: 'user.info.basic,video.publish,video.upload,video.list,user.info.profile,user.info.stats',
      redirect_uri: redirectUri,
      state: 's',
    });
  });

  it('returns the account by its open id, with tokens that expire when TikTok says', async () => {
    const { account, clock } = fixture;
    expect(account).toMatchObject({
      platformAccountId: expect.stringMatching(/^-000/),
      username: login,
      displayName: login,
      avatarUrl: expect.stringMatching(/^https:/),
    });
    expect(Date.parse(account.tokens.expiresAt ?? '') - clock.now()).toBe(7_200_000);
    await fixture.set({ accessTokenSeconds: 86_400 });
    const [again] = await fixture.connect();
    expect(Date.parse(again?.tokens.expiresAt ?? '') - clock.now()).toBe(86_400_000);
  });

  it('succeeds without the scope video.list', async () => {
    const [account] = await fixture.connect({ declined: 'video.list' });
    expect(account?.tokens.scopes).toEqual([
      'user.info.basic',
      'video.publish',
      'video.upload',
      'user.info.profile',
      'user.info.stats',
    ]);
  });

  it('distinguishes a used code from an invalid token, whatever the HTTP status', async () => {
    for (const oauthErrorStatus of [200, 400]) {
      await fixture.set({ oauthErrorStatus });
      const attempt = fixture.authorization.exchange(
        { code: 'guess', redirectUri, scopes: [] },
        fixture.tools,
      );
      await expect(attempt).rejects.toMatchObject({
        remedy: 'rejected',
        message: expect.stringContaining('connect again'),
      });
    }
  });
});

describe('refreshing', () => {
  it('asks to reauthorise if the refresh token is invalid', async () => {
    await fixture.control('revoke', 'POST', { username: login });
    const attempt = fixture.authorization.refresh(fixture.account.tokens, fixture.tools);
    await expect(attempt).rejects.toMatchObject({ remedy: 'reauthorise', platformCode: 'invalid_grant' });
  });

  it('does not blame the account if the app’s own credentials are wrong', async () => {
    const tools = { ...fixture.tools, app: { ...app, clientSecret: 'wrong' } };
    const attempt = fixture.authorization.refresh(fixture.account.tokens, tools);
    await expect(attempt).rejects.toMatchObject({ remedy: 'retry' });
  });
});

describe('disconnecting', () => {
  it.each([
    ['with the current token', 0],
    ['with a refreshed token if the current one has expired', 7_200_000],
  ])('revokes %s', async (_name, laterMs) => {
    const { authorization, account, tools, clock } = fixture;
    clock.time += laterMs;
    await authorization.revoke?.(account.tokens, tools);
    await expect(authorization.refresh(account.tokens, tools)).rejects.toMatchObject({
      remedy: 'reauthorise',
    });
    expect((await requests()).filter(({ operation }) => operation === 'oauth.revoke')).toHaveLength(1);
  });
});
