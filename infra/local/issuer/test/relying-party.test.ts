import type { JsonWebKey } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { get, type IncomingMessage } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import * as oidc from 'openid-client';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startIssuer } from '../issuer.ts';
import type { IssuerClient } from '../provider.ts';
import type { Settings } from '../settings.ts';
import { claimsIn, type Fixture, openFixture, other, panel, people, pkce, relyingParty } from './support.ts';

let fixture: Fixture;
beforeAll(async () => {
  fixture = await openFixture();
});
beforeEach(() => fixture.cookies.clear());
afterEach(() => fetch(`${fixture.issuer.control}/settings`, { method: 'DELETE' }));
afterAll(() => fixture.close());

interface SignInChanges {
  readonly client?: IssuerClient;
  readonly person?: string;
  readonly max_age?: string;
  readonly prompt?: string;
}

/** Signs in as `openid-client` does, which checks everything that a relying party must. */
async function signIn(
  configuration: oidc.Configuration,
  { client = panel, person = 'Owner', ...changes }: SignInChanges = {},
) {
  const [redirectUri = ''] = client.redirectUris;
  const asked = oidc.buildAuthorizationUrl(configuration, {
    redirect_uri: redirectUri,
    scope: 'openid email profile',
    code_challenge: pkce.challenge,
    code_challenge_method: 'S256',
    state: 'state',
    nonce: 'nonce',
    ...changes,
  });
  const answer = await fixture.proceed({ person }, Object.fromEntries(asked.searchParams));
  const returned = new URL(answer.headers.get('location') ?? answer.text);
  return oidc.authorizationCodeGrant(configuration, returned, {
    pkceCodeVerifier: pkce.verifier,
    expectedState: 'state',
    expectedNonce: 'nonce',
    idTokenExpected: true,
    ...(changes.max_age !== undefined && { maxAge: Number(changes.max_age) }),
  });
}

describe('openid-client', () => {
  it.each([panel, other])('signs in as the client $id', async (client) => {
    const tokens = await signIn(await relyingParty(fixture, client), { client });
    expect(tokens.claims()).toEqual({
      iss: fixture.issuer.url,
      sub: expect.stringMatching(/^[0-9a-f]{32}$/),
      aud: client.id,
      iat: expect.any(Number),
      exp: expect.any(Number),
      auth_time: expect.any(Number),
      nonce: 'nonce',
      email: 'owner@herald.example',
      email_verified: true,
      name: 'Olive Owner',
    });
  });

  it('reads the same person from the user info', async () => {
    const configuration = await relyingParty(fixture);
    const tokens = await signIn(configuration);
    const sub = tokens.claims()?.sub ?? '';
    const { email, email_verified } = await oidc.fetchUserInfo(configuration, tokens.access_token, sub);
    expect([email, email_verified]).toEqual(['owner@herald.example', true]);
  });

  it('tells people apart, and knows them again', async () => {
    const configuration = await relyingParty(fixture);
    const subjectOf = async (person: string) => (await signIn(configuration, { person })).claims()?.sub;
    const [owner, member, again] = [
      await subjectOf('Owner'),
      await subjectOf('Member'),
      await subjectOf('Owner'),
    ];
    expect(again).toBe(owner);
    expect(member).not.toBe(owner);
  });

  it('signs out', async () => {
    const configuration = await relyingParty(fixture);
    await signIn(configuration);
    const [target = ''] = panel.postLogoutRedirectUris;
    const url = oidc.buildEndSessionUrl(configuration, { post_logout_redirect_uri: target });
    expect((await fixture.signOut(url.href)).headers.get('location')).toBe(target);
  });

  it('accepts a recent sign-in if it asks for one', async () => {
    const configuration = await relyingParty(fixture);
    const tokens = await signIn(configuration, { max_age: '0', prompt: 'login' });
    expect(tokens.claims()?.auth_time).toBeGreaterThan(Date.now() / 1_000 - 60);
  });

  it.each<Settings['idToken']>([
    'wrong-nonce',
    'no-nonce',
    'wrong-audience',
    'expired',
    'unsigned',
    'wrong-issuer',
  ])('refuses an id token with the fault %s', async (idToken) => {
    const configuration = await relyingParty(fixture);
    await fixture.set({ idToken });
    await expect(signIn(configuration)).rejects.toThrow();
  });

  it('refuses an id token with a wrong signature, if it is told to check that', async () => {
    const configuration = await relyingParty(fixture);
    oidc.enableNonRepudiationChecks(configuration);
    await signIn(configuration);
    await fixture.set({ idToken: 'wrong-signature' });
    await expect(signIn(configuration)).rejects.toThrow();
  });

  it('refuses an old sign-in if it asked for a recent one', async () => {
    const configuration = await relyingParty(fixture);
    await fixture.set({ idToken: 'old-sign-in' });
    await expect(signIn(configuration, { max_age: '60' })).rejects.toThrow();
  });

  it.each<Settings['emailVerified']>([false, 'absent'])(
    'sees that an address is not verified: %s',
    async (emailVerified) => {
      await fixture.set({ emailVerified });
      const claims = (await signIn(await relyingParty(fixture))).claims();
      expect(claims?.['email_verified']).toBe(emailVerified === 'absent' ? undefined : false);
    },
  );

  it('meets an issuer that is down', async () => {
    await fixture.set({ token: 'unavailable' });
    await expect(signIn(await relyingParty(fixture))).rejects.toThrow();
    await fixture.set({ discovery: 'unavailable' });
    await expect(relyingParty(fixture)).rejects.toThrow();
  });

  it.each(['silent', 'endless'] as const)('meets an issuer whose answer is %s', async (discovery) => {
    await fixture.set({ discovery });
    const url = `${fixture.issuer.url}/.well-known/openid-configuration`;
    const read = fetch(url, { signal: AbortSignal.timeout(100) }).then((answer) => answer.text());
    await expect(read).rejects.toMatchObject({ name: 'TimeoutError' });
  });
});

