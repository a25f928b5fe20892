import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Table } from '../../../lib/table/table.ts';
import { type Answer, type Call, openApi, publicBaseUrl, type RequestParts } from '../../support/api.ts';
import { openWorkspace } from '../../support/builders.ts';
import { clientId, giveAccess, redirectUri, resource, verifier } from '../../support/grants.ts';
import { aPerson } from '../../support/members.ts';
import { storeMember } from '../../support/people.ts';

const perMinute = 5;
let table: Table;
let call: Call;
beforeAll(async () => {
  ({ table, call } = await openApi({ ratePerMinute: perMinute }));
});

let workspaceId: string;
let address: string;
let addresses = 0;
beforeEach(async () => {
  workspaceId = (await openWorkspace(table)).context.workspaceId;
  await storeMember(table, workspaceId, { personId: aPerson().id, role: 'owner' });
  addresses += 1;
  address = `198.51.100.${addresses}`;
});

const form = { 'content-type': 'application/x-www-form-urlencoded' };
const post = (route: string, fields: Readonly<Record<string, string>>, parts: RequestParts = {}) =>
  call('grants-tokens', {
    route: `POST ${route}`,
    rawBody: new URLSearchParams(fields).toString(),
    headers: form,
    sourceIp: address,
    ...parts,
  });
const token = (fields: Readonly<Record<string, string>>, parts?: RequestParts) =>
  post('/oauth/token', { client_id: clientId, resource, ...fields }, parts);
const newCode = () => giveAccess(table, workspaceId, { now: Date.now() });
const exchange = (code: string, parts?: RequestParts) =>
  token(
    { grant_type: 'authorization_code', code, code_verifier: verifier, redirect_uri: redirectUri },
    parts,
  );
const connect = async () => (await exchange(await newCode())).body as Readonly<Record<string, string>>;
const error = ({ status, body }: Answer) => [status, body['error']];

describe('the token endpoint', () => {
  it('gives tokens that nobody caches, also to pages of other sites', async () => {
    const { status, headers, body } = await exchange(await newCode());
    expect(status).toBe(200);
    expect(body).toEqual({
      access_token: expect.stringMatching(/^yat_/),
      token_type: 'Bearer',
      expires_in: 3_600,
      refresh_token: expect.stringMatching(/^yrt_/),
      scope: 'read',
    });
    expect(headers).toMatchObject({
      'cache-control': 'no-store',
      pragma: 'no-cache',
      'access-control-allow-origin': '*',
    });
    expect(headers).not.toHaveProperty('access-control-allow-credentials');
  });

  it('takes the form in base64, as API Gateway sends it', async () => {
    const { refresh_token = '' } = await connect();
    const fields = { client_id: clientId, grant_type: 'refresh_token', refresh_token };
    const rawBody = Buffer.from(new URLSearchParams(fields).toString()).toString('base64');
    expect((await token({}, { rawBody, isBase64Encoded: true })).status).toBe(200);
  });

  it.each<[string, Readonly<Record<string, string>>, string]>([
    ['no grant type', {}, 'invalid_request'],
    ['another grant type', { grant_type: 'client_credentials' }, 'unsupported_grant_type'],
    ['a password', { grant_type: 'password', username: 'a', password: 'b' }, 'unsupported_grant_type'],
    ['no code', { grant_type: 'authorization_code', code_verifier: verifier }, 'invalid_request'],
    ['no verifier', { grant_type: 'authorization_code', code: 'yac_x' }, 'invalid_request'],
    [
      'an unknown code',
      { grant_type: 'authorization_code', code: 'yac_x', code_verifier: 'x' },
      'invalid_grant',
    ],
    ['no refresh token', { grant_type: 'refresh_token' }, 'invalid_request'],
    ['an unknown refresh token', { grant_type: 'refresh_token', refresh_token: 'yrt_x' }, 'invalid_grant'],
    ['no client', { grant_type: 'refresh_token', refresh_token: 'yrt_x', client_id: '' }, 'invalid_request'],
  ])('refuses a request with %s', async (_what, fields, code) => {
    expect(error(await token(fields))).toEqual([400, code]);
  });

  it.each<[string, RequestParts]>([
    ['JSON', { headers: { 'content-type': 'application/json' }, rawBody: '{"grant_type":"refresh_token"}' }],
    ['a parameter twice', { rawBody: 'client_id=a&client_id=b&grant_type=refresh_token&refresh_token=x' }],
    ['no type', { headers: {} }],
    ['no body', { rawBody: '' }],
    [
      'more than it reads',
      { rawBody: `client_id=a&grant_type=refresh_token&refresh_token=x&more=${'x'.repeat(100_000)}` },
    ],
  ])('refuses %s', async (_what, parts) => {
    expect(error(await token({}, parts))).toEqual([400, 'invalid_request']);
  });

  it('does not say if a code was ever good', async () => {
    const code = await newCode();
    await exchange(code);
    const descriptions = [
      await exchange(code),
      await exchange(code),
      await exchange(`${code.slice(0, -1)}_`),
    ].map(({ body }) => body['error']);
    expect(new Set(descriptions)).toEqual(new Set(['invalid_grant']));
  });
});

