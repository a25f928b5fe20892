import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Fixture, openFixture, redirectUri, scopes } from './support.ts';

let tiktok: Fixture;
beforeEach(async () => {
  tiktok = await openFixture();
});
afterEach(() => tiktok.close());

const code = async (changes?: Record<string, string>) => (await tiktok.callback(changes)).get('code') ?? '';
const exchange = (fields: Record<string, string>) =>
  tiktok.oauth('token', { grant_type: 'authorization_code', ...fields });
const refresh = (refresh_token: string) =>
  tiktok.oauth('token', { grant_type: 'refresh_token', refresh_token });
const profile = (token: string) => tiktok.call(token, 'GET', 'user/info/?fields=open_id,username');

describe('the authorize page', () => {
  it('shows a consent page', async () => {
    const { status, text } = await tiktok.authorize();
    expect([status, text.includes('Allow as harbour.coffee')]).toEqual([200, true]);
  });

  it.each([
    ['client_key', { client_key: 'other' }],
    ['client_key', { client_key: '', client_id: 'client-key' }],
    ['redirect_uri', { redirect_uri: `${redirectUri}/` }],
    ['redirect_uri', { redirect_uri: 'http://127.0.0.1:4000/other' }],
    ['response_type', { response_type: 'token' }],
    ['scope', { scope: 'user.info.basic video.publish' }],
    ['scope', { scope: '' }],
  ])('shows an error for an invalid %s and does not redirect', async (parameter, changes) => {
    const { status, text, headers } = await tiktok.authorize({
      ...changes,
      login: 'harbour.coffee',
      approve: '1',
    });
    expect([status, headers.get('location')]).toEqual([400, null]);
    expect(text).toContain(parameter);
  });

  it('returns the granted scopes and the unchanged state', async () => {
    const granted = await tiktok.callback({ declined: 'video.list' });
    expect([granted.get('scopes'), granted.get('state')]).toEqual([
      'user.info.basic,user.info.profile,video.publish',
      'a b&c',
    ]);
    const denied = await tiktok.callback({ approve: '', deny: '1' });
    expect([denied.get('error'), denied.has('code')]).toEqual(['access_denied', false]);
  });
});

describe('a code', () => {
  it('is exchanged for tokens in OAuth’s flat format', async () => {
    const { status, body } = await exchange({ code: await code() });
    expect(status).toBe(200);
    expect(body).toMatchObject({
      access_token: expect.stringMatching(/^act\./),
      refresh_token: expect.stringMatching(/^rft\./),
      expires_in: 7_200,
      refresh_expires_in: 180 * 86_400,
      open_id: expect.any(String),
      scope: scopes,
      token_type: 'Bearer',
    });
    expect((await profile(body.access_token)).body.data).toEqual({
      user: { open_id: body.open_id, username: 'harbour.coffee' },
    });
  });

  it.each([
    ['invalid_grant', { code: 'guess' }],
    ['invalid_request', { redirect_uri: 'http://127.0.0.1:4000/other' }],
    ['invalid_client', { client_secret: 'guess' }],
    ['invalid_client', { client_key: 'guess' }],
    ['unsupported_grant_type', { grant_type: 'password' }],
  ])('is refused with %s and HTTP 200 for %o', async (error, changes) => {
    expect(await exchange({ code: await code(), ...changes })).toMatchObject({
      status: 200,
      body: { error },
    });
  });

  it('is valid once, for ten minutes', async () => {
    const used = await code();
    await exchange({ code: used });
    expect((await exchange({ code: used })).body).toMatchObject({ error: 'invalid_grant' });
    const late = await code();
    tiktok.advance(600);
    expect((await exchange({ code: late })).body).toMatchObject({ error: 'invalid_grant' });
  });

  it('can be refused with HTTP 400, too', async () => {
    await tiktok.set({ oauthErrorStatus: 400 });
    expect((await exchange({ code: 'guess' })).status).toBe(400);
  });
});

describe('tokens', () => {
  it('last two hours, and each refresh token can be used once', async () => {
    const { body: first } = await exchange({ code: await code() });
    tiktok.advance(7_200);
    expect(await profile(first.access_token)).toMatchObject({
      status: 401,
      body: { error: { code: 'access_token_invalid' } },
    });
    const { body: second } = await refresh(first.refresh_token);
    expect(second.refresh_token).not.toBe(first.refresh_token);
    expect((await profile(second.access_token)).status).toBe(200);
    expect((await refresh(first.refresh_token)).body).toMatchObject({ error: 'invalid_grant' });
    expect((await refresh(second.refresh_token)).body).toMatchObject({ open_id: first.open_id });
  });

  it('cannot be refreshed after half a year', async () => {
    const { body } = await exchange({ code: await code() });
    tiktok.advance(180 * 86_400);
    expect((await refresh(body.refresh_token)).body).toMatchObject({ error: 'invalid_grant' });
  });

  it('are all invalid once one is revoked', async () => {
    const { body } = await exchange({ code: await code() });
    const revoked = await tiktok.oauth('revoke', { token: body.access_token });
    expect([revoked.status, revoked.text]).toEqual([200, '']);
    expect((await profile(body.access_token)).status).toBe(401);
    expect((await refresh(body.refresh_token)).body).toMatchObject({ error: 'invalid_grant' });
    expect((await tiktok.oauth('revoke', { token: body.access_token })).body).toMatchObject({
      error: 'invalid_request',
    });
  });

  it('can read only what their scopes allow', async () => {
    const { body } = await exchange({ code: await code({ declined: 'user.info.profile' }) });
    expect((await profile(body.access_token)).body.error.code).toBe('scope_not_authorized');
    const { body: basic } = await tiktok.call(body.access_token, 'GET', 'user/info/?fields=open_id');
    expect(basic.error.code).toBe('ok');
  });
});
