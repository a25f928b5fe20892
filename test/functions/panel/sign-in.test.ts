import { beforeEach, describe, expect, it, vi } from 'vitest';
import { dayMs, minuteMs } from '../../../lib/kernel/clock.ts';
import { SignInFailure } from '../../../lib/people/issuer.ts';
import type { Table } from '../../../lib/table/table.ts';
import { type Answer, type Call, openApi, type RequestParts } from '../../support/api.ts';
import { openWorkspace } from '../../support/builders.ts';
import type { FakeIssuer } from '../../support/fake-issuer.ts';
import { edgeHeaders, fromPanel, panelOrigin, signInPerson } from '../../support/panel.ts';
import { storeInvited } from '../../support/people.ts';

let table: Table;
let call: Call;
let issuer: FakeIssuer;
beforeEach(async () => {
  ({ table, call, issuer } = await openApi({ ratePerMinute: 20 }));
});

/** A browser that keeps cookies, and says that a page of the panel or the issuer has sent it here, as browsers do. */
function openBrowser() {
  const cookies = new Map<string, string>();
  const visit = async (id: string, parts: RequestParts = {}): Promise<Answer> => {
    const answer = await call(id, {
      ...parts,
      cookies: [...cookies.values()],
      headers: {
        ...edgeHeaders(),
        'sec-fetch-site': 'cross-site',
        'user-agent': 'Firefox',
        ...parts.headers,
      },
    });
    for (const cookie of answer.cookies) {
      const [pair = ''] = cookie.split(';');
      const name = pair.slice(0, pair.indexOf('='));
      if (cookie.includes('Max-Age=0')) cookies.delete(name);
      else cookies.set(name, pair);
    }
    return answer;
  };
  return {
    cookies,
    begin: (query = '', site = 'same-origin') =>
      visit('beginSignIn', { query, headers: { 'sec-fetch-site': site } }),
    /** Comes back from the issuer with the right answer to the latest attempt of anybody, or with another one. */
    finish: (query = `code=the-code&state=${issuer.asked.at(-1)?.state}`) => visit('finishSignIn', { query }),
    me: () => call('getMe', fromPanel({ cookie: cookies.get('__Host-session') ?? '' })),
  };
}

const locationOf = ({ status, headers }: Answer) => [status, headers['location']];
const failed = (code: string) => [303, `${panelOrigin}/signed-out?error=${code}`];

describe('signing in', () => {
  it('leads to the issuer and back to the page where it began, with a session', async () => {
    const browser = openBrowser();
    const begun = await browser.begin(`returnTo=${encodeURIComponent('/developers?tab=keys')}`);
    expect(locationOf(begun)).toEqual([
      303,
      expect.stringContaining('https://issuer.example.com/authorize?'),
    ]);
    expect(issuer.asked.at(-1)).toMatchObject({
      redirectUri: `${panelOrigin}/api/panel/sign-in/callback`,
      isAgain: false,
    });
    const finished = await browser.finish();
    expect(locationOf(finished)).toEqual([303, `${panelOrigin}/developers?tab=keys`]);
    expect((await browser.me()).body).toMatchObject({
      person: { email: 'ada@example.com', name: 'Ada' },
      workspaces: [],
    });
  });

  it('sets cookies that only this host sets, and no script reads', async () => {
    const browser = openBrowser();
    const { cookies: begun } = await browser.begin();
    const { cookies: finished, headers } = await browser.finish();
    expect(begun).toEqual([
      expect.stringMatching(
        /^__Host-sign-in=[0-9A-Za-z]{43}; HttpOnly; Secure; SameSite=Lax; Path=\/; Max-Age=600$/,
      ),
    ]);
    expect(finished).toEqual([
      expect.stringMatching(
        /^__Host-session=[0-9a-f-]{36}\.[0-9A-Za-z]{43}; HttpOnly; Secure; SameSite=Strict; Path=\/; Max-Age=604800$/,
      ),
      '__Host-sign-in=; HttpOnly; Secure; SameSite=Lax; Path=/; Max-Age=0',
    ]);
    expect(headers).toMatchObject({ 'cache-control': 'no-store', 'referrer-policy': 'same-origin' });
  });

  it('makes nobody a member of a workspace that has invited the address, but leads to the invitation', async () => {
    const { workspace } = await openWorkspace(table, { name: 'Bakery' });
    await storeInvited(table, workspace.id, { email: 'ada@example.com', role: 'owner', at: Date.now() });
    const browser = openBrowser();
    await browser.begin('returnTo=/calendar');
    expect(locationOf(await browser.finish())).toEqual([303, `${panelOrigin}/invitations?next=%2Fcalendar`]);
    expect((await browser.me()).body['workspaces']).toEqual([]);
  });

  it('leads to no invitation from the window in which somebody signs in again', async () => {
    const { workspace } = await openWorkspace(table);
    await storeInvited(table, workspace.id, { email: 'ada@example.com', at: Date.now() });
    const browser = openBrowser();
    await browser.begin('returnTo=/signed-in&again=true');
    expect(locationOf(await browser.finish())).toEqual([303, `${panelOrigin}/signed-in`]);
  });

  it.each([
    ['has not verified the address', { isEmailVerified: false }, 0],
    ['has verified another address', { email: 'eve@example.com' }, 0],
    ['has verified the address, after 14 days', {}, 14 * dayMs],
  ])('leads to no invitation if the issuer %s', async (_what, identity, ageMs) => {
    const { workspace } = await openWorkspace(table);
    await storeInvited(table, workspace.id, { email: 'ada@example.com', at: Date.now() - ageMs });
    issuer.person = identity;
    const browser = openBrowser();
    await browser.begin();
    expect(locationOf(await browser.finish())).toEqual([303, `${panelOrigin}/`]);
  });

  it('asks the person to prove again who they are, if the panel says so', async () => {
    await openBrowser().begin('again=true&returnTo=/signed-in');
    expect(issuer.asked.at(-1)).toMatchObject({ isAgain: true });
  });

  it.each([
    '//evil.example.com',
    'https://evil.example.com/',
    '/\\evil.example.com',
    '/..//evil.example.com',
  ])('never leads to another host: %s', async (returnTo) => {
    const browser = openBrowser();
    await browser.begin(`returnTo=${encodeURIComponent(returnTo)}`);
    expect(locationOf(await browser.finish())).toEqual([303, `${panelOrigin}/`]);
  });
});

