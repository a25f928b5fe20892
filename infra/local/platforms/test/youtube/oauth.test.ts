import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  app,
  approve,
  authorizeUrl,
  connect,
  control,
  day,
  exchange,
  type Fixture,
  get,
  hour,
  openFixture,
  planFault,
  postForm,
  readBody,
  reasonOf,
  redirectUri,
  scopes,
  second,
  type Tokens,
} from './support.ts';
import { startUpload } from './upload-client.ts';

let fixture: Fixture;
beforeAll(async () => {
  fixture = await openFixture();
});
afterAll(() => fixture.close());

const codeOf = async (login = 'ada', changes = {}) =>
  (await approve(fixture, login, changes)).searchParams.get('code') ?? '';
const refresh = (refreshToken: string, changes = {}) =>
  postForm(fixture, 'token', {
    client_id: app.id,
    client_secret: app.secret,
    grant_type: 'refresh_token',
    refresh_token: refreshToken,
    ...changes,
  });
const mine = (token: string) => get(fixture, token, 'channels?part=snippet&mine=true');
const verifier = 'a-verifier-of-at-least-43-characters-0123456789';
const challenge = {
  code_challenge: createHash('sha256').update(verifier).digest('base64url'),
  code_challenge_method: 'S256',
};

describe('the consent page', () => {
  it.each([
    ['an unknown client', { client_id: 'other' }, 401, 'invalid_client'],
    ['no client', { client_id: '' }, 400, 'client_id'],
    ['an address that differs by a slash', { redirect_uri: `${redirectUri}/` }, 400, 'redirect_uri_mismatch'],
    ['another response type', { response_type: 'token' }, 400, 'unsupported_response_type'],
    ['no scope', { scope: '' }, 400, 'scope'],
    ['scopes separated by a comma', { scope: `${scopes.read},${scopes.upload}` }, 400, 'invalid_scope'],
    ['an unknown access type', { access_type: 'forever' }, 400, 'access_type'],
    ['a plain challenge', { ...challenge, code_challenge_method: 'plain' }, 400, 'S256'],
    ['a challenge that is not a digest', { ...challenge, code_challenge: 'short' }, 400, 'code_challenge'],
    ['a login that does not exist', { login: 'nobody', approve: '1' }, 400, 'nobody'],
  ])('shows an error and does not redirect for %s', async (_, changes, status, words) => {
    const response = await fetch(authorizeUrl(fixture, changes), { redirect: 'manual' });
    expect(response.status).toBe(status);
    expect(await response.text()).toContain(words);
  });

  it('has a form for each login', async () => {
    const page = await (await fetch(authorizeUrl(fixture))).text();
    expect(page).toContain('value="ada"');
    expect(page).toContain('value="bob"');
    expect(page).toContain(scopes.upload);
  });

  it('redirects with code, scope and state', async () => {
    const back = await approve(fixture, 'ada');
    expect(back.origin + back.pathname).toBe(redirectUri);
    expect(Object.fromEntries(back.searchParams)).toMatchObject({
      state: 'state-1',
      scope: `${scopes.upload} ${scopes.read}`,
      code: expect.stringMatching(/^4\/0/),
    });
  });

  it.each([
    ['denies', { deny: '1', approve: '' }],
    ['declines every scope', { declined: `${scopes.upload} ${scopes.read}` }],
  ])('redirects with access_denied if the person %s', async (_, changes) => {
    const back = await approve(fixture, 'ada', changes);
    expect(Object.fromEntries(back.searchParams)).toEqual({ error: 'access_denied', state: 'state-1' });
  });
});

describe('the token endpoint', () => {
  it('exchanges a code for both tokens', async () => {
    const response = await exchange(fixture, await codeOf());
    expect(response.status).toBe(200);
    expect(await readBody(response)).toEqual({
      access_token: expect.stringMatching(/^ya29\./),
      refresh_token: expect.stringMatching(/^1\/\//),
      expires_in: 3599,
      scope: `${scopes.upload} ${scopes.read}`,
      token_type: 'Bearer',
    });
  });

  it.each([
    ['a wrong secret', { client_secret: 'wrong' }, 401, 'invalid_client'],
    ['an unknown client', { client_id: 'wrong' }, 401, 'invalid_client'],
    ['no secret', { client_secret: '' }, 400, 'invalid_request'],
    ['another redirect address', { redirect_uri: 'http://127.0.0.1/other' }, 400, 'redirect_uri_mismatch'],
    ['an invented code', { code: '4/0invented' }, 400, 'invalid_grant'],
    ['an unknown grant type', { grant_type: 'password' }, 400, 'unsupported_grant_type'],
  ])('refuses %s', async (_, changes, status, error) => {
    const response = await exchange(fixture, await codeOf(), changes);
    expect(response.status).toBe(status);
    expect(await readBody(response)).toEqual({ error, error_description: expect.any(String) });
  });

  it('refuses a JSON body', async () => {
    const response = await fetch(`${fixture.simulator.url}/oauth2.googleapis.com/token`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{}',
    });
    expect(response.status).toBe(400);
    expect(await readBody(response)).toMatchObject({ error: 'invalid_request' });
  });

  it('accepts a code once', async () => {
    const code = await codeOf();
    expect((await exchange(fixture, code)).status).toBe(200);
    expect(await readBody(await exchange(fixture, code))).toMatchObject({ error: 'invalid_grant' });
  });

  it('refuses a code after ten minutes', async () => {
    const code = await codeOf();
    fixture.clock.time += 600 * second;
    expect(await readBody(await exchange(fixture, code))).toMatchObject({ error: 'invalid_grant' });
  });

  it.each([
    ['the verifier', verifier, 200],
    ['no verifier', '', 400],
    ['another verifier', `${verifier}x`, 400],
  ])('answers a code with a challenge and %s', async (_, code_verifier, status) => {
    expect((await exchange(fixture, await codeOf('ada', challenge), { code_verifier })).status).toBe(status);
  });

  it('gives no refresh token for online access', async () => {
    expect(await connect(fixture, 'ada', { access_type: 'online' })).not.toHaveProperty('refresh_token');
  });

  it('gives a refresh token without prompt=consent only at the first consent', async () => {
    await control(fixture, 'POST', 'users', { username: 'new' });
    expect(await connect(fixture, 'new', { prompt: '' })).toHaveProperty('refresh_token');
    expect(await connect(fixture, 'new', { prompt: '' })).not.toHaveProperty('refresh_token');
    expect(await connect(fixture, 'new')).toHaveProperty('refresh_token');
  });
});

