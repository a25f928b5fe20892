import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { claimsIn, type Fixture, openFixture, other, panel } from './support.ts';

let fixture: Fixture;
beforeAll(async () => {
  fixture = await openFixture();
});
beforeEach(() => fixture.cookies.clear());
afterAll(() => fixture.close());

const elsewhere = 'http://127.0.0.1:3001/elsewhere';

describe('an authorization request', () => {
  it('shows the people who can sign in', async () => {
    const { status, text } = await fixture.authorize();
    expect(status).toBe(200);
    expect(text).toContain('<h1>Simulated identity provider</h1>');
    expect(text).toContain('Continue as Owner</button>');
    expect(text).toContain('Continue as Member</button>');
  });

  it.each([
    ['without a client', { client_id: undefined }],
    ['of an unknown client', { client_id: 'unknown' }],
    ['with two clients', { client_id: [panel.id, other.id] }],
    ['without a redirect URI', { redirect_uri: undefined }],
    ['with the redirect URI of another client', { redirect_uri: other.redirectUris }],
    ['with another path', { redirect_uri: elsewhere }],
    ['with an additional slash', { redirect_uri: `${panel.redirectUris[0]}/` }],
    ['with an additional parameter', { redirect_uri: `${panel.redirectUris[0]}?a=b` }],
    ['with another name of the same host', { redirect_uri: 'http://localhost:3001/callback' }],
    ['with two redirect URIs', { redirect_uri: [...panel.redirectUris, elsewhere] }],
  ])('%s shows an error and redirects nowhere', async (_, changes) => {
    const { status, back } = await fixture.authorize(changes);
    expect([status, back]).toEqual([400, undefined]);
  });

  it.each([
    ['without a response type', { response_type: undefined }, 'invalid_request'],
    ['for a token', { response_type: 'token' }, 'unsupported_response_type'],
    ['for code and id token', { response_type: 'code id_token' }, 'unsupported_response_type'],
    ['without a scope', { scope: undefined }, 'invalid_request'],
    ['without openid', { scope: 'email' }, 'invalid_request'],
    ['without PKCE', { code_challenge: undefined, code_challenge_method: undefined }, 'invalid_request'],
    ['with PKCE of the default method', { code_challenge_method: undefined }, 'invalid_request'],
    ['with plain PKCE', { code_challenge_method: 'plain' }, 'invalid_request'],
    ['with a short challenge', { code_challenge: 'short' }, 'invalid_request'],
    ['with two nonces', { nonce: ['a', 'b'] }, 'invalid_request'],
    ['with an unknown prompt', { prompt: 'maybe' }, 'invalid_request'],
    ['with none and another prompt', { prompt: 'none login' }, 'invalid_request'],
    ['with a negative max_age', { max_age: '-1' }, 'invalid_request'],
    ['with a request object', { request: 'a.b.c' }, 'request_not_supported'],
    [
      'with the address of a request object',
      { request_uri: 'https://a.example' },
      'request_uri_not_supported',
    ],
    ['that may show nothing, in a new browser', { prompt: 'none' }, 'login_required'],
  ])('%s is sent back with an error, the state and the issuer', async (_, changes, error) => {
    const { status, back } = await fixture.authorize(changes);
    expect([status, back]).toEqual([
      303,
      expect.objectContaining({ error, state: 'a state & more', iss: fixture.issuer.url }),
    ]);
  });

  it('with two states is sent back without any', async () => {
    const { back } = await fixture.authorize({ state: ['a', 'b'] });
    expect(back).toMatchObject({ error: 'invalid_request' });
    expect(back).not.toHaveProperty('state');
  });

  it('may have parameters that nobody knows, and empty ones', async () => {
    expect((await fixture.authorize({ unknown: 'x', prompt: '', max_age: '' })).status).toBe(200);
  });

  it('is repeated by the page without breaking out of it', async () => {
    const { text } = await fixture.authorize({ state: '"><script>alert(1)</script>' });
    expect(text).not.toContain('<script>');
  });

  it('suggests the address that it hints at', async () => {
    expect((await fixture.authorize({ login_hint: 'ada@example.com' })).text).toContain(
      'value="ada@example.com"',
    );
  });
});

describe('the sign-in page', () => {
  it('sends the browser back with a code, the state and the issuer', async () => {
    const { status, back, headers } = await fixture.proceed({ person: 'Owner' });
    expect([status, back]).toEqual([
      303,
      { code: expect.stringMatching(/^[\w-]{43}$/), state: 'a state & more', iss: fixture.issuer.url },
    ]);
    expect(headers.get('set-cookie')).toMatch(/samesite=lax; httponly/);
    expect(headers.get('cache-control')).toBe('no-store');
  });

  it('signs in with another address', async () => {
    const { back } = await fixture.proceed({ email: ' Ada@Example.com ', name: 'Ada' });
    const { json } = await fixture.exchange({ code: back?.['code'] });
    expect(claimsIn(json['id_token'])).toMatchObject({ email: 'Ada@Example.com', name: 'Ada' });
  });

  it.each([undefined, '', 'ada', 'ada@example'])('asks again for the address %j', async (email) => {
    const { status, text, back } = await fixture.proceed({ email });
    expect([status, back]).toEqual([400, undefined]);
    expect(text).toContain('role="alert"');
    expect(text).toContain(`value="${email ?? ''}" aria-invalid="true"`);
  });

  it('can be cancelled', async () => {
    const { back } = await fixture.proceed({ cancel: '1' });
    expect(back).toMatchObject({ error: 'access_denied', state: 'a state & more' });
  });

  it.each([
    ['of another site', { origin: 'https://elsewhere.example' }],
    ['of another port', { origin: 'http://127.0.0.1:3001' }],
    ['of a document without an origin', { origin: 'null' }],
  ])('is refused as the form %s', async (_, headers) => {
    expect((await fixture.proceed({ person: 'Owner' }, {}, headers)).status).toBe(403);
  });

  it('checks the request again', async () => {
    expect((await fixture.proceed({ person: 'Owner' }, { redirect_uri: elsewhere })).status).toBe(400);
    const plain = await fixture.proceed({ person: 'Owner' }, { code_challenge_method: 'plain' });
    expect(plain.back).toMatchObject({ error: 'invalid_request' });
  });
});