describe('the limits of the token endpoint', () => {
  const guess = () => token({ grant_type: 'refresh_token', refresh_token: 'yrt_x' });

  it('refuse an address that guesses, and not the clients with grants behind the same address', async () => {
    const code = await newCode();
    for (let count = 0; count < perMinute; count += 1) await guess();
    const refused = await guess();
    expect([refused.status, refused.headers['retry-after']]).toEqual([429, expect.stringMatching(/^\d+$/)]);
    expect((await exchange(code)).status).toBe(200);
  });

  it('do not count clients with grants for their address', async () => {
    const codes = await Promise.all(Array.from({ length: perMinute + 2 }, newCode));
    for (const code of codes) expect((await exchange(code)).status).toBe(200);
  });

  it('refuse a grant whose client asks for tokens without end', async () => {
    let { refresh_token: refreshToken = '' } = await connect();
    const statuses: number[] = [];
    // Two minutes allow 60.
    for (let count = 0; count < 62; count += 1) {
      const { status, body } = await token({ grant_type: 'refresh_token', refresh_token: refreshToken });
      statuses.push(status);
      refreshToken = String(body['refresh_token'] ?? refreshToken);
    }
    expect(statuses.slice(0, 20)).toEqual(Array(20).fill(200));
    expect(statuses).toContain(429);
  });
});

describe('an access token', () => {
  const routes: readonly [string, RequestParts][] = [
    ['getWorkspace', {}],
    ['listPosts', {}],
    ['createPost', { body: { content: 'x', platforms: [] } }],
    ['listKeys', {}],
  ];
  it.each(routes)('is no API key: %s refuses it without a look-up', async (operation, parts) => {
    const { access_token: apiKey = '' } = await connect();
    const answer = await call(operation, { apiKey, sourceIp: address, ...parts });
    expect(answer.status).toBe(401);
    expect(answer.headers['www-authenticate'] ?? 'Bearer').toContain('Bearer');
  });

  it('does not refresh, and a refresh token is no API key either', async () => {
    const { access_token = '', refresh_token = '' } = await connect();
    expect(error(await token({ grant_type: 'refresh_token', refresh_token: access_token }))).toEqual([
      400,
      'invalid_grant',
    ]);
    expect((await call('getWorkspace', { apiKey: refresh_token, sourceIp: address })).status).toBe(401);
  });
});

describe('the revocation endpoint', () => {
  it('ends the grant, and answers the same for what it does not know', async () => {
    const { refresh_token = '' } = await connect();
    for (const given of [refresh_token, refresh_token, 'yrt_x', ''])
      expect((await post('/oauth/revoke', { token: given, client_id: clientId })).status).toBe(200);
    expect(error(await token({ grant_type: 'refresh_token', refresh_token }))).toEqual([
      400,
      'invalid_grant',
    ]);
  });
});

describe('the metadata', () => {
  const metadata = (path: string) => call('grants-metadata', { route: `GET ${path}` });

  it.each([
    ['/.well-known/oauth-protected-resource', resource],
    ['/.well-known/oauth-protected-resource/mcp', resource],
    ['/.well-known/oauth-protected-resource/api/mcp', `${publicBaseUrl}/api/mcp`],
  ])('at %s is that of the resource %s', async (path, named) => {
    const { status, body, headers } = await metadata(path);
    expect(status).toBe(200);
    expect(body).toMatchObject({
      resource: named,
      authorization_servers: [publicBaseUrl],
      bearer_methods_supported: ['header'],
      scopes_supported: ['read', 'draft'],
    });
    expect(headers).toMatchObject({
      'access-control-allow-origin': '*',
      'content-type': expect.stringContaining('application/json'),
    });
  });

  it('of the server names its issuer and what it takes: S256, documents of clients, and no secrets', async () => {
    const { body } = await metadata('/.well-known/oauth-authorization-server');
    expect(body).toMatchObject({
      issuer: publicBaseUrl,
      authorization_endpoint: `${publicBaseUrl}/oauth/authorize`,
      token_endpoint: `${publicBaseUrl}/oauth/token`,
      revocation_endpoint: `${publicBaseUrl}/oauth/revoke`,
      response_types_supported: ['code'],
      grant_types_supported: ['authorization_code', 'refresh_token'],
      code_challenge_methods_supported: ['S256'],
      token_endpoint_auth_methods_supported: ['none'],
      client_id_metadata_document_supported: true,
      authorization_response_iss_parameter_supported: true,
    });
    expect(body).not.toHaveProperty('registration_endpoint');
  });
});

describe('the authorization endpoint', () => {
  it('sends the browser to the panel with the same request, and to nowhere else', async () => {
    const query = 'client_id=https%3A%2F%2Fevil.example%2Fx&redirect_uri=https://evil.example&state=a%20b';
    const { status, headers } = await call('grants-authorize', { query, sourceIp: address });
    expect(status).toBe(303);
    expect(headers['location']).toBe(`https://panel.example.com/developers/authorize?${query}`);
    expect(headers['cache-control']).toBe('no-store');
  });
});
