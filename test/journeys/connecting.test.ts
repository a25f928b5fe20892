import { beforeAll, describe, expect, it } from 'vitest';
import * as z from 'zod';
import { demoUsername } from '../../bin/dev/platforms.ts';
import { consent, offeredAccounts, redirectOf, signIn, Visitor } from '../../bin/dev/visitor.ts';
import { AttemptView, BegunConnection } from '../../lib/connections/schemas.ts';
import type { CloudVisit, TestWorkspace } from '../support/local-cloud.ts';
import { visitSharedCloud } from '../support/shared-cloud.ts';
import { clientOf } from './support/client.ts';
import { advance } from './support/clock.ts';
import { platformOf } from './support/platforms.ts';

const redirectUrl = 'https://app.example.com/done';
const AttemptReply = z.object({ attempt: AttemptView });

let cloud: CloudVisit;
let me: TestWorkspace;
let attacker: TestWorkspace;
visitSharedCloud((visit) => {
  cloud = visit;
  me = visit.demo;
  attacker = visit.other;
});

const person = demoUsername('demo');
const request = (workspace: TestWorkspace, ...asked: Parameters<ReturnType<typeof clientOf>['request']>) =>
  clientOf(cloud, workspace).request(...asked);

async function begin(workspace: TestWorkspace, platform = 'threads', body: object = { redirectUrl }) {
  const answer = await request(workspace, 'POST', `/v1/connect/${platform}`, body);
  return BegunConnection.parse(answer.json());
}
const readAttempt = (workspace: TestWorkspace, state: string) =>
  request(workspace, 'GET', `/v1/connect/attempts/${state}`);
const attemptOf = async (workspace: TestWorkspace, state: string) =>
  AttemptReply.parse((await readAttempt(workspace, state)).json()).attempt;
const connectedAt = async (workspace: TestWorkspace, platform: string) => {
  const answer = await request(workspace, 'GET', `/v1/accounts?platform=${platform}`);
  return (answer.json() as { accounts: unknown[] }).accounts;
};

/** The exchanges of codes that a simulator has seen. */
async function exchanges(platform: string): Promise<number> {
  const asked = await platformOf(cloud, platform).requests();
  return asked.filter(({ path, method }) => method === 'POST' && /token/.test(path)).length;
}

const otherBrowser = { status: 400, location: undefined, html: expect.stringContaining('another browser') };

describe('a victim who opens an attacker’s link', () => {
  it('sees the attacker’s workspace before the platform and before confirming, and until then nothing is connected', async () => {
    const before = await connectedAt(attacker, 'threads');
    const { authUrl, state } = await begin(attacker);
    expect(new URL(authUrl).origin).toBe(cloud.apiUrl);
    const victim = new Visitor();
    const introduction = await victim.visit(authUrl);
    expect(introduction.html).toContain(`<bdi>${attacker.name}</bdi></b> asks to publish as you on Threads`);
    const callback = await consent(victim, redirectOf(await victim.submit(introduction)), person);
    const choice = await victim.visit(redirectOf(await victim.visit(callback)));
    expect(choice.html).toContain(`<bdi>${attacker.name}</bdi></b> will be able to publish as you`);
    expect(choice.html).toContain(person);
    expect(await connectedAt(attacker, 'threads')).toEqual(before);
    expect(await attemptOf(attacker, state)).toMatchObject({ status: 'choosing', accounts: [] });
    const declined = await victim.submit(choice, { answer: 'cancel' });
    expect(declined.location).toBe(`${redirectUrl}?error=access_denied`);
    expect(await connectedAt(attacker, 'threads')).toEqual(before);
    expect(await attemptOf(attacker, state)).toMatchObject({ status: 'refused', error: 'access_denied' });
  });

  it('connects nothing if the link is the platform’s own page, which the attacker’s browser was sent to', async () => {
    const { authUrl, state } = await begin(attacker);
    const attackersBrowser = new Visitor();
    const platformUrl = redirectOf(await attackersBrowser.submit(await attackersBrowser.visit(authUrl)));
    const victim = new Visitor();
    const callback = await consent(victim, platformUrl, person);
    const before = await exchanges('threads');
    expect(await victim.visit(callback)).toMatchObject(otherBrowser);
    expect(await exchanges('threads')).toBe(before);
    expect(await attemptOf(attacker, state)).toMatchObject({ status: 'pending', accounts: [] });
  });

  it('connects nothing if the attacker sends the victim’s answer to the attacker’s own attempt', async () => {
    const { authUrl } = await begin(me);
    const victim = new Visitor();
    const callback = new URL(
      await consent(victim, redirectOf(await victim.submit(await victim.visit(authUrl))), person),
    );
    const mine = await begin(attacker);
    const attackersBrowser = new Visitor();
    await attackersBrowser.submit(await attackersBrowser.visit(mine.authUrl));
    callback.searchParams.set('state', mine.state);
    expect(await victim.visit(callback.href)).toMatchObject(otherBrowser);
  });
});

