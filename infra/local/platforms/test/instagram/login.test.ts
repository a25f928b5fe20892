import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { app, everyScope, type Fields, type Fixture, openFixture, redirectUri } from './fixture.ts';

let instagram: Fixture;
beforeEach(async () => {
  instagram = await openFixture();
});
afterEach(() => instagram.close());

const request: Fields = {
  client_id: app.id,
  redirect_uri: redirectUri,
  response_type: 'code',
  scope: everyScope,
  state: 'a b&c',
};
const approved = { ...request, login: 'harbour.coffee', approve: '1' };
const dayAndHour = 25 * 3600;

describe('the authorize page', () => {
  it('shows HTML with a form for each account and one to deny', async () => {
    const { status, text: body } = await instagram.authorize(request);
    expect(status).toBe(200);
    expect(body).toContain('Allow as harbour.coffee');
    expect(body).toContain('Allow as northlight');
    expect(body).toContain('Deny');
    expect(body).toContain('value="a b&#38;c"');
  });

  it('redirects with code and state, and with #_ at the end', async () => {
    const { status, headers } = await instagram.authorize(approved);
    const location = headers.get('location') ?? '';
    expect([status, location.startsWith(`${redirectUri}?code=`), location.endsWith('#_')]).toEqual([
      302,
      true,
      true,
    ]);
    expect(new URL(location).searchParams.get('state')).toBe('a b&c');
  });

  it('keeps the query of a registered address', async () => {
    const { headers } = await instagram.authorize({
      ...approved,
      redirect_uri: 'https://herald.example/cb?from=ig',
    });
    expect(headers.get('location')).toMatch(/^https:\/\/herald\.example\/cb\?from=ig&code=/);
  });

  it('redirects with an error if the person denies', async () => {
    const { headers } = await instagram.authorize({ ...request, deny: '1' });
    expect(Object.fromEntries(new URL(headers.get('location') ?? '').searchParams)).toEqual({
      error: 'access_denied',
      error_reason: 'user_denied',
      error_description: 'The user denied your request.',
      state: 'a b&c',
    });
  });

  it.each([
    { wrong: { client_id: '1' }, message: 'Invalid platform app' },
    { wrong: { redirect_uri: `${redirectUri}/` }, message: 'Invalid redirect_uri' },
    { wrong: { redirect_uri: `${redirectUri}?x=1` }, message: 'Invalid redirect_uri' },
    { wrong: { response_type: 'token' }, message: 'Only response type "code" is allowed' },
    { wrong: { scope: `${everyScope},instagram_basic` }, message: 'Invalid Scopes: instagram_basic' },
    {
      wrong: { scope: everyScope.replaceAll(',', ' ') },
      message: `Invalid Scopes: ${everyScope.replaceAll(',', ' ')}`,
    },
    { wrong: { scope: '' }, message: 'Invalid Scopes: ' },
    {
      wrong: { scope: 'instagram_business_content_publish' },
      message: 'Invalid Scopes: instagram_business_basic is required',
    },
    { wrong: { login: 'nobody' }, message: 'No account named nobody' },
  ])('shows an error and does not redirect for $wrong', async ({ wrong, message }) => {
    const { status, body } = await instagram.authorize({ ...approved, ...wrong } as Fields);
    expect([status, body]).toEqual([
      400,
      { error_type: 'OAuthException', code: 400, error_message: message },
    ]);
  });
});

