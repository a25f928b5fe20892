import type { Page } from 'playwright-core';
import { describe, expect } from 'vitest';
import {
  authorizeClientOperation,
  readAuthorizationOperation,
} from '../../../lib/people/grants/operations.ts';
import type { AuthorizationView } from '../../../lib/people/grants/views.ts';
import { accountOf, FakeDevelopers, keyOf } from '../support/developers-data.ts';
import { refusal } from '../support/fake-api.ts';
import { answer } from '../support/operation-answers.ts';
import { panelTest } from '../support/panel.ts';
import { walk } from '../support/walk.ts';

const clientId = 'https://agent.example/client.json';
const query = new URLSearchParams({
  client_id: clientId,
  redirect_uri: 'https://agent.example/callback',
  response_type: 'code',
  state: '12345678901234567890',
}).toString();
const path = `/developers/authorize?${query}`;

const asked = (changes: Partial<AuthorizationView> = {}): AuthorizationView => ({
  client: { id: clientId, name: 'Agent', host: 'agent.example' },
  redirectHost: 'agent.example',
  isLoopback: false,
  permissions: ['read', 'draft'],
  problem: null,
  declineUrl: 'https://agent.example/callback?error=access_denied',
  ...changes,
});

/** Lets pages leave the panel for the client, and notes where to. */
async function noteLeaving(page: Page): Promise<string[]> {
  const left: string[] = [];
  await page.route(/^https:\/\/agent\.example\//, (route) => {
    left.push(route.request().url());
    return route.fulfill({ contentType: 'text/html', body: '<title>Agent</title>' });
  });
  return left;
}

describe('access for a client program', () => {
  walk('/developers/{-$tab}', 'is given by an owner with the least that is useful', async (panel) => {
    const { page, api, open, inspect } = panel;
    new FakeDevelopers(api).accounts = [accountOf(1)];
    answer(api, readAuthorizationOperation, () => asked());
    answer(api, authorizeClientOperation, () => ({
      redirectTo: 'https://agent.example/callback?code=yac_1',
      warnings: [],
    }));
    const left = await noteLeaving(page);
    await open(path);
    await page.getByText('agent.example asks for access').waitFor();
    await page.getByText(clientId).waitFor();
    expect(await page.getByRole('checkbox', { name: /^Draft/ }).isChecked()).toBe(true);
    expect(await page.getByRole('checkbox', { name: /^Publish/ }).isChecked()).toBe(false);
    await inspect();
    await page.getByRole('button', { name: 'Give access' }).click();
    await expect.poll(() => left).toEqual(['https://agent.example/callback?code=yac_1']);
    expect(api.to('GET /panel/authorization')[0]?.query.get('state')).toBe('12345678901234567890');
    expect(api.to('POST /panel/authorization')).toMatchObject([
      {
        body: {
          request: { client_id: clientId, state: '12345678901234567890' },
          permissions: ['read', 'draft'],
        },
      },
    ]);
  });

  panelTest.for(['12', 'true', '0'])(
    'is asked for with the state %s, which stays as it is',
    async (state, { panel: { api, open } }) => {
      new FakeDevelopers(api);
      answer(api, readAuthorizationOperation, () => asked());
      await open(`/developers/authorize?${query.replace(/state=\d+/, `state=${state}`)}`);
      await expect
        .poll(() => api.to('GET /panel/authorization').map(({ query: sent }) => sent.get('state')))
        .toEqual([state]);
    },
  );

  panelTest('is declined, and the client is told', async ({ panel: { page, api, open } }) => {
    new FakeDevelopers(api);
    answer(api, readAuthorizationOperation, () => asked());
    const left = await noteLeaving(page);
    await open(path);
    await page.getByRole('button', { name: 'Decline' }).click();
    await expect.poll(() => left).toEqual(['https://agent.example/callback?error=access_denied']);
    expect(api.to('POST /panel/authorization')).toEqual([]);
  });

  panelTest('is asked for by a program on this computer with a warning', async ({ panel }) => {
    const { page, api, open } = panel;
    new FakeDevelopers(api);
    answer(api, readAuthorizationOperation, () =>
      asked({ isLoopback: true, redirectHost: 'localhost:3000' }),
    );
    await open(path);
    await page.getByText('Did you start this?').waitFor();
  });

  panelTest('is not asked for in a wrong way, and nobody is sent back by itself', async ({ panel }) => {
    const { page, api, open } = panel;
    new FakeDevelopers(api);
    answer(api, readAuthorizationOperation, () =>
      asked({ permissions: [], problem: 'code_challenge_method must be S256' }),
    );
    const left = await noteLeaving(page);
    await open(path);
    await page.getByText('code_challenge_method must be S256').waitFor();
    expect(await page.getByRole('button', { name: 'Give access' }).count()).toBe(0);
    expect(left).toEqual([]);
    await page.getByRole('button', { name: 'Go back to agent.example' }).click();
    await expect.poll(() => left).toHaveLength(1);
  });

  panelTest('is not asked for by somebody whom nobody can trust', async ({ panel: { page, api, open } }) => {
    new FakeDevelopers(api);
    answer(api, readAuthorizationOperation, () =>
      refusal(400, 'invalid', 'redirect_uri: is none of those in the client’s metadata document'),
    );
    const left = await noteLeaving(page);
    await open(path);
    await page.getByText(/is none of those/).waitFor();
    expect(left).toEqual([]);
  });

  panelTest('is listed among the keys, and only revoked', async ({ panel: { page, api, open } }) => {
    const grant = { clientId, clientHost: 'agent.example', end: null };
    new FakeDevelopers(api).keys = [keyOf(1, { name: 'Agent', lastFour: null, grant })];
    await open('/developers');
    await page.getByText('Access of agent.example').waitFor();
    await page.getByRole('button', { name: 'Actions for Agent' }).click();
    await page.getByRole('menuitem', { name: /Revoke/ }).waitFor();
    expect(await page.getByRole('menuitem').count()).toBe(1);
  });
});