describe('a forged request', () => {
  let choice: Awaited<ReturnType<typeof signIn>>;
  let browser: Visitor;
  let state: string;
  beforeAll(async () => {
    browser = new Visitor();
    const begun = await begin(me);
    state = begun.state;
    choice = await signIn(browser, begun.authUrl, person);
  });

  it('without the cookie, or with a made-up one, cannot see or confirm the choice', async () => {
    const account = offeredAccounts(choice);
    expect(await new Visitor().visit(choice.url)).toMatchObject(otherBrowser);
    expect(await new Visitor().submit(choice, { account })).toMatchObject(otherBrowser);
    const cookie = `__Host-connect=${'x'.repeat(43)}`;
    expect(await new Visitor().visit(choice.url, { cookie })).toMatchObject(otherBrowser);
    expect(await attemptOf(me, state)).toMatchObject({ status: 'choosing' });
  });

  it('from another site cannot confirm, even with the cookie', async () => {
    for (const headers of [
      { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' },
      { 'sec-fetch-site': 'same-site' },
      { origin: 'null' },
    ]) {
      const refused = await browser.submit(choice, {}, headers as Record<string, string>);
      expect(refused).toMatchObject({ status: 400, html: expect.stringContaining('own page') });
    }
    expect(await attemptOf(me, state)).toMatchObject({ status: 'choosing' });
  });

  it('from another site cannot continue to the platform either', async () => {
    const { authUrl } = await begin(attacker);
    const victim = new Visitor();
    const introduction = await victim.visit(authUrl);
    const refused = await victim.submit(introduction, {}, { 'sec-fetch-site': 'cross-site' });
    expect(refused).toMatchObject({ status: 400, location: undefined });
    expect(victim.cookies(cloud.apiUrl).size).toBe(0);
  });

  it('cannot use the state of one platform at another', async () => {
    const account = offeredAccounts(choice);
    const elsewhere = { ...choice, url: choice.url.replace('/threads/', '/instagram/') };
    expect(await browser.submit(elsewhere, { account })).toMatchObject({
      status: 400,
      html: expect.stringContaining('another platform'),
    });
  });

  it('puts no text of its own on a page, and none into a redirect', async () => {
    const markup = '<script>alert(1)</script> Call +1 555 0100';
    for (const body of [{}, { redirectUrl }]) {
      const { authUrl, state: own } = await begin(me, 'threads', body);
      const visitor = new Visitor();
      await visitor.submit(await visitor.visit(authUrl));
      const query = new URLSearchParams({ state: own, error: 'invalid_scope', error_description: markup });
      const shown = await visitor.visit(`${cloud.apiUrl}/oauth/threads/callback?${query}`);
      expect(`${shown.html} ${shown.location}`).not.toMatch(/<script|555|invalid_scope/);
      expect(await attemptOf(me, own)).toMatchObject({ status: 'refused', error: 'platform_refused' });
    }
  });

  it('with a used state leads to a page, never to the redirectUrl', async () => {
    const returned = await browser.submit(choice, { account: offeredAccounts(choice) });
    const [account] = await connectedAt(me, 'threads');
    expect(returned.location).toBe(`${redirectUrl}?connected=${(account as { id: string }).id}`);
    for (const visitor of [browser, new Visitor()]) {
      for (const url of [
        `${cloud.apiUrl}/oauth/threads/begin?state=${state}`,
        `${cloud.apiUrl}/oauth/threads/callback?state=${state}&code=1`,
        `${cloud.apiUrl}/oauth/threads/callback?state=${state}&error=access_denied`,
        `${cloud.apiUrl}/oauth/threads/choose?state=${state}`,
      ]) {
        const shown = await visitor.visit(url);
        expect(shown.location).toBeUndefined();
        expect(shown.html).not.toContain('app.example.com');
      }
    }
    expect(await attemptOf(me, state)).toMatchObject({ status: 'connected', accounts: [account] });
  });
});

describe('another workspace', () => {
  it('finds an attempt no more than one that does not exist', async () => {
    const { state } = await begin(me);
    const foreign = await readAttempt(attacker, state);
    const unknown = await readAttempt(attacker, 'x'.repeat(43));
    expect([foreign.status, foreign.text]).toEqual([404, unknown.text]);
    expect((await readAttempt(me, state)).status).toBe(200);
  });

  it('cannot claim, and the owner can do so once, within ten minutes', async () => {
    const body = { redirectUrl, claim: true, externalId: 'customer-17' };
    const { authUrl, state } = await begin(me, 'tiktok', body);
    const browser = new Visitor();
    const choice = await signIn(browser, authUrl, person);
    const returned = redirectOf(await browser.submit(choice));
    const { searchParams } = new URL(returned);
    const code = searchParams.get('code') ?? '';
    expect(Object.fromEntries(searchParams)).toEqual({ code, state });
    expect(await attemptOf(me, state)).toMatchObject({ status: 'choosing', accounts: [] });

    const claim = (by: TestWorkspace, given: string) =>
      request(by, 'POST', `/v1/connect/attempts/${state}/claim`, { code: given });
    expect((await claim(attacker, code)).status).toBe(404);
    const wrong = await claim(me, `${code}x`);
    expect([wrong.status, wrong.json()]).toMatchObject([400, { details: { fields: { code: [/code/] } } }]);
    const first = await claim(me, code);
    expect([first.status, first.json()]).toMatchObject([
      200,
      { attempt: { status: 'connected', externalId: 'customer-17', accounts: [{ platform: 'tiktok' }] } },
    ]);
    const second = await claim(me, code);
    expect([second.status, second.text]).toEqual([200, first.text]);
  });

  it('and nobody else, can claim after ten minutes', async () => {
    const { authUrl, state } = await begin(me, 'tiktok', { redirectUrl, claim: true });
    const browser = new Visitor();
    const returned = redirectOf(await browser.submit(await signIn(browser, authUrl, person)));
    const code = new URL(returned).searchParams.get('code');
    await advance(cloud, 601);
    const answer = await request(me, 'POST', `/v1/connect/attempts/${state}/claim`, { code });
    expect(answer.status).toBe(409);
    await advance(cloud, 30);
    expect(await attemptOf(me, state)).toMatchObject({ status: 'expired', accounts: [] });
  });
});

describe('a person who logs in again and allows fewer Pages', () => {
  it('learns on the page which ones are lost, and their accounts are expired at once', async () => {
    const login = 'two.pages';
    await platformOf(cloud, 'facebook').addUser(login, { pages: [{ name: 'Bakery' }, { name: 'Cinema' }] });
    const statuses = async () => {
      const accounts = (await connectedAt(me, 'facebook')) as { displayName: string; status: string }[];
      return Object.fromEntries(accounts.map(({ displayName, status }) => [displayName, status]));
    };
    const first = await signIn(new Visitor(), (await begin(me, 'facebook', {})).authUrl, login);
    const pages = offeredAccounts(first);
    expect(pages).toHaveLength(2);
    const browser = new Visitor();
    const both = await signIn(browser, (await begin(me, 'facebook', {})).authUrl, login);
    expect((await browser.submit(both, { account: pages })).status).toBe(200);
    expect(await statuses()).toMatchObject({ Bakery: 'ok', Cinema: 'ok' });

    const again = new Visitor();
    const { authUrl } = await begin(me, 'facebook', {});
    const dialog = new URL(redirectOf(await again.submit(await again.visit(authUrl))));
    dialog.searchParams.set('page', pages[0] ?? '');
    const callback = await consent(again, dialog.href, login);
    const choice = await again.visit(redirectOf(await again.visit(callback)));
    expect(offeredAccounts(choice)).toEqual([pages[0]]);
    const [kept, lost] = choice.html.includes('<bdi>Cinema</bdi>')
      ? ['Bakery', 'Cinema']
      : ['Cinema', 'Bakery'];
    expect(choice.html).toMatch(new RegExp(`does not include accounts.*<li><bdi>${lost}</bdi></li>`, 's'));
    expect(await statuses()).toMatchObject({ [kept]: 'ok', [lost]: 'expired' });
    const connected = await again.submit(choice, { account: offeredAccounts(choice) });
    expect(connected.html).toMatch(new RegExp(`${kept}.*does not include accounts.*${lost}`, 's'));
  });
});

describe('an attempt that nobody finishes', () => {
  it('expires after ten minutes, at each of its pages', async () => {
    const { authUrl, state } = await begin(me);
    const browser = new Visitor();
    const introduction = await browser.visit(authUrl);
    const callback = await consent(browser, redirectOf(await browser.submit(introduction)), person);
    await advance(cloud, 601);
    const expired = { status: 400, location: undefined, html: expect.stringContaining('ten minutes') };
    expect(await browser.visit(authUrl)).toMatchObject(expired);
    expect(await browser.submit(introduction)).toMatchObject(expired);
    expect(await browser.visit(callback)).toMatchObject(expired);
    await advance(cloud, 30);
    expect(await attemptOf(me, state)).toMatchObject({ status: 'expired', accounts: [] });
  });
});