describe('the exchange of a code', () => {
  it('answers the three keys at top level or in a list, with a user id above 2^53', async () => {
    for (const shape of ['flat', 'data']) {
      await instagram.set({ tokenAnswer: shape });
      const form = new URLSearchParams(instagram.codeForm(await instagram.code('harbour.coffee')));
      const url = instagram.url('api.instagram.com/oauth/access_token');
      const text = await (await fetch(url, { method: 'POST', body: form })).text();
      const digits = /"user_id":(\d{17})\D/.exec(text)?.[1] ?? '';
      expect(String(Number(digits))).not.toBe(digits);
      const answer = JSON.parse(text);
      const token = shape === 'flat' ? answer : answer.data[0];
      expect(token.access_token).toMatch(/^IG/);
      expect(token.permissions).toEqual(shape === 'flat' ? everyScope.split(',') : everyScope);
    }
  });

  it('omits declined scopes, but never the basic one', async () => {
    const declined = 'instagram_business_basic,instagram_business_manage_comments';
    const code = await instagram.code('harbour.coffee', { declined });
    const { body } = await instagram.exchangeCode(instagram.codeForm(code));
    expect(body.permissions).toEqual(
      everyScope.split(',').filter((scope) => scope !== 'instagram_business_manage_comments'),
    );
  });

  it('accepts a code once', async () => {
    const form = instagram.codeForm(await instagram.code('harbour.coffee'));
    expect((await instagram.exchangeCode(form)).status).toBe(200);
    const { status, body } = await instagram.exchangeCode(form);
    expect([status, body]).toEqual([
      400,
      { error_type: 'OAuthException', code: 400, error_message: 'This authorization code has been used' },
    ]);
  });

  it('accepts a code within one hour', async () => {
    const form = instagram.codeForm(await instagram.code('harbour.coffee'));
    instagram.advance(3600);
    expect((await instagram.exchangeCode(form)).body.error_message).toMatch(/expired/);
  });

  it.each([
    { wrong: { client_id: '1' }, message: /Invalid platform app/ },
    { wrong: { client_secret: 'guess' }, message: /client secret/ },
    { wrong: { grant_type: 'refresh_token' }, message: /grant_type/ },
    { wrong: { code: 'AQguess' }, message: /Matching code was not found/ },
    { wrong: { redirect_uri: 'https://herald.example/cb?from=ig' }, message: /redirect_uri is identical/ },
  ])('refuses $wrong', async ({ wrong, message }) => {
    const form = { ...instagram.codeForm(await instagram.code('harbour.coffee')), ...wrong } as Fields;
    const { status, body } = await instagram.exchangeCode(form);
    expect([status, body.error_type]).toEqual([400, 'OAuthException']);
    expect(body.error_message).toMatch(message);
  });

  it('accepts a form, but not JSON', async () => {
    const body = JSON.stringify(instagram.codeForm(await instagram.code('harbour.coffee')));
    const headers = { 'content-type': 'application/json' };
    const url = instagram.url('api.instagram.com/oauth/access_token');
    expect((await fetch(url, { method: 'POST', headers, body })).status).toBe(400);
  });
});

describe('long-lived tokens', () => {
  const exchange = (token: string, wrong: Fields = {}) =>
    instagram.get('access_token', {
      grant_type: 'ig_exchange_token',
      client_secret: app.secret,
      access_token: token,
      ...wrong,
    });
  const refresh = (token: string) =>
    instagram.get('refresh_access_token', { grant_type: 'ig_refresh_token', access_token: token });
  const me = async (token: string) => (await instagram.get('v25.0/me', { access_token: token })).body.error;

  it('come from a short-lived one and last about sixty days', async () => {
    const { body } = await exchange(await instagram.shortToken('harbour.coffee'));
    expect(body).toEqual({
      access_token: expect.stringMatching(/^IG/),
      token_type: 'bearer',
      expires_in: 5_183_944,
    });
    instagram.advance(5_183_943);
    expect(await me(body.access_token)).toBeUndefined();
    instagram.advance(1);
    expect(await me(body.access_token)).toMatchObject({ code: 190, error_subcode: 463 });
  });

  it.each([{ client_secret: 'guess' }, { grant_type: 'other' }])('are refused for %j', async (wrong) => {
    const { status, body } = await exchange(await instagram.shortToken('harbour.coffee'), wrong as Fields);
    expect([status, body.error.code, body.error.type]).toEqual([400, 100, 'IGApiException']);
    expect(body.error.message).toBe('Unsupported request - method type: get');
  });

  it('cannot come from a long-lived or an expired one', async () => {
    const { token } = await instagram.connect();
    expect((await exchange(token)).body.error.code).toBe(100);
    const short = await instagram.shortToken('harbour.coffee');
    instagram.advance(3600);
    expect((await exchange(short)).body.error).toMatchObject({ code: 190, error_subcode: 463 });
  });

  it('can be refreshed after one day, without a secret', async () => {
    const { token } = await instagram.connect();
    instagram.advance(86_399);
    expect((await refresh(token)).body.error.code).toBe(100);
    instagram.advance(1);
    const { body } = await refresh(token);
    expect(body).toMatchObject({ token_type: 'bearer', expires_in: 5_183_944 });
    instagram.advance(5_183_000);
    expect(await me(body.access_token)).toBeUndefined();
  });

  it('cannot be refreshed if they have expired or are short-lived', async () => {
    const { token } = await instagram.connect();
    const short = await instagram.shortToken('harbour.coffee');
    expect((await refresh(short)).body.error.code).toBe(100);
    instagram.advance(5_184_000);
    expect((await refresh(token)).body.error).toMatchObject({ code: 190, error_subcode: 463 });
  });

  it('are invalid once access is revoked, and the user can connect again', async () => {
    const { token } = await instagram.connect();
    await instagram.control('POST', 'revoke', { username: 'harbour.coffee' });
    expect(await me(token)).toMatchObject({ code: 190, error_subcode: 460, is_transient: false });
    instagram.advance(dayAndHour);
    expect((await refresh(token)).body.error).toMatchObject({ code: 190, error_subcode: 460 });
    expect(await me((await instagram.connect()).token)).toBeUndefined();
  });

  it('are invalid from the call that a planned fault expires', async () => {
    const { token } = await instagram.connect();
    await instagram.fault('me', 'expire-token');
    expect(await me(token)).toMatchObject({ code: 190, error_subcode: 463 });
    expect(await me(token)).toMatchObject({ code: 190, error_subcode: 463 });
  });
});

