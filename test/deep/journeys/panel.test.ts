import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { addDemoPeople } from '../../../bin/dev/demo-people.ts';
import { openTableAsAdministrator } from '../../../bin/dev/demo-workspaces.ts';
import { IssuedKeyView } from '../../../lib/people/views.ts';
import { advance } from '../../journeys/support/clock.ts';
import { beginAndFinish, clientIn, PanelBrowser, signIn } from '../../journeys/support/panel-client.ts';
import type { CloudVisit } from '../../support/local-cloud.ts';
import { visitSharedCloud } from '../../support/shared-cloud.ts';

let cloud: CloudVisit;
let workspaceId: string;
let foreignId: string;
visitSharedCloud(async (visit) => {
  cloud = visit;
  [workspaceId, foreignId] = [visit.demo.id, visit.other.id];
  await addDemoPeople(
    openTableAsAdministrator(visit),
    visit.clock.now(),
    workspaceId,
    visit.issuer?.url ?? '',
  );
});

const sessionCookie = '__Host-session';
const Problem = z.object({ code: z.string() });
const newKey = { name: 'from the panel' };

describe('a person who is signed in to the panel', () => {
  it('issues a key that the API takes and the panel does not', async () => {
    const owner = await signIn(cloud, 'Owner', { workspaceId, again: true });

    const answer = await owner.expectStatus(201, 'POST', '/panel/keys', newKey);
    const { apiKey } = IssuedKeyView.parse(answer.json());

    expect(answer.headers.get('cache-control')).toBe('no-store');
    const headers = { authorization: `Bearer ${apiKey}` };
    expect((await fetch(`${cloud.apiUrl}/v1/accounts`, { headers })).status).toBe(200);
    expect((await fetch(`${cloud.panelUrl}/api/v1/accounts`, { headers })).status).toBe(403);
    const { text } = await owner.expectStatus(200, 'GET', '/panel/keys');
    expect(text).not.toContain(apiKey);
  });

  it('sees no other workspace', async () => {
    const owner = await signIn(cloud, 'Owner');

    for (const path of ['/v1/workspace', '/v1/posts', '/panel/keys', '/panel/members']) {
      const { status } = await owner.in(foreignId).request('GET', path);
      expect(status, path).toBe(404);
    }
  });

  it('does only what the role allows', async () => {
    const member = await signIn(cloud, 'Member', { workspaceId, again: true });

    await member.expectStatus(200, 'GET', '/v1/accounts');
    for (const [method, path, body] of [
      ['POST', '/panel/keys', newKey],
      ['POST', '/panel/members', { email: 'friend@example.com', role: 'owner' }],
      ['GET', '/v1/audit', undefined],
    ] as const) {
      const answer = await member.request(method, path, body);
      expect([path, answer.status, Problem.parse(answer.json()).code]).toEqual([
        path,
        403,
        'permission_missing',
      ]);
    }
  });

  it('has to sign in again before issuing a key, ten minutes later', async () => {
    const owner = await signIn(cloud, 'Owner', { workspaceId, again: true });
    await advance(cloud, 601);

    const answer = await owner.request('POST', '/panel/keys', newKey);
    expect([answer.status, Problem.parse(answer.json()).code]).toEqual([403, 'sign_in_again']);
    await owner.expectStatus(200, 'GET', '/panel/keys');

    const again = await signIn(cloud, 'Owner', { workspaceId, again: true, browser: owner.browser });
    await again.expectStatus(201, 'POST', '/panel/keys', newKey);
  });

  it('is signed out everywhere as soon as the session has ended', async () => {
    const owner = await signIn(cloud, 'Owner', { workspaceId });
    const stolen = owner.browser.cookies.get(sessionCookie) ?? '';
    await owner.expectStatus(200, 'POST', '/panel/sign-out');

    const thief = new PanelBrowser();
    thief.cookies.set(sessionCookie, stolen);
    expect((await clientIn(cloud, thief, workspaceId).request('GET', '/v1/accounts')).status).toBe(401);
  });
});

