import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Permission } from '../../../lib/access/permissions.ts';
import { dayMs, hourMs, toTimestamp } from '../../../lib/kernel/clock.ts';
import { removeMember } from '../../../lib/people/members/change.ts';
import type { Table } from '../../../lib/table/table.ts';
import {
  type KeptTokens,
  type SignedInAgent,
  sdks,
  signInWith,
} from '../../contract/clients/agent-sign-in.ts';
import { anOperator } from '../../support/acts.ts';
import { type Answer, type Call, openApi, publicBaseUrl } from '../../support/api.ts';
import { openWorkspace, storeAccount } from '../../support/builders.ts';
import { clientId, giveAccess, redeem, redirectUri, tokensIn } from '../../support/grants.ts';
import { aPerson } from '../../support/members.ts';
import { fromPanel, type SignedInPerson, signInMember } from '../../support/panel.ts';
import { storeMember } from '../../support/people.ts';

let table: Table;
let call: Call;
let workspaceId: string;
let accountId: string;
let owner: SignedInPerson;
beforeAll(async () => {
  ({ table, call } = await openApi());
});
beforeEach(async () => {
  ({ workspaceId } = (await openWorkspace(table, { now: Date.now() })).context);
  ({ id: accountId } = await storeAccount(table, workspaceId, { platform: 'threads' }));
  owner = await signInMember(table, workspaceId);
});

/** The functions by path, as API Gateway has them. */
const functions: Readonly<Record<string, string>> = {
  '/mcp': 'mcp',
  '/oauth/token': 'grants-tokens',
  '/.well-known/oauth-protected-resource': 'grants-metadata',
  '/.well-known/oauth-protected-resource/mcp': 'grants-metadata',
  '/.well-known/oauth-protected-resource/api/mcp': 'grants-metadata',
  '/.well-known/oauth-authorization-server': 'grants-metadata',
};

/** The requests of the client so far. */
let asked: string[];

/** A network that has this service alone. */
const network: typeof fetch = async (input, init = {}) => {
  const url = new URL(String(input));
  const method = init.method ?? 'GET';
  asked.push(`${method} ${url.pathname}`);
  const isPrefixed = url.pathname.startsWith('/api/');
  const path = isPrefixed ? url.pathname.slice('/api'.length) : url.pathname;
  const name = functions[path];
  if (url.origin !== publicBaseUrl || name === undefined || (name === 'mcp' && method !== 'POST'))
    return new Response('{}', { status: method === 'GET' && name ? 405 : 404 });
  const answer = await call(name, {
    route: `${method} ${url.pathname}`,
    headers: Object.fromEntries(new Headers(init.headers as never)),
    query: url.search.slice(1),
    ...(init.body !== undefined && { rawBody: String(init.body) }),
  });
  return new Response(answer.text === '' ? null : answer.text, {
    status: answer.status,
    headers: { ...answer.headers },
  });
};

/** The owner goes to the login and gives access, within these limits. */
const consent =
  (limits: object = {}) =>
  async (login: URL): Promise<URL> => {
    const { headers } = await call('grants-authorize', { query: login.search.slice(1) });
    const page = new URL(headers['location'] ?? '');
    const request = Object.fromEntries(page.searchParams);
    const shown = await call(
      'getAuthorization',
      fromPanel(owner, undefined, { query: page.search.slice(1) }),
    );
    const { permissions } = shown.body as { permissions: Permission[] };
    const body = { request, permissions, expiresAt: toTimestamp(Date.now() + dayMs), ...limits };
    const given = await call('authorizeClient', fromPanel(owner, workspaceId, { body }));
    return new URL(String(given.body['redirectTo']));
  };

const signIn = (sdk: (typeof sdks)[number], path = '/mcp', limits: object = {}): Promise<SignedInAgent> => {
  asked = [];
  return signInWith(sdk, {
    url: `${publicBaseUrl}${path}`,
    clientId,
    hasDocument: true,
    redirectUrl: redirectUri,
    fetch: network,
    visit: consent(limits),
  });
};

