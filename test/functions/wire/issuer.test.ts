import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openIssuer } from '../../../functions/wire/issuer.ts';
import { dayMs } from '../../../lib/kernel/clock.ts';
import type { Issuer } from '../../../lib/people/issuer.ts';
import { startIssuer, type TestIssuer } from '../../support/issuer.ts';

let server: TestIssuer;
let issuer: Issuer;
beforeAll(async () => {
  server = await startIssuer();
});
afterAll(() => server.stop());
beforeEach(() => {
  server.faults = {};
  server.requests.length = 0;
  issuer = open();
});

const parameter = (changes: object = {}) =>
  JSON.stringify({
    issuer: server.url,
    clientId: server.clientId,
    clientSecret: server.clientSecret,
    ...changes,
  });

function open(value: string | undefined = parameter(), hosts: readonly string[] = ['127.0.0.1']): Issuer {
  return openIssuer({
    parameterName: '/herald/test/sign-in',
    plainHttpHosts: new Set(hosts),
    readParameter: async () => value,
  });
}

const attempt = {
  redirectUri: 'https://panel.example.com/api/panel/sign-in/callback',
  state: 'state-of-the-attempt',
  nonce: 'nonce-of-the-attempt',
  codeVerifier: 'verifier'.repeat(8),
};

async function signIn(changes: Partial<typeof attempt> & { readonly query?: string } = {}) {
  const url = await issuer.authorizationUrl({ ...attempt, isAgain: false });
  return issuer.redeem({ ...attempt, query: server.answer(url), ...changes });
}

/** The reason and the text for operators. */
const failureOf = (promise: Promise<unknown>): Promise<{ reason: string; message: string; stack: string }> =>
  promise.then(
    () => Promise.reject(new Error('it did not fail')),
    (error) => error,
  );

describe('the address to sign in at', () => {
  it('asks for a code with PKCE, state and nonce', async () => {
    const url = new URL(await issuer.authorizationUrl({ ...attempt, isAgain: false }));
    expect(url.origin + url.pathname).toBe(`${server.url}/authorize`);
    expect(Object.fromEntries(url.searchParams)).toEqual({
      client_id: 'panel',
      response_type: 'code',
      scope: 'openid email profile',
      redirect_uri: attempt.redirectUri,
      state: attempt.state,
      nonce: attempt.nonce,
      code_challenge: expect.stringMatching(/^[\w-]{43}$/),
      code_challenge_method: 'S256',
      max_age: String((7 * dayMs) / 1_000),
    });
    expect(url.href).not.toContain(attempt.codeVerifier);
  });

  it('makes the person prove again who they are, if asked to', async () => {
    const url = new URL(await issuer.authorizationUrl({ ...attempt, isAgain: true }));
    expect(Object.fromEntries(url.searchParams)).toMatchObject({ prompt: 'login', max_age: '0' });
  });
});

describe('the scopes', () => {
  const scopesOf = async () =>
    new URL(await issuer.authorizationUrl({ ...attempt, isAgain: false })).searchParams.get('scope');

  it.each([
    ['with', ['openid', 'offline_access'], {}, 'openid email profile offline_access'],
    ['without', ['openid'], {}, 'openid email profile'],
    ['without', ['openid', 'offline_access'], { offlineAccess: false }, 'openid email profile'],
  ])(
    'are asked for %s offline access if the issuer lists %j and the parameter adds %j',
    async (_which, scopes, changes, expected) => {
      server.faults = { metadata: { scopes_supported: scopes } };
      issuer = open(parameter(changes));
      expect(await scopesOf()).toBe(expected);
    },
  );
});