describe('a session is checked at the identity provider every ten minutes', () => {
  const control = (path: string, method: string, body?: object) =>
    fetch(`${cloud.issuer?.control}/${path}`, { method, ...(body && { body: JSON.stringify(body) }) });

  it('and ends once the person was removed there; others go on', async () => {
    const owner = await signIn(cloud, 'Owner', { workspaceId });
    const member = await signIn(cloud, 'Member', { workspaceId });
    // The first check replaces the refresh tokens.
    await advance(cloud, 601);
    for (const person of [owner, member]) await person.expectStatus(200, 'GET', '/v1/accounts');
    await control('remove-person', 'POST', { email: 'member@herald.example' });
    try {
      await advance(cloud, 601);
      const { status, text } = await member.request('GET', '/v1/accounts');
      expect([status, text]).toEqual([401, expect.stringContaining('session_ended')]);
      await owner.expectStatus(200, 'GET', '/v1/accounts');
    } finally {
      await control('restore-person', 'POST', { email: 'member@herald.example' });
    }
  });

  it('and outlives an outage of the identity provider', async () => {
    const owner = await signIn(cloud, 'Owner', { workspaceId });
    await control('settings', 'PUT', { token: 'unavailable' });
    try {
      for (const seconds of [601, 1_200, 3_600]) {
        await advance(cloud, seconds);
        await owner.expectStatus(200, 'GET', '/v1/accounts');
      }
    } finally {
      await control('settings', 'DELETE');
    }
    await advance(cloud, 61);
    await owner.expectStatus(200, 'GET', '/v1/accounts');
  });
});

describe('the cookie of a session is refused', () => {
  it.each([
    ['a page of another site', { 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' }],
    ['another host of the same site', { 'sec-fetch-site': 'same-site', origin: 'http://127.0.0.1:1' }],
    ['a program that says nothing', { 'sec-fetch-site': undefined, origin: undefined }],
    ['a forged origin', { origin: 'https://evil.example' }],
  ])('from %s', async (_title, headers) => {
    const owner = await signIn(cloud, 'Owner', { workspaceId });

    const answer = await owner.request('POST', '/v1/posts', { content: 'x', isDraft: true }, headers);

    expect([answer.status, Problem.parse(answer.json()).code]).toEqual([403, 'cross_site']);
  });

  it('at the API’s own host, whatever headers claim', async () => {
    const owner = await signIn(cloud, 'Owner', { workspaceId });

    const { status } = await owner.browser.send(`${cloud.apiUrl}/v1/accounts`, {
      headers: {
        'sec-fetch-site': 'same-origin',
        'x-workspace': workspaceId,
        'x-origin-secret': '',
        'x-viewer-host': new URL(cloud.panelUrl).host,
        'x-viewer-address': '203.0.113.1',
      },
    });

    expect(status).toBe(401);
  });
});

describe('a sign-in', () => {
  it('cannot be replayed, and cannot be finished in another browser', async () => {
    const browser = new PanelBrowser();
    const callbacks: string[] = [];
    const send = browser.send.bind(browser);
    browser.send = (url, sent) => {
      if (url.includes('/sign-in/callback')) callbacks.push(url);
      return send(url, sent);
    };
    const victim = new PanelBrowser();
    await beginAndFinish(cloud, 'Owner', browser, true);
    const [callback = ''] = callbacks;

    for (const [title, other] of [
      ['the same browser', browser],
      ['another browser', victim],
    ] as const) {
      const before = other.cookies.get(sessionCookie);
      const replayed = await other.send(callback);
      expect(new URL(replayed.headers.get('location') ?? '', callback).pathname, title).toBe('/signed-out');
      expect(other.cookies.get(sessionCookie), title).toBe(before);
    }
  });

  it('adopts no cookie that the browser had before', async () => {
    const attacker = await signIn(cloud, 'Member', { workspaceId });
    const fixed = attacker.browser.cookies.get(sessionCookie) ?? '';
    const victim = new PanelBrowser();
    victim.cookies.set(sessionCookie, fixed);

    await signIn(cloud, 'Owner', { browser: victim, again: true });

    expect(victim.cookies.get(sessionCookie)).not.toBe(fixed);
    expect((await attacker.request('GET', '/panel/me')).status).toBe(401);
  });
});
