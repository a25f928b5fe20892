import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { dayMs, minuteMs, toTimestamp } from '../../../lib/kernel/clock.ts';
import type { KeyView } from '../../../lib/people/views.ts';
import type { Table } from '../../../lib/table/table.ts';
import { type Answer, type Call, openApi, publicBaseUrl, type RequestParts } from '../../support/api.ts';
import { openWorkspace } from '../../support/builders.ts';
import { askedFor, clientId, redirectUri } from '../../support/grants.ts';
import { fromPanel, type SignedInPerson, signInMember, signInPerson } from '../../support/panel.ts';

let table: Table;
let call: Call;
beforeAll(async () => {
  ({ table, call } = await openApi());
});

let workspaceId: string;
let owner: SignedInPerson;
beforeEach(async () => {
  ({ workspaceId } = (await openWorkspace(table)).context);
  owner = await signInMember(table, workspaceId);
});

const inText = (parameters: object) =>
  new URLSearchParams({ ...parameters } as Record<string, string>).toString();
const describeRequest = (changes: object = {}, person: SignedInPerson | undefined = owner) =>
  call('getAuthorization', fromPanel(person, undefined, { query: inText({ ...askedFor(), ...changes }) }));
const consent = (changes: object = {}) => ({
  request: askedFor(),
  permissions: ['read', 'draft'],
  expiresAt: toTimestamp(Date.now() + 30 * dayMs),
  ...changes,
});
const authorize = (changes: object = {}, person = owner, parts: RequestParts = {}) =>
  call('authorizeClient', fromPanel(person, workspaceId, { body: consent(changes), ...parts }));
const grants = async () =>
  ((await call('listKeys', fromPanel(owner, workspaceId))).body['keys'] as KeyView[]).filter(
    ({ grant }) => grant !== null,
  );
const outcome = ({ status, body }: Answer) => [status, body['code']];

describe('a request of a client is shown', () => {
  it('with the host of the client, the place to which the browser goes, and what is asked', async () => {
    const { status, body } = await describeRequest({ scope: 'read publish' });
    expect(status).toBe(200);
    expect(body).toEqual({
      client: { id: clientId, name: 'Agent', host: 'agent.example.com' },
      redirectHost: 'agent.example.com',
      isLoopback: false,
      permissions: ['read', 'publish'],
      problem: null,
      declineUrl: `${redirectUri}&error=access_denied&state=the+state&iss=${encodeURIComponent(publicBaseUrl)}`,
    });
  });

  it('as one of a program on the person’s own computer', async () => {
    const { body } = await describeRequest({ redirect_uri: 'http://localhost:49152/callback' });
    expect(body).toMatchObject({ redirectHost: 'localhost:49152', isLoopback: true });
  });

  it('with the reason if the client must ask differently, and nobody is sent anywhere by itself', async () => {
    const { status, body } = await describeRequest({ code_challenge_method: 'plain' });
    expect(status).toBe(200);
    expect(body).toMatchObject({ problem: expect.stringContaining('S256'), permissions: [] });
    expect(new URL(String(body['declineUrl'])).searchParams.get('error')).toBe('invalid_request');
  });

  it.each([
    [{ redirect_uri: 'https://evil.example/callback' }, 'redirect_uri'],
    [{ redirect_uri: 'javascript:alert(1)' }, 'redirect_uri'],
    [{ client_id: 'https://evil.example/client.json' }, 'client_id'],
    [{ client_id: 'https://169.254.169.254/client.json' }, 'client_id'],
  ])('not at all with %j', async (changes, param) => {
    expect(await describeRequest(changes)).toMatchObject({ status: 400, body: { param } });
  });

  it('not at all if a parameter is given twice', async () => {
    const query = `${inText(askedFor())}&redirect_uri=https%3A%2F%2Fevil.example`;
    const answer = await call('getAuthorization', fromPanel(owner, undefined, { query }));
    expect(outcome(answer)).toEqual([400, 'field_duplicate']);
  });

  it('only to people who are signed in, so that nobody else makes this service fetch documents', async () => {
    expect(outcome(await describeRequest({}, null as never))).toEqual([401, 'session_missing']);
  });
});

describe('an owner', () => {
  it('gives access: the address has the code, the state and the issuer', async () => {
    const { status, body } = await authorize();
    expect(status).toBe(201);
    const url = new URL(String(body['redirectTo']));
    expect(`${url.origin}${url.pathname}`).toBe('https://agent.example.com/callback');
    expect(Object.fromEntries(url.searchParams)).toEqual({
      from: 'herald',
      code: expect.stringMatching(/^yac_/),
      state: 'the state',
      iss: publicBaseUrl,
    });
    expect(await grants()).toMatchObject([
      { name: 'Agent', permissions: ['read', 'draft'], status: 'active' },
    ]);
  });

  it('ends it in the list of keys', async () => {
    await authorize();
    const [grant] = await grants();
    const path = { id: grant?.id ?? '' };
    expect((await call('revokeKey', fromPanel(owner, workspaceId, { path }))).status).toBe(204);
    expect(await grants()).toMatchObject([{ status: 'revoked' }]);
  });

  it.each([
    [{ permissions: [] }, 'permissions'],
    [{ permissions: undefined }, 'permissions'],
    [{ expiresAt: undefined }, 'expiresAt'],
    [{ expiresAt: toTimestamp(Date.now() + 400 * dayMs) }, 'expiresAt'],
    [{ request: askedFor({ redirect_uri: 'https://evil.example/' }) }, 'redirect_uri'],
    [{ request: askedFor({ code_challenge: undefined }) }, 'request'],
    [{ request: askedFor({ resource: `${publicBaseUrl}/v1` }) }, 'request'],
  ])('cannot give it with %j', async (changes, param) => {
    expect(await authorize(changes)).toMatchObject({ status: 400, body: { param } });
    expect(await grants()).toEqual([]);
  });
});

describe('access is not given', () => {
  const refusals: readonly [string, Readonly<Record<string, string>>][] = [
    ['another site', { 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' }],
    ['a sibling of the panel', { 'sec-fetch-site': 'same-site', origin: 'https://x.example.com' }],
    ['a page without an origin', { 'sec-fetch-site': 'same-origin', origin: 'null' }],
    ['a form of nowhere', { 'sec-fetch-site': 'none' }],
  ];
  it.each(refusals)('by a request of %s, even with the cookie', async (_what, headers) => {
    expect(outcome(await authorize({}, owner, { headers }))).toEqual([403, 'cross_site']);
    expect(await grants()).toEqual([]);
  });

  it('by a member, who may not issue keys', async () => {
    const member = await signInMember(table, workspaceId, 'member');
    expect(outcome(await authorize({}, member))).toEqual([403, 'permission_missing']);
  });

  it('by somebody of another workspace', async () => {
    const other = (await openWorkspace(table)).context.workspaceId;
    expect(outcome(await authorize({}, await signInMember(table, other)))).toEqual([404, 'not_found']);
  });

  it('at a computer left unlocked', async () => {
    const now = Date.now();
    const at = { personId: owner.personId, now, provedAtMs: now - 11 * minuteMs };
    expect(outcome(await authorize({}, await signInPerson(table, at)))).toEqual([403, 'sign_in_again']);
  });

  it('by an API key', async () => {
    const { apiKey } = await openWorkspace(table);
    expect((await call('authorizeClient', { apiKey, body: consent() })).status).toBe(401);
  });
});