describe('a refresh token', () => {
  async function refreshToken(configuration: oidc.Configuration, person?: string): Promise<string> {
    const { refresh_token: token } = await signIn(configuration, { ...(person && { person }) });
    if (token === undefined) throw new Error('there is no refresh token');
    return token;
  }
  const control = (path: string) =>
    fetch(`${fixture.issuer.control}/${path}`, {
      method: 'POST',
      body: JSON.stringify({ email: 'Member@herald.example' }),
    });

  it('is replaced by each use, and all of them end if one comes twice', async () => {
    const configuration = await relyingParty(fixture);
    const first = await refreshToken(configuration);
    const tokens = await oidc.refreshTokenGrant(configuration, first);
    const { refresh_token: second = '' } = tokens;
    expect(tokens.claims()?.sub).toBeDefined();
    expect(second).not.toBe(first);
    await expect(oidc.refreshTokenGrant(configuration, first)).rejects.toMatchObject({
      error: 'invalid_grant',
    });
    await expect(oidc.refreshTokenGrant(configuration, second)).rejects.toMatchObject({
      error: 'invalid_grant',
    });
  });

  it('stays the same if the settings say so', async () => {
    await fixture.set({ refreshTokens: 'keep' });
    const configuration = await relyingParty(fixture);
    const token = await refreshToken(configuration);
    for (let use = 0; use < 2; use += 1)
      expect((await oidc.refreshTokenGrant(configuration, token)).refresh_token ?? token).toBe(token);
  });

  it('is refused once its person is removed, who can sign in no more until restored', async () => {
    const configuration = await relyingParty(fixture);
    const [own, others] = [await refreshToken(configuration, 'Member'), await refreshToken(configuration)];
    await control('remove-person');
    await expect(oidc.refreshTokenGrant(configuration, own)).rejects.toMatchObject({
      error: 'invalid_grant',
    });
    expect((await oidc.refreshTokenGrant(configuration, others)).refresh_token).toBeDefined();
    await expect(signIn(configuration, { person: 'Member' })).rejects.toMatchObject({
      error: 'access_denied',
    });
    await control('restore-person');
    expect((await signIn(configuration, { person: 'Member' })).refresh_token).toBeDefined();
  });
});