describe('the profile', () => {
  it('returns ids as strings: the account’s own id and the app-scoped one', async () => {
    const { token } = await instagram.connect('northlight');
    const fields = 'id,user_id,username,name,profile_picture_url,account_type,followers_count,media_count';
    const { body } = await instagram.get('v26.0/me', { fields, access_token: token });
    expect(body).toMatchObject({ username: 'northlight', account_type: 'BUSINESS', media_count: 0 });
    expect(body.user_id).toMatch(/^17841\d{12}$/);
    expect(body.id).toMatch(/^\d{17}$/);
    expect(body.id).not.toBe(body.user_id);
  });

  it('accepts a bearer token, too', async () => {
    const { token } = await instagram.connect();
    const headers = { authorization: `Bearer ${token}` };
    const response = await fetch(instagram.url('graph.instagram.com/v25.0/me'), { headers });
    expect(response.status).toBe(200);
  });

  it.each([
    { case: 'no token', fields: {}, code: 104 },
    { case: 'a token that was never issued', fields: { access_token: 'IGAAguess' }, code: 190 },
  ])('refuses $case', async ({ fields, code }) => {
    expect((await instagram.get('v25.0/me', fields as Fields)).body.error.code).toBe(code);
  });

  it('refuses a field that does not exist', async () => {
    const { token } = await instagram.connect();
    const { body } = await instagram.get('v25.0/me', { fields: 'id,email', access_token: token });
    expect(body.error).toMatchObject({
      code: 100,
      message: expect.stringContaining('nonexisting field (email)'),
    });
  });

  it.each(['v24.0', 'v99.0', '25.0'])('refuses the API version %s', async (version) => {
    const { token } = await instagram.connect();
    const { status, body } = await instagram.get(`${version}/me`, { access_token: token });
    expect([status, body.error.code]).toEqual([400, 2500]);
    expect(body.error.message).toMatch(/^Unknown path components: \//);
  });
});

it('lets a test add users and see the accounts', async () => {
  expect((await instagram.control('POST', 'users', { username: 'new one' })).status).toBe(400);
  await instagram.control('POST', 'users', { username: 'new.one', accountType: 'MEDIA_CREATOR' });
  const { id } = await instagram.connect('new.one');
  const { body } = await instagram.control('GET', 'accounts');
  expect(body).toHaveLength(3);
  expect(body[2]).toMatchObject({ id, username: 'new.one', accountType: 'MEDIA_CREATOR', liveTokens: 2 });
});