describe('a browser in which somebody has signed in', () => {
  beforeEach(() => fixture.proceed({ person: 'Owner' }));

  it.each([
    ['without further words', {}],
    ['that may show nothing', { prompt: 'none' }],
    ['with an age that has not passed', { max_age: '60' }],
    ['of another client', { client_id: other.id, redirect_uri: other.redirectUris }],
  ])('is sent back at once by a request %s', async (_, changes) => {
    expect((await fixture.authorize(changes)).back).toHaveProperty('code');
  });

  it('is asked again with prompt=login', async () => {
    expect((await fixture.authorize({ prompt: 'login' })).status).toBe(200);
  });

  it('is asked again if max_age is 0 or has passed', async () => {
    expect((await fixture.authorize({ max_age: '0' })).status).toBe(200);
    fixture.advance(61);
    expect((await fixture.authorize({ max_age: '60' })).status).toBe(200);
    expect((await fixture.authorize({ max_age: '60', prompt: 'none' })).back).toMatchObject({
      error: 'login_required',
    });
  });

  it('is forgotten after an hour', async () => {
    fixture.advance(3_600);
    expect((await fixture.authorize()).status).toBe(200);
  });

  it('keeps the time of the sign-in, until the person signs in again', async () => {
    const signInOf = async (code: string | undefined) =>
      Number(claimsIn((await fixture.exchange({ code })).json['id_token'])['auth_time']);
    const first = await signInOf((await fixture.authorize()).back?.['code']);
    fixture.advance(100);
    expect(await signInOf((await fixture.authorize()).back?.['code'])).toBe(first);
    expect(await signInOf(await fixture.code({ prompt: 'login' }))).toBeGreaterThanOrEqual(first + 100);
  });

  it('gets a new cookie with each sign-in, and the old one is worth nothing', async () => {
    const name = `simulated-issuer-${new URL(fixture.issuer.url).port}`;
    const before = fixture.cookies.get(name) ?? '';
    await fixture.proceed({ person: 'Member' });
    expect(fixture.cookies.get(name)).not.toBe(before);
    fixture.cookies.set(name, before);
    expect((await fixture.authorize({ prompt: 'none' })).back).toMatchObject({ error: 'login_required' });
  });
});

describe('signing out', () => {
  const endSession = (parameters: Record<string, string>) =>
    fixture.signOut(`${fixture.issuer.url}/session/end?${new URLSearchParams(parameters)}`);
  const [target = ''] = panel.postLogoutRedirectUris;
  const isSignedIn = async () => (await fixture.authorize({ prompt: 'none' })).back?.['code'] !== undefined;

  beforeEach(() => fixture.proceed({ person: 'Owner' }));

  it('forgets the browser and sends it to the registered address, with the state', async () => {
    const { status, headers } = await endSession({
      client_id: panel.id,
      post_logout_redirect_uri: target,
      state: 'x',
    });
    expect([status, headers.get('location')]).toEqual([303, `${target}?state=x`]);
    expect(await isSignedIn()).toBe(false);
  });

  it('needs no client if the id token names it, even an expired one', async () => {
    const { json } = await fixture.exchange({ code: await fixture.code() });
    fixture.advance(1_000);
    const hint = { id_token_hint: String(json['id_token']), post_logout_redirect_uri: target };
    expect((await endSession(hint)).headers.get('location')).toBe(target);
  });

  it('asks first', async () => {
    const { status, text } = await fixture.visit(`${fixture.issuer.url}/session/end`);
    expect([status, await isSignedIn()]).toEqual([200, true]);
    expect(text).toContain('Sign out</button>');
  });

  it.each<[string, Record<string, string>]>([
    ['there is no address', {}],
    ['no client is named to which the address belongs', { post_logout_redirect_uri: target }],
  ])('shows a page if %s', async (_, parameters) => {
    expect((await endSession(parameters)).text).toContain('You are signed out');
    expect(await isSignedIn()).toBe(false);
  });

  it.each([
    ['an address that is not registered', { client_id: panel.id, post_logout_redirect_uri: elsewhere }],
    [
      'the redirect URI of the sign-in',
      { client_id: panel.id, post_logout_redirect_uri: panel.redirectUris[0] },
    ],
    ['an unknown client', { client_id: 'unknown' }],
    ['a foreign id token', { id_token_hint: 'a.b.c' }],
  ])('refuses %s, and the browser stays signed in', async (_, parameters) => {
    const { status } = await endSession(parameters as Record<string, string>);
    expect([status, await isSignedIn()]).toEqual([400, true]);
  });

  it('refuses the id token of another client', async () => {
    const { json } = await fixture.exchange({ code: await fixture.code() });
    const { status } = await endSession({ id_token_hint: String(json['id_token']), client_id: other.id });
    expect(status).toBe(400);
  });
});