describe('the issuer’s answer to a refresh token', () => {
  it('confirms the person, with the token that replaces it', async () => {
    const renewal = await issuer.renew(server.refreshToken);
    expect(renewal).toEqual({
      kind: 'confirmed',
      person: { issuer: server.url, subject: 'ada' },
      refreshToken: server.refreshToken,
    });
  });

  it('ends the session if it is that the token is of no use', async () => {
    expect(await issuer.renew('another')).toEqual({ kind: 'ended' });
  });

  it('keeps the replacement although the keys of the issuer cannot be read', async () => {
    server.faults = { metadata: { jwks_uri: `${server.url}/nothing` } };
    expect(await issuer.renew(server.refreshToken)).toMatchObject({ refreshToken: server.refreshToken });
  });

  const answered =
    (status: number, body: string): NonNullable<TestIssuer['faults']['tokenResponse']> =>
    (response) =>
      response.writeHead(status, { 'content-type': 'application/json' }).end(body);

  it.each<[string, TestIssuer['faults']]>([
    ['an outage', { tokenResponse: answered(503, '{"error":"temporarily_unavailable"}') }],
    ['an outage that claims more', { tokenResponse: answered(500, '{"error":"invalid_grant"}') }],
    ['too many requests', { tokenResponse: answered(429, '{"error":"slow_down"}') }],
    ['a client that it does not know', { tokenResponse: answered(401, '{"error":"invalid_client"}') }],
    [
      'a grant that the client may not use',
      { tokenResponse: answered(400, '{"error":"unauthorized_client"}') },
    ],
    ['a page', { tokenResponse: (response) => response.end('<html>invalid_grant') }],
    ['a broken connection', { tokenResponse: (response) => response.destroy() }],
    ['a redirect', { tokenResponse: (response) => response.writeHead(307, { location: '/jwks' }).end() }],
    ['a very long response', { tokenResponse: (response) => response.end('x'.repeat(300_000)) }],
    ['another discovery document', { metadata: { issuer: 'https://other.example.com' } }],
  ])('is none if there is %s, and says why without the token', async (_what, faults) => {
    server.faults = faults;
    const renewal = await issuer.renew(server.refreshToken);
    expect(renewal).toEqual({ kind: 'unavailable', why: expect.any(String) });
    expect(JSON.stringify(renewal)).not.toContain(server.refreshToken);
  });
});

describe('an answer', () => {
  it('says who has signed in, and whether the address is verified', async () => {
    expect(await signIn()).toEqual({
      issuer: server.url,
      subject: 'ada',
      email: 'ada@example.com',
      isEmailVerified: true,
      name: 'Ada',
      provedAtMs: expect.any(Number),
      refreshToken: server.refreshToken,
    });
  });

  it('has no refresh token if the issuer gives none', async () => {
    server.faults = { hasNoRefreshToken: true };
    expect(await signIn()).not.toHaveProperty('refreshToken');
  });

  it('has no refresh token if the operator wants no offline access, although the issuer gives one', async () => {
    issuer = open(parameter({ offlineAccess: false }));
    expect(await signIn()).not.toHaveProperty('refreshToken');
  });

  it.each([false, 'true', 1, undefined])(
    'has an unverified address if `email_verified` is %j',
    async (value) => {
      server.faults = { claims: { email_verified: value } };
      expect(await signIn()).toMatchObject({ isEmailVerified: false });
    },
  );

  it('has no address if that is longer than addresses are: its beginning could be another one', async () => {
    const [victim, rest] = [`${'a'.repeat(242)}@example.com`, '.evil.example'];
    server.faults = { claims: { email: victim + rest } };
    expect(await signIn()).not.toHaveProperty('email');
    server.faults = { claims: { email: victim } };
    expect(await signIn()).toMatchObject({ email: victim });
  });

  it('is accepted from a public client too', async () => {
    issuer = open(JSON.stringify({ issuer: server.url, clientId: server.clientId }));
    expect(await signIn()).toMatchObject({ subject: 'ada' });
  });

  const now = Math.floor(Date.now() / 1_000);
  it.each<[string, TestIssuer['faults']]>([
    ['another nonce', { claims: { nonce: 'other' } }],
    ['no nonce', { claims: { nonce: undefined } }],
    ['another audience', { claims: { aud: 'other' } }],
    ['another issuer', { claims: { iss: 'https://other.example.com' } }],
    ['no subject', { claims: { sub: undefined } }],
    ['a time that is over', { claims: { iat: now - 900, exp: now - 600 } }],
    ['a signature with another key', { hasWrongSignature: true }],
    ['a response that is no JSON', { tokenResponse: (response) => response.end('<html>') }],
    [
      'a response without an ID token',
      {
        tokenResponse: (response) => {
          response.writeHead(200, { 'content-type': 'application/json' });
          response.end(JSON.stringify({ access_token: 'a', token_type: 'Bearer' }));
        },
      },
    ],
  ])('is refused with %s', async (_what, faults) => {
    server.faults = faults;
    expect((await failureOf(signIn())).reason).toBe('sign_in_failed');
  });

  it.each([
    ['another state', { state: 'other' }],
    ['another verifier', { codeVerifier: 'other'.repeat(10) }],
    ['another redirect URI', { redirectUri: 'https://evil.example.com/api/panel/sign-in/callback' }],
    ['a code that was never issued', { query: 'code=unknown&state=state-of-the-attempt' }],
    ['no code', { query: 'state=state-of-the-attempt' }],
    ['two codes', { query: 'code=a&code=b&state=state-of-the-attempt' }],
    ['an unknown error', { query: 'error=odd&state=state-of-the-attempt' }],
  ])('is refused with %s', async (_what, changes) => {
    expect((await failureOf(signIn(changes))).reason).toBe('sign_in_failed');
  });

  it.each([
    ['access_denied', 'sign_in_refused'],
    ['login_required', 'sign_in_refused'],
    ['server_error', 'sign_in_unavailable'],
    ['temporarily_unavailable', 'sign_in_unavailable'],
  ])('%s is %s', async (error, reason) => {
    const query = `error=${error}&state=${attempt.state}`;
    expect((await failureOf(signIn({ query }))).reason).toBe(reason);
  });

  it('is redeemed once', async () => {
    const url = await issuer.authorizationUrl({ ...attempt, isAgain: false });
    const query = server.answer(url);
    await issuer.redeem({ ...attempt, query });
    expect((await failureOf(issuer.redeem({ ...attempt, query }))).reason).toBe('sign_in_failed');
  });

  it('leaves no code, token or secret in what operators read', async () => {
    server.faults = { claims: { nonce: 'other' } };
    const failures = await Promise.all([
      failureOf(signIn()),
      failureOf(signIn({ query: `code=code-unknown&state=${attempt.state}` })),
      failureOf(signIn({ query: `error=odd&error_description=code-secret&state=${attempt.state}` })),
    ]);
    for (const { message, stack, ...rest } of failures) {
      const text = message + stack + JSON.stringify(rest);
      for (const secret of ['code-', 'access-token', attempt.nonce, 'ada', server.clientSecret])
        expect(text).not.toContain(secret);
    }
  });
});

