import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Fixture, login, openFixture, scopes } from './support.ts';

let pinterest: Fixture;
beforeEach(async () => {
  pinterest = await openFixture();
});
afterEach(() => pinterest.close());

const back = ({ headers }: { headers: Headers }) =>
  Object.fromEntries(new URL(headers.get('location') ?? '').searchParams);
const invalidGrant = { status: 401, body: { code: 283, message: 'The authorization grant is invalid' } };

describe('the authorize page', () => {
  it('shows a consent page in HTML, then redirects with code and state', async () => {
    expect((await pinterest.authorize()).text).toContain('Allow as harbour.coffee');
    const answer = await pinterest.authorize({ login, approve: '1' });
    expect(back(answer)).toEqual({ code: expect.any(String), state: 'a b&c' });
    expect(back(await pinterest.authorize({ deny: '1' }))).toEqual({
      error: 'access_denied',
      state: 'a b&c',
    });
  });

  it.each([
    { client_id: 'x' },
    { redirect_uri: 'https://elsewhere.example/' },
    { response_type: 'token' },
    { scope: 'boards:read pins:read' },
    { scope: 'boards:sell' },
    { login: 'nobody' },
  ])('shows an error and does not redirect for %o', async (wrong: Record<string, string>) => {
    const answer = await pinterest.authorize({ login, approve: '1', ...wrong });
    expect([answer.status, answer.headers.get('location')]).toEqual([400, null]);
  });
});

describe('the exchange of a code', () => {
  it('gives an access token for 30 days and a refresh token for 60', async () => {
    const { status, body } = await pinterest.exchange(await pinterest.code());
    expect([status, body]).toEqual([
      200,
      {
        response_type: 'authorization_code',
        token_type: 'bearer',
        access_token: expect.stringMatching(/^pina_/),
        expires_in: 2_592_000,
        scope: scopes.replaceAll(',', ' '),
        refresh_token: expect.stringMatching(/^pinr/),
        refresh_token_expires_in: 5_184_000,
        refresh_token_expires_at: pinterest.clock.time / 1000 + 5_184_000,
      },
    ]);
  });

  it('gives no refresh token if none was requested', async () => {
    const { body } = await pinterest.exchange(await pinterest.code(), { continuous_refresh: 'false' });
    expect(body.refresh_token).toBeUndefined();
  });

  it('accepts a code once, within ten minutes, with the redirect address it was issued for', async () => {
    const code = await pinterest.code();
    expect((await pinterest.exchange(code)).status).toBe(200);
    expect(await pinterest.exchange(code)).toMatchObject(invalidGrant);
    const late = await pinterest.code();
    pinterest.advance(600);
    expect(await pinterest.exchange(late)).toMatchObject(invalidGrant);
    const moved = { redirect_uri: 'https://elsewhere.example/' };
    expect(await pinterest.exchange(await pinterest.code(), moved)).toMatchObject(invalidGrant);
  });

  it('needs the app’s secret in the header', async () => {
    const form = { grant_type: 'authorization_code', code: await pinterest.code() };
    expect(await pinterest.tokens(form, 'guess')).toMatchObject({ status: 401, body: { code: 2 } });
    expect(await pinterest.tokens({ grant_type: 'password' })).toMatchObject({
      status: 400,
      body: { code: 1 },
    });
  });
});

describe('a refresh', () => {
  it('gives a new pair and revokes the old refresh token', async () => {
    const { body } = await pinterest.exchange(await pinterest.code());
    const refresh = (refresh_token: string) =>
      pinterest.tokens({ grant_type: 'refresh_token', refresh_token });
    pinterest.advance(59 * 86_400);
    const first = await refresh(body.refresh_token);
    expect(first.body).toMatchObject({
      response_type: 'refresh_token',
      refresh_token_expires_in: 5_184_000,
    });
    expect(first.body.refresh_token).not.toBe(body.refresh_token);
    expect(await refresh(body.refresh_token)).toMatchObject(invalidGrant);
    expect((await refresh(first.body.refresh_token)).status).toBe(200);
  });

  it('fails after 60 days without a refresh, or after the user removed the app', async () => {
    const idle = (await pinterest.exchange(await pinterest.code())).body.refresh_token;
    pinterest.advance(60 * 86_400);
    expect(await pinterest.tokens({ grant_type: 'refresh_token', refresh_token: idle })).toMatchObject(
      invalidGrant,
    );
    const removed = (await pinterest.exchange(await pinterest.code())).body.refresh_token;
    await pinterest.control('POST', 'revoke', { username: login });
    expect(await pinterest.tokens({ grant_type: 'refresh_token', refresh_token: removed })).toMatchObject(
      invalidGrant,
    );
  });
});