describe('the signing key', () => {
  async function published(url: string): Promise<readonly JsonWebKey[]> {
    const { keys } = (await (await fetch(`${url}/jwks`)).json()) as { keys: JsonWebKey[] };
    return keys;
  }

  it('can be replaced; tokens under way stay valid', async () => {
    const configuration = await relyingParty(fixture);
    oidc.enableNonRepudiationChecks(configuration);
    const before = await published(fixture.issuer.url);
    await fetch(`${fixture.issuer.control}/rotate-key`, { method: 'POST' });
    const after = await published(fixture.issuer.url);
    expect([before.length, after.length]).toEqual([1, 2]);
    expect(after[1]?.['kid']).toBe(before[0]?.['kid']);
    expect((await signIn(configuration)).claims()?.sub).toBeDefined();
  });

  it('has no private parts', async () => {
    for (const key of await published(fixture.issuer.url)) {
      expect(Object.keys(key).sort()).toEqual(['alg', 'e', 'kid', 'kty', 'n', 'use']);
    }
  });

  it('survives a restart, in a file that only its owner can read', async () => {
    const dataDirectory = mkdtempSync(join(tmpdir(), 'herald-issuer-'));
    const start = () => startIssuer({ port: 0, clock: Date, people, clients: () => [], dataDirectory });
    const keysOf = async () => {
      const issuer = await start();
      const keys = await published(issuer.url);
      await issuer.stop();
      return keys;
    };
    expect(await keysOf()).toEqual(await keysOf());
    const file = join(dataDirectory, 'issuer-key.pem');
    expect(statSync(file).mode & 0o777).toBe(0o600);
    writeFileSync(file, 'broken');
    await expect(start()).rejects.toThrow(/^.*issuer-key\.pem is not a private key: remove it/);
    rmSync(dataDirectory, { recursive: true });
  });
});

describe('the issuer', () => {
  it('starts on its port again, and says so if that is taken', async () => {
    const port = Number(new URL(fixture.issuer.url).port);
    const second = startIssuer({ port, clock: Date, people, clients: () => [] });
    await expect(second).rejects.toThrow(`port ${port} is in use: stop the other program`);
  });

  it('takes the time from its clock', async () => {
    fixture.advance(1_000_000);
    const { json } = await fixture.exchange({ code: await fixture.code() });
    expect(claimsIn(json['id_token'])['iat']).toBeGreaterThan(Date.now() / 1_000 + 999_000);
  });

  it.each([
    [{ origin: 'http://127.0.0.1:3001' }],
    [{ 'sec-fetch-site': 'cross-site' }],
    [{ 'sec-fetch-site': 'same-origin' }],
  ])('keeps its controls from web pages: %o', async (headers) => {
    expect((await fetch(`${fixture.issuer.control}/settings`, { headers })).status).toBe(403);
  });

  it.each([
    [{ idToken: 'odd' }, 'idToken must be one of valid, '],
    [{ unknown: 1 }, 'unknown setting unknown; use one of idToken, '],
    ['text', 'the body must be a JSON object'],
  ])('refuses the settings %j', async (settings, error) => {
    const answer = await fixture.set(settings as never);
    expect([answer.status, await answer.json()]).toEqual([400, { error: expect.stringContaining(error) }]);
  });

  it('has nothing at other paths', async () => {
    expect((await fetch(`${fixture.issuer.url}/`)).status).toBe(404);
    expect((await fetch(`${fixture.issuer.control}/other`)).status).toBe(404);
  });

  it('has no other name', async () => {
    const sent = get(`${fixture.issuer.url}/jwks`, { headers: { host: 'rebound.example' } });
    const [response] = (await once(sent, 'response')) as [IncomingMessage];
    expect([response.statusCode, await text(response)]).toEqual([421, '{"error":"unknown host"}']);
  });
});