describe('the issuer', () => {
  it('is discovered once, not for each request', async () => {
    await Promise.all([signIn(), signIn(), signIn()]);
    await signIn();
    const discoveries = server.requests.filter((path) => path.includes('well-known'));
    expect(discoveries).toHaveLength(1);
  });

  it('is discovered again after a failure', async () => {
    server.faults = { metadata: { issuer: 'https://other.example.com' } };
    expect((await failureOf(signIn())).reason).toBe('sign_in_unavailable');
    server.faults = {};
    expect(await signIn()).toMatchObject({ subject: 'ada' });
  });

  it.each<[string, () => Issuer, string]>([
    ['the parameter is missing', () => open(''), 'is not JSON'],
    ['the parameter is no JSON', () => open('secret-text'), 'is not JSON'],
    ['the parameter has no client', () => open(JSON.stringify({ issuer: server.url })), 'is not JSON'],
    ['it uses plain http', () => open(parameter(), []), 'is not https'],
    ['nobody answers', () => open(parameter({ issuer: 'http://127.0.0.1:1' })), 'cannot be discovered'],
  ])('is unavailable if %s', async (_when, make, message) => {
    issuer = make();
    const failure = await failureOf(signIn());
    expect(failure).toMatchObject({
      reason: 'sign_in_unavailable',
      message: expect.stringContaining(message),
    });
    expect(failure.message).not.toContain('secret-text');
  });

  it.each(['token_endpoint', 'jwks_uri', 'authorization_endpoint'])(
    'is not asked at a %s of another host without TLS',
    async (endpoint) => {
      server.faults = { metadata: { [endpoint]: 'http://elsewhere.example.com/x' } };
      expect((await failureOf(signIn())).reason).toBe('sign_in_unavailable');
    },
  );

  it('is unavailable if it sends a very long response', async () => {
    server.faults = { tokenResponse: (response) => response.end('x'.repeat(300_000)) };
    expect((await failureOf(signIn())).reason).toBe('sign_in_unavailable');
  });

  it('is not followed to another address', async () => {
    server.faults = {
      tokenResponse: (response) => response.writeHead(307, { location: `${server.url}/jwks` }).end(),
    };
    expect((await failureOf(signIn())).reason).toBe('sign_in_failed');
    expect(server.requests.filter((path) => path === '/jwks')).toEqual([]);
  });
});

describe('the address to sign out at', () => {
  it('is the issuer’s, with where to return to', async () => {
    const url = new URL((await issuer.signOutUrl('https://panel.example.com/signed-out')) ?? '');
    expect(url.origin + url.pathname).toBe(`${server.url}/logout`);
    expect(Object.fromEntries(url.searchParams)).toEqual({
      client_id: 'panel',
      post_logout_redirect_uri: 'https://panel.example.com/signed-out',
      logout_uri: 'https://panel.example.com/signed-out',
    });
  });

  it('is none if the issuer has none', async () => {
    server.faults = { metadata: { end_session_endpoint: undefined } };
    expect(await issuer.signOutUrl('https://panel.example.com/signed-out')).toBeNull();
  });
});