describe('an answer of the issuer', () => {
  it('is refused when it is replayed, in the same browser too', async () => {
    const browser = openBrowser();
    await browser.begin();
    const token = browser.cookies.get('__Host-sign-in') ?? '';
    expect((await browser.finish()).headers['location']).toBe(`${panelOrigin}/`);
    browser.cookies.set('__Host-sign-in', token);
    const replayed = await browser.finish();
    expect(locationOf(replayed)).toEqual(failed('sign_in_expired'));
    expect(replayed.cookies.join()).not.toContain('__Host-session');
  });

  it('is refused in another browser, which has begun nothing or a sign-in of its own', async () => {
    const [own, attacker] = [openBrowser(), openBrowser()];
    await attacker.begin();
    const ofAttacker = `code=the-code&state=${issuer.asked.at(-1)?.state}`;
    expect(locationOf(await own.finish(ofAttacker))).toEqual(failed('sign_in_expired'));
    await own.begin();
    expect(locationOf(await own.finish(ofAttacker))).toEqual(failed('sign_in_expired'));
    expect(own.cookies.has('__Host-session')).toBe(false);
  });

  it('is refused after ten minutes', async () => {
    const browser = openBrowser();
    await browser.begin();
    vi.useFakeTimers({ now: Date.now() + 10 * minuteMs, toFake: ['Date'] });
    try {
      expect(locationOf(await browser.finish())).toEqual(failed('sign_in_expired'));
    } finally {
      vi.useRealTimers();
    }
  });

  it.each(['sign_in_refused', 'sign_in_failed', 'sign_in_unavailable'] as const)(
    'that fails with %s leads to a page that says so',
    async (reason) => {
      const browser = openBrowser();
      await browser.begin();
      issuer.failure = new SignInFailure(reason, 'a test');
      const answer = await browser.finish();
      expect(locationOf(answer)).toEqual(failed(reason));
      expect(answer.cookies).toEqual([expect.stringContaining('__Host-sign-in=; ')]);
    },
  );

  it('is a failure of ours if something unexpected happens, and the page learns no more', async () => {
    const browser = openBrowser();
    await browser.begin();
    issuer.redeem = async () => {
      throw new Error('secret');
    };
    expect(locationOf(await browser.finish())).toEqual(failed('internal'));
  });
});

