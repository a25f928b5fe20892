import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Fixture, openFixture, other, panel, pkce } from './support.ts';

let fixture: Fixture;
beforeAll(async () => {
  fixture = await openFixture();
});
beforeEach(() => fixture.cookies.clear());
afterAll(() => fixture.close());

const basic = (id: string, secret = '') => {
  const encoded = [id, secret].map((text) => new URLSearchParams({ v: text }).toString().slice(2));
  return { authorization: `Basic ${Buffer.from(encoded.join(':')).toString('base64')}` };
};
const byHeader = { client_id: undefined, client_secret: undefined };

describe('the exchange of a code', () => {
  it('gives tokens that must not be stored', async () => {
    const { status, json, headers } = await fixture.exchange({ code: await fixture.code() });
    expect([status, json]).toEqual([
      200,
      {
        access_token: expect.any(String),
        token_type: 'Bearer',
        expires_in: 300,
        scope: 'openid email profile',
        id_token: expect.stringMatching(/^[\w-]+\.[\w-]+\.[\w-]+$/),
        refresh_token: expect.any(String),
      },
    ]);
    expect(headers.get('cache-control')).toBe('no-store');
  });

  it('gives the known scopes', async () => {
    const code = await fixture.code({ scope: 'openid offline_access email' });
    expect((await fixture.exchange({ code })).json).toMatchObject({ scope: 'openid email' });
  });

  it('accepts the client by HTTP Basic too', async () => {
    const code = await fixture.code();
    const { status } = await fixture.exchange({ code, ...byHeader }, basic(panel.id, panel.secret));
    expect(status).toBe(200);
  });

  it('accepts a public client without a secret', async () => {
    const its = { client_id: other.id, redirect_uri: other.redirectUris };
    const code = await fixture.code(its);
    expect((await fixture.exchange({ code, ...its, client_secret: undefined })).status).toBe(200);
  });

  it.each([
    ['no client', byHeader, 400, 'invalid_request'],
    ['an unknown client', { client_id: 'unknown' }, 401, 'invalid_client'],
    ['no secret', { client_secret: undefined }, 401, 'invalid_client'],
    ['a wrong secret', { client_secret: 'wrong' }, 401, 'invalid_client'],
    ['a public client with a secret', { client_id: other.id }, 401, 'invalid_client'],
    ['no grant type', { grant_type: undefined }, 400, 'invalid_request'],
    ['another grant type', { grant_type: 'password' }, 400, 'unsupported_grant_type'],
    ['no code', { code: undefined }, 400, 'invalid_request'],
    ['two codes', { code: ['a', 'b'] }, 400, 'invalid_request'],
    ['an unknown code', { code: 'unknown' }, 400, 'invalid_grant'],
    ['no redirect URI', { redirect_uri: undefined }, 400, 'invalid_request'],
    ['another redirect URI', { redirect_uri: other.redirectUris }, 400, 'invalid_grant'],
    ['no verifier', { code_verifier: undefined }, 400, 'invalid_grant'],
    ['another verifier', { code_verifier: pkce.verifier.replace('d', 'e') }, 400, 'invalid_grant'],
    ['the challenge as the verifier', { code_verifier: pkce.challenge }, 400, 'invalid_grant'],
    ['the code of another client', { client_id: other.id, client_secret: undefined }, 400, 'invalid_grant'],
  ])('refuses %s', async (_, fields, status, error) => {
    const code = await fixture.code();
    const answer = await fixture.exchange({ code, ...fields });
    expect([answer.status, answer.json]).toEqual([status, { error, error_description: expect.any(String) }]);
  });

  it('refuses a wrong secret by HTTP Basic with a challenge', async () => {
    const answer = await fixture.exchange({ code: 'x', ...byHeader }, basic(panel.id, 'wrong'));
    expect([answer.status, answer.json['error']]).toEqual([401, 'invalid_client']);
    expect(answer.headers.get('www-authenticate')).toMatch(/^Basic /);
  });

  it('refuses a client that authenticates in two ways', async () => {
    const { json } = await fixture.exchange({ code: 'x' }, basic(panel.id, panel.secret));
    expect(json['error']).toBe('invalid_request');
  });

  it('refuses a body in JSON', async () => {
    const url = `${fixture.issuer.url}/token`;
    const headers = { 'content-type': 'application/json' };
    expect((await fetch(url, { method: 'POST', headers, body: '{}' })).status).toBe(400);
  });

  it('accepts a code for 60 seconds', async () => {
    const [early, late] = [await fixture.code(), await fixture.code()];
    fixture.advance(50);
    expect((await fixture.exchange({ code: early })).status).toBe(200);
    fixture.advance(10);
    expect((await fixture.exchange({ code: late })).json['error']).toBe('invalid_grant');
  });

  it('revokes the access token if its code comes again', async () => {
    const code = await fixture.code();
    const { json } = await fixture.exchange({ code });
    const read = () =>
      fetch(`${fixture.issuer.url}/me`, {
        headers: { authorization: `Bearer ${json['access_token']}` },
      });
    expect((await read()).status).toBe(200);
    expect((await fixture.exchange({ code })).json['error']).toBe('invalid_grant');
    const after = await read();
    expect(after.status).toBe(401);
    expect(after.headers.get('www-authenticate')).toMatch(/^Bearer .*error="invalid_token"/);
  });
});
