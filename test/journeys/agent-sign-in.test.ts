import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { dayMs, toTimestamp } from '../../lib/kernel/clock.ts';
import { sdks, signInWith } from '../contract/clients/agent-sign-in.ts';
import { visitSharedCloud } from '../support/shared-cloud.ts';
import { openPanelVisit, type PanelVisit } from './support/owners-panel.ts';
import { leaksIn } from './support/secrets.ts';

let visit: PanelVisit;
visitSharedCloud(async (cloud) => {
  visit = await openPanelVisit(cloud);
});

/** The site of the client: its metadata document, and the page to which people return. */
const site = createServer((_request, response) => {
  const redirect_uris = [redirectUrl()];
  response.setHeader('content-type', 'application/json');
  response.end(JSON.stringify({ client_id: clientId(), client_name: 'Agent', redirect_uris }));
});
const origin = () => `http://127.0.0.1:${(site.address() as AddressInfo).port}`;
const clientId = () => `${origin()}/client.json`;
const redirectUrl = () => `${origin()}/callback`;
beforeAll(async () => {
  site.listen(0, '127.0.0.1');
  await once(site, 'listening');
});
afterAll(() => {
  site.closeAllConnections();
  site.close();
});

/** The code that the client got last. */
let code: string;

/** The owner's browser follows the login to the panel, where the owner gives access. */
async function consent(login: URL): Promise<URL> {
  const { owner, cloud } = visit;
  const response = await fetch(login, { redirect: 'manual' });
  const page = new URL(response.headers.get('location') ?? '');
  expect(`${page.origin}${page.pathname}`).toBe(`${cloud.panelUrl}/developers/authorize`);
  const shown = await owner.expectStatus(200, 'GET', `/panel/authorization${page.search}`);
  expect(shown.json()).toMatchObject({ client: { name: 'Agent' }, isLoopback: true, problem: null });
  const body = {
    request: Object.fromEntries(page.searchParams),
    permissions: ['read', 'draft'],
    expiresAt: toTimestamp(cloud.clock.now() + dayMs),
  };
  const given = await owner.expectStatus(201, 'POST', '/panel/authorization', body);
  const answer = new URL((given.json() as { redirectTo: string }).redirectTo);
  code = answer.searchParams.get('code') ?? '';
  return answer;
}

describe.each(sdks)('$name', (sdk) => {
  it('signs in over the panel, calls a tool, and is ended by the owner', async () => {
    const { owner, cloud } = visit;
    const agent = await signInWith(sdk, {
      url: `${cloud.apiUrl}/mcp`,
      clientId: clientId(),
      // The libraries use a document with https only.
      hasDocument: false,
      redirectUrl: redirectUrl(),
      visit: consent,
    });
    const { structuredContent } = await agent.call('list_accounts');
    expect(structuredContent).toMatchObject({ accounts: expect.any(Array) });
    const headers = { authorization: `Bearer ${agent.kept.tokens?.access_token}` };
    expect((await fetch(`${cloud.apiUrl}/v1/accounts`, { headers })).status).toBe(401);
    const listed = (await owner.expectStatus(200, 'GET', '/panel/keys')).json() as {
      keys: { id: string; status: string; grant: object | null }[];
    };
    const grants = listed.keys.filter(({ grant, status }) => grant !== null && status === 'active');
    expect(grants).toHaveLength(1);
    for (const { id } of grants) await owner.expectStatus(204, 'DELETE', `/panel/keys/${id}`);
    const refreshed = await fetch(`${cloud.apiUrl}/oauth/token`, {
      method: 'POST',
      body: new URLSearchParams({
        grant_type: 'refresh_token',
        client_id: clientId(),
        refresh_token: agent.kept.tokens?.refresh_token ?? '',
      }),
    });
    expect([refreshed.status, await refreshed.json()]).toMatchObject([400, { error: 'invalid_grant' }]);
    await agent.close();
    const { access_token: access = '', refresh_token: refresh = '' } = agent.kept.tokens ?? {};
    const logs = join(cloud.dataDirectory, 'logs');
    const lines = readdirSync(logs).map((file) => readFileSync(join(logs, file), 'utf8'));
    expect(lines.join('')).toContain('POST /oauth/token');
    const secrets = [
      { what: 'access token', value: access },
      { what: 'refresh token', value: refresh },
      { what: 'code', value: code },
      { what: 'state', value: 'the-state' },
    ];
    expect(secrets.filter(({ value }) => value === '')).toEqual([]);
    expect(leaksIn(lines, secrets)).toEqual([]);
  });
});