describe('a sign-in under way', () => {
  it.each<[string, (browser: ReturnType<typeof openBrowser>) => Promise<unknown>]>([
    ['another site sends the browser back without an answer', (browser) => browser.finish('')],
    ['another site sends an answer', (browser) => browser.finish('code=x&state=x')],
    ['another site begins one', (browser) => browser.begin('', 'cross-site')],
    ['another host of this site begins one', (browser) => browser.begin('again=true', 'same-site')],
    ['a wrong request comes between', (browser) => browser.begin('again=yes')],
  ])('goes on if %s', async (_what, disturb) => {
    const browser = openBrowser();
    await browser.begin();
    await disturb(browser);
    expect(locationOf(await browser.finish())).toEqual([303, `${panelOrigin}/`]);
  });

  it('goes on in the tab that began last, when another tab comes back first', async () => {
    const browser = openBrowser();
    await browser.begin();
    const first = `code=the-code&state=${issuer.asked.at(-1)?.state}`;
    await browser.begin();
    expect(locationOf(await browser.finish(first))).toEqual(failed('sign_in_expired'));
    expect(locationOf(await browser.finish())).toEqual([303, `${panelOrigin}/`]);
  });
});

describe('the session that a browser had before', () => {
  it('is never adopted: an attacker’s cookie does not become the person’s session', async () => {
    const attacker = await signInPerson(table);
    const browser = openBrowser();
    browser.cookies.set('__Host-session', attacker.cookie);
    await browser.begin();
    await browser.finish();
    expect(browser.cookies.get('__Host-session')).not.toBe(attacker.cookie);
    expect((await browser.me()).body).toMatchObject({ person: { email: 'ada@example.com' } });
    expect((await call('getMe', fromPanel(attacker))).body['code']).toBe('session_ended');
  });

  it('ends although the browser does not send its cookie on the way back', async () => {
    const before = await signInPerson(table);
    const browser = openBrowser();
    browser.cookies.set('__Host-session', before.cookie);
    await browser.begin();
    browser.cookies.delete('__Host-session');
    await browser.finish();
    expect((await call('getMe', fromPanel(before))).status).toBe(401);
    expect((await browser.me()).status).toBe(200);
  });

  it('stays if the sign-in fails', async () => {
    const before = await signInPerson(table);
    const browser = openBrowser();
    browser.cookies.set('__Host-session', before.cookie);
    await browser.begin();
    issuer.failure = new SignInFailure('sign_in_refused', 'a test');
    await browser.finish();
    expect((await call('getMe', fromPanel(before))).status).toBe(200);
  });
});

describe('the routes of the sign-in', () => {
  it.each(['cross-site', 'same-site'])(
    'begin none for a page that is %s, but show the panel',
    async (site) => {
      const answer = await openBrowser().begin('returnTo=/developers', site);
      expect([locationOf(answer), answer.cookies]).toEqual([[303, `${panelOrigin}/`], []]);
      expect(issuer.asked).toEqual([]);
    },
  );

  it('begin one for a typed address', async () => {
    expect((await openBrowser().begin('', 'none')).headers['location']).toContain('issuer.example.com');
  });

  it.each(['beginSignIn', 'finishSignIn'])('%s does not exist at the API’s own host', async (id) => {
    const answer = await call(id, { headers: { ...edgeHeaders(), 'x-origin-secret': 'x' } });
    expect([answer.status, answer.body['code']]).toEqual([404, 'not_found']);
    expect(issuer.asked).toEqual([]);
  });

  it('returns to the page of a client that asks for access, with its whole request', async () => {
    const request = new URLSearchParams({
      state: 's'.repeat(2_000),
      redirect_uri: 'https://agent.example/x',
    });
    const returnTo = `/developers/authorize?${request}`;
    const begun = await openBrowser().begin(new URLSearchParams({ returnTo }).toString());
    expect(begun.headers['location']).toContain('issuer.example.com');
  });

  it.each(['returnTo=/a&returnTo=/b', `returnTo=/${'a'.repeat(6_000)}`, 'again=yes'])(
    'refuse %.30s with a page',
    async (query) => {
      const { status, headers } = await openBrowser().begin(query);
      expect([status, headers['location']]).toEqual([
        303,
        expect.stringMatching(/^https:\/\/panel\.example\.com\/signed-out\?error=field_/),
      ]);
    },
  );

  it('count for the address of the viewer', async () => {
    for (let visit = 0; visit < 20; visit += 1) await openBrowser().begin();
    expect(locationOf(await openBrowser().begin())).toEqual(failed('rate_limited'));
    const other = await call('beginSignIn', { headers: edgeHeaders('203.0.113.8') });
    expect(other.headers['location']).toContain('issuer.example.com');
  });

  it('say so if the issuer cannot be reached', async () => {
    issuer.failure = new SignInFailure('sign_in_unavailable', 'a test');
    expect(locationOf(await openBrowser().begin())).toEqual(failed('sign_in_unavailable'));
  });
});