describe.each(sdks)('$name', (sdk) => {
  it.each(['/mcp', '/api/mcp'])('goes from 401 at %s over the login to a call of a tool', async (path) => {
    const agent = await signIn(sdk, path);
    expect(asked.slice(0, 3)).toEqual([
      `POST ${path}`,
      `GET /.well-known/oauth-protected-resource${path}`,
      'GET /.well-known/oauth-authorization-server',
    ]);
    const [login] = agent.visited;
    expect(Object.fromEntries(login?.searchParams ?? [])).toMatchObject({
      client_id: clientId,
      code_challenge_method: 'S256',
      resource: `${publicBaseUrl}${path}`,
      scope: 'read draft',
    });
    expect(await agent.call('list_accounts')).toMatchObject({
      structuredContent: { accounts: [{ id: accountId }] },
    });
    await agent.close();
  });

  it('gets new tokens by itself when they have expired', async () => {
    const agent = await signIn(sdk);
    const before = agent.kept.tokens as KeptTokens;
    agent.kept.tokens = { ...before, access_token: `${before.access_token.slice(0, -1)}_` };
    await agent.call('list_accounts');
    expect(agent.kept.tokens?.refresh_token).not.toBe(before.refresh_token);
    expect(agent.visited).toHaveLength(1);
    await agent.close();
  });

  it('begins the login again after an owner has ended its access', async () => {
    const agent = await signIn(sdk);
    const keys = (await call('listKeys', fromPanel(owner, workspaceId))).body['keys'] as {
      id: string;
      grant: object | null;
    }[];
    for (const { id } of keys.filter(({ grant }) => grant !== null))
      await call('revokeKey', fromPanel(owner, workspaceId, { path: { id } }));
    // The function that has seen the token accepts it for 30 seconds more.
    agent.kept.tokens = { ...(agent.kept.tokens as KeptTokens), access_token: 'yat_' };
    await expect(agent.call('list_accounts')).rejects.toThrow();
    expect(agent.visited).toHaveLength(2);
    await agent.close();
  });

  it('has only the tools that it was given, for the accounts that it was given', async () => {
    const other = await storeAccount(table, workspaceId, { platform: 'threads' });
    const agent = await signIn(sdk, '/mcp', { permissions: ['read'], accountIds: [other.id] });
    const names = (await agent.tools()).map(({ name }) => name);
    expect(names).toContain('list_accounts');
    expect(names).not.toContain('create_post');
    expect(await agent.call('list_accounts')).toMatchObject({
      structuredContent: { accounts: [{ id: other.id }] },
    });
    await agent.close();
  });
});

it('a client does not redeem an answer that names another issuer', async () => {
  const [, modern] = sdks;
  if (!modern) throw new Error('there is no modern client');
  asked = [];
  const mixedUp = signInWith(modern, {
    url: `${publicBaseUrl}/mcp`,
    clientId,
    hasDocument: true,
    redirectUrl: redirectUri,
    fetch: network,
    visit: async (login) => {
      const answer = await consent()(login);
      answer.searchParams.set('iss', 'https://evil.example');
      return answer;
    },
  });
  await expect(mixedUp).rejects.toThrow(/iss/i);
  expect(asked).not.toContain('POST /oauth/token');
});

describe('the server for agents', () => {
  const list = (authorization?: string, route = 'POST /mcp'): Promise<Answer> =>
    call('mcp', {
      route,
      headers: {
        accept: 'application/json, text/event-stream',
        'content-type': 'application/json',
        ...(authorization !== undefined && { authorization }),
      },
      body: { jsonrpc: '2.0', id: 1, method: 'tools/list' },
    });
  const giver = aPerson();
  let memberId: string;
  beforeEach(async () => {
    ({ id: memberId } = (
      await storeMember(table, workspaceId, { personId: giver.id, role: 'owner' })
    ).member);
  });
  const give = async (now = Date.now()) =>
    tokensIn(await redeem(table, await giveAccess(table, workspaceId, { now }), { now }));

  it.each([
    ['POST /mcp', '/mcp'],
    ['POST /api/mcp', '/api/mcp'],
  ])('names the metadata of the address that was asked: %s', async (route, path) => {
    const { status, headers } = await list(undefined, route);
    expect(status).toBe(401);
    expect(headers['www-authenticate']).toBe(
      `Bearer realm="mcp", resource_metadata="${publicBaseUrl}/.well-known/oauth-protected-resource${path}"`,
    );
  });

  it.each<[string, (tokens: KeptTokens) => string]>([
    ['a refresh token', ({ refresh_token = '' }) => refresh_token],
    ['a token of another stage', () => `yat_${'x'.repeat(92)}`],
    ['half a token', ({ access_token }) => access_token.slice(0, 60)],
  ])('refuses %s', async (_what, credential) => {
    const { status, headers } = await list(`Bearer ${credential(await give())}`);
    expect(status).toBe(401);
    expect(headers['www-authenticate']).toContain('error="invalid_token", resource_metadata="');
  });

  it('refuses an access token after its hour, and a client then refreshes it', async () => {
    const { access_token } = await give(Date.now() - hourMs);
    const { status, headers } = await list(`Bearer ${access_token}`);
    expect(status).toBe(401);
    expect(headers['www-authenticate']).toContain('error="invalid_token", resource_metadata="');
  });

  it('takes an access token, and none of somebody who has left the workspace', async () => {
    const { access_token } = await give();
    expect((await list(`Bearer ${access_token}`)).status).toBe(200);
    const another = await give();
    await removeMember(
      { ...anOperator(table, Date.now(), 'member.remove'), actor: giver, workspaceId },
      memberId,
    );
    expect((await list(`Bearer ${another.access_token}`)).status).toBe(401);
  });

  it('counts the use of a grant', async () => {
    const { access_token } = await give();
    await list(`Bearer ${access_token}`);
    const { keys } = (await call('listKeys', fromPanel(owner, workspaceId))).body as {
      keys: { grant: object | null; lastUsedOn: string | null }[];
    };
    expect(keys.find(({ grant }) => grant !== null)?.lastUsedOn).toMatch(/^20/);
  });
});
