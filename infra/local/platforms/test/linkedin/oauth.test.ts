import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type AppKind, apps, type Fixture, openFixture } from './support.ts';

let linkedin: Fixture;
beforeEach(async () => {
  linkedin = await openFixture();
});
afterEach(() => linkedin.close());

const back = ({ headers }: { headers: Headers }) =>
  Object.fromEntries(new URL(headers.get('location') ?? '').searchParams);

describe('the authorize page', () => {
  it('shows a consent page in HTML, then redirects with code and state', async () => {
    expect((await linkedin.authorize('member')).text).toContain('Allow as harbour.coffee');
    const answer = await linkedin.authorize('member', { login: 'harbour.coffee', approve: '1' });
    expect(back(answer)).toEqual({ code: expect.any(String), state: 'a b&c' });
  });

  it('redirects with its own error if the person denies', async () => {
    expect(back(await linkedin.authorize('member', { deny: '1' }))).toEqual({
      error: 'user_cancelled_authorize',
      error_description: expect.any(String),
      state: 'a b&c',
    });
  });

  it.each<[AppKind, string]>([
    ['member', 'openid profile w_member_social w_organization_social'],
    ['organization', 'openid w_organization_social'],
    ['member', 'openid,profile'],
    ['member', ''],
  ])('refuses the login of the %s app for a scope that it does not have: %s', async (kind, scope) => {
    const answer = await linkedin.authorize(kind, { scope, login: 'harbour.coffee', approve: '1' });
    expect(back(answer)).toMatchObject({ error: 'unauthorized_scope_error' });
  });

  it.each([{ client_id: 'x' }, { redirect_uri: 'https://elsewhere.example/' }, { login: 'nobody' }])(
    'shows an error and does not redirect for %o',
    async (wrong) => {
      const answer = await linkedin.authorize('member', { login: 'harbour.coffee', approve: '1', ...wrong });
      expect([answer.status, answer.headers.get('location')]).toEqual([400, null]);
    },
  );
});

describe('the exchange of a code', () => {
  const exchange = (code: string, fields: Record<string, string> = {}, kind: AppKind = 'member') =>
    linkedin.tokens(kind, { grant_type: 'authorization_code', code, ...fields });

  it('gives a token for 60 days, with scopes separated by commas', async () => {
    const { status, body } = await exchange(await linkedin.code('member'));
    expect([status, body.expires_in, body.scope]).toEqual([200, 5_184_000, 'openid,profile,w_member_social']);
    expect(body.access_token.length).toBeGreaterThan(400);
  });

  it('gives refresh tokens only to partners', async () => {
    const member = await exchange(await linkedin.code('member'));
    expect(member.body).not.toHaveProperty('refresh_token');
    const partner = await exchange(await linkedin.code('organization'), {}, 'organization');
    expect(partner.body).toMatchObject({
      refresh_token: expect.any(String),
      refresh_token_expires_in: 31_536_000,
    });
  });

  it('accepts a code once, within half an hour, from its own app', async () => {
    const invalid = {
      status: 400,
      body: { error: 'invalid_request', error_description: expect.any(String) },
    };
    const code = await linkedin.code('member');
    expect((await exchange(code)).status).toBe(200);
    expect(await exchange(code)).toMatchObject(invalid);
    const late = await linkedin.code('member');
    linkedin.advance(1_800);
    expect(await exchange(late)).toMatchObject(invalid);
    expect(await exchange(await linkedin.code('member'), {}, 'organization')).toMatchObject(invalid);
  });

  it.each([
    [{ redirect_uri: 'https://elsewhere.example/' }, 400, 'invalid_redirect_uri'],
    [{ client_secret: 'guess' }, 401, 'invalid_client'],
    [{ client_id: apps.organization.id }, 401, 'invalid_client'],
    [{ grant_type: 'password' }, 400, 'invalid_request'],
  ])('refuses %o', async (wrong, status, error) => {
    const answer = await exchange(await linkedin.code('member'), wrong as Record<string, string>);
    expect([answer.status, answer.body.error]).toEqual([status, error]);
  });

  it('revokes earlier tokens only if the scopes differ', async () => {
    const first = await linkedin.connect('member');
    await linkedin.connect('member');
    const read = () => linkedin.call(first, 'GET', 'v2/userinfo');
    expect((await read()).status).toBe(200);
    await exchange(await linkedin.code('member', { scope: 'openid profile' }));
    expect((await read()).body).toMatchObject({ status: 401, code: 'REVOKED_ACCESS_TOKEN' });
  });
});

describe('a refresh', () => {
  it('gives new access tokens until one year after the consent, and does not extend that year', async () => {
    const code = await linkedin.code('organization');
    const { body } = await linkedin.tokens('organization', { grant_type: 'authorization_code', code });
    const refresh = () =>
      linkedin.tokens('organization', { grant_type: 'refresh_token', refresh_token: body.refresh_token });
    linkedin.advance(300 * 86_400);
    const renewed = await refresh();
    expect(renewed.body).toMatchObject({
      refresh_token: body.refresh_token,
      refresh_token_expires_in: 65 * 86_400,
    });
    expect(renewed.body.access_token).not.toBe(body.access_token);
    linkedin.advance(65 * 86_400);
    expect(await refresh()).toMatchObject({ status: 400, body: { error: 'invalid_request' } });
  });

  it('fails after the member has removed the app', async () => {
    const code = await linkedin.code('organization');
    const { body } = await linkedin.tokens('organization', { grant_type: 'authorization_code', code });
    await linkedin.control('POST', 'revoke', { username: 'harbour.coffee' });
    const answer = await linkedin.tokens('organization', {
      grant_type: 'refresh_token',
      refresh_token: body.refresh_token,
    });
    expect(answer).toMatchObject({ status: 400, body: { error: 'invalid_request' } });
  });
});