describe('tokens', () => {
  it('are valid for 3,599 seconds and are then refused with authError', async () => {
    const { access_token } = await connect(fixture);
    fixture.clock.time += 3598 * second;
    expect((await mine(access_token)).status).toBe(200);
    fixture.clock.time += second;
    const response = await mine(access_token);
    expect(response.headers.get('www-authenticate')).toContain('invalid_token');
    expect(await reasonOf(response)).toBe('401 authError');
  });

  it('are refreshed repeatedly with the same refresh token', async () => {
    const { refresh_token } = await connect(fixture);
    fixture.clock.time += hour;
    for (const _ of [1, 2]) {
      const body = await readBody<Tokens>(await refresh(refresh_token));
      expect(body).not.toHaveProperty('refresh_token');
      expect((await mine(body.access_token)).status).toBe(200);
    }
  });

  it('have the scopes that were not declined', async () => {
    const tokens = await connect(fixture, 'ada', { declined: scopes.upload });
    expect(tokens.scope).toBe(scopes.read);
    expect((await mine(tokens.access_token)).status).toBe(200);
    expect(await reasonOf(await startUpload(fixture, tokens.access_token))).toBe(
      '403 insufficientPermissions',
    );
    const uploader = await connect(fixture, 'ada', { declined: scopes.read });
    expect(await reasonOf(await mine(uploader.access_token))).toBe('403 insufficientPermissions');
  });

  it.each(['access_token', 'refresh_token'] as const)(
    'are all invalid once the %s is revoked',
    async (which) => {
      const tokens = await connect(fixture);
      const revoke = () => postForm(fixture, `revoke?token=${encodeURIComponent(tokens[which])}`, {});
      expect((await revoke()).status).toBe(200);
      expect(await reasonOf(await mine(tokens.access_token))).toBe('401 authError');
      const refreshed = await refresh(tokens.refresh_token);
      expect(refreshed.status).toBe(400);
      expect(await readBody(refreshed)).toEqual({
        error: 'invalid_grant',
        error_description: 'Token has been expired or revoked.',
      });
      expect(await readBody(await revoke())).toMatchObject({ error: 'invalid_token' });
    },
  );

  it('are invalid once the user revokes access', async () => {
    const tokens = await connect(fixture, 'bob');
    await control(fixture, 'POST', 'revoke', { username: 'bob' });
    expect(await readBody(await refresh(tokens.refresh_token))).toMatchObject({ error: 'invalid_grant' });
  });

  it('are invalid once a planned fault expires the refresh token', async () => {
    const tokens = await connect(fixture);
    await planFault(fixture, 'token', 'expire-token');
    expect(await readBody(await refresh(tokens.refresh_token))).toMatchObject({ error: 'invalid_grant' });
    expect(await reasonOf(await mine(tokens.access_token))).toBe('401 authError');
  });

  it('expire after six months without use', async () => {
    const tokens = await connect(fixture);
    fixture.clock.time += 182 * day;
    expect((await refresh(tokens.refresh_token)).status).toBe(200);
    fixture.clock.time += 183 * day;
    expect((await refresh(tokens.refresh_token)).status).toBe(400);
  });

  it('survive a restart', async () => {
    const tokens = await connect(fixture);
    await fixture.restart();
    expect((await mine(tokens.access_token)).status).toBe(200);
    expect((await refresh(tokens.refresh_token)).status).toBe(200);
  });

  it.each([
    ['no token', '', '401 authorizationRequired'],
    ['an invented token', 'ya29.invented', '401 authError'],
  ])('are required: %s', async (_, token, reason) => {
    expect(await reasonOf(await mine(token))).toBe(reason);
  });
});
