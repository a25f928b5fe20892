import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { hourMs, minuteMs, toTimestamp } from '../../../lib/kernel/clock.ts';
import { sha256 } from '../../../lib/kernel/ids.ts';
import { findSession } from '../../../lib/people/find-session.ts';
import {
  type AuthorizationRequest,
  type Identity,
  type Issuer,
  SignInFailure,
} from '../../../lib/people/issuer.ts';
import { safeReturnTo } from '../../../lib/people/return-to.ts';
import { readSessionValue, type SessionValue } from '../../../lib/people/session-value.ts';
import { beginSession } from '../../../lib/people/sessions.ts';
import {
  beginSignIn,
  type FinishPorts,
  finishSignIn,
  personIdOf,
  type SignInAnswer,
} from '../../../lib/people/sign-in.ts';
import { getItem } from '../../../lib/table/items.ts';
import { membershipKey, signInKey } from '../../../lib/table/keys.ts';
import type { Table } from '../../../lib/table/table.ts';
import { openWorkspace, startMs } from '../../support/builders.ts';
import { storeInvited } from '../../support/people.ts';
import { createTestTable } from '../../support/table.ts';

const origin = 'https://panel.example.com';

let table: Table;
beforeAll(async () => {
  table = await createTestTable();
});

let people = 0;
let asked: AuthorizationRequest[];
let redeemed: string[];
let identity: Identity | SignInFailure;
let reported: string[];
beforeEach(() => {
  people += 1;
  [asked, redeemed, reported] = [[], [], []];
  identity = {
    issuer: 'https://issuer.example.com',
    subject: `ada ${people}`,
    email: `ada-${people}@example.com`,
    isEmailVerified: true,
    name: 'Ada',
    provedAtMs: startMs + 30_000,
  };
});

const issuer: Issuer = {
  authorizationUrl: async (request) => {
    asked.push(request);
    return `https://issuer.example.com/authorize?state=${request.state}`;
  },
  redeem: async ({ query }) => {
    redeemed.push(query);
    if (identity instanceof SignInFailure) throw identity;
    return identity;
  },
  renew: async () => ({ kind: 'confirmed' }),
  signOutUrl: async () => null,
};

const ports = (now: number): FinishPorts => ({
  table,
  issuer,
  now,
  sealGrant: async (personId, refreshToken) => `sealed ${refreshToken} of ${personId}`,
  report: (message, error) => reported.push(`${message}: ${(error as Error).message}`),
});

/** A browser that has been sent to the issuer, and what it brings back. */
async function begin(
  request: Partial<Parameters<typeof beginSignIn>[1]> = {},
): Promise<SignInAnswer & { readonly token: string }> {
  const { token } = await beginSignIn(ports(startMs), { origin, isAgain: false, ...request });
  return { token, query: `code=the-code&state=${asked.at(-1)?.state}`, userAgent: 'Firefox' };
}

const finish = (answer: SignInAnswer, afterMs = minuteMs) => finishSignIn(ports(startMs + afterMs), answer);

async function signedIn(answer: SignInAnswer, afterMs?: number) {
  const outcome = await finish(answer, afterMs);
  if (outcome.kind !== 'signed-in') throw new Error(`the sign-in failed: ${outcome.reason}`);
  return { ...outcome, value: readSessionValue(outcome.cookieValue) as SessionValue };
}

const sessionOf = async (value: SessionValue, afterMs = minuteMs) =>
  (await findSession(table, value, undefined, startMs + afterMs))?.session;

const expired = { kind: 'failed', reason: 'sign_in_expired' };

describe('a sign-in', () => {
  it('begins with secrets of its own, and is stored under the digest of its token', async () => {
    const one = await begin({ returnTo: '/developers?tab=keys' });
    await begin();
    const [first, second] = asked as [AuthorizationRequest, AuthorizationRequest];
    for (const name of ['state', 'nonce', 'codeVerifier'] as const) {
      expect(first[name]).toMatch(/^[0-9A-Za-z]{43}$/);
      expect(first[name]).not.toBe(second[name]);
    }
    const item = await getItem(table, signInKey(sha256(one.token)));
    expect(item).toMatchObject({
      redirectUri: `${origin}/api/panel/sign-in/callback`,
      returnTo: '/developers?tab=keys',
      expiresAt: toTimestamp(startMs + 10 * minuteMs),
      expiresAtSeconds: (startMs + 10 * minuteMs) / 1_000,
    });
    expect(JSON.stringify(item)).not.toContain(one.token);
  });

  it('ends with a new session, and returns to the page where it began', async () => {
    const { value, location } = await signedIn(await begin({ returnTo: '/developers?tab=keys#new' }));
    expect(location).toBe(`${origin}/developers?tab=keys#new`);
    expect(await sessionOf(value)).toMatchObject({
      personId: personIdOf('https://issuer.example.com', `ada ${people}`),
      email: `ada-${people}@example.com`,
      name: 'Ada',
      signedInAt: toTimestamp(startMs + minuteMs),
      provedAt: toTimestamp(startMs + 30_000),
      browser: 'Firefox',
    });
  });

  it('makes nobody a member, but leads to the invitation of a verified address', async () => {
    const { workspace } = await openWorkspace(table);
    await storeInvited(table, workspace.id, { email: `ada-${people}@example.com`, role: 'owner' });
    const { value, location } = await signedIn(await begin({ returnTo: '/calendar' }));
    expect(location).toBe(`${origin}/invitations?next=%2Fcalendar`);
    expect(await getItem(table, membershipKey(value.personId, workspace.id))).toBeUndefined();
    expect(await sessionOf(value)).toMatchObject({ isEmailVerified: true });
  });

  it('does not lead to the invitation of an address that is not verified', async () => {
    const { workspace } = await openWorkspace(table);
    await storeInvited(table, workspace.id, { email: `ada-${people}@example.com`, role: 'owner' });
    identity = { ...(identity as Identity), isEmailVerified: false };
    const { value, location } = await signedIn(await begin({ returnTo: '/calendar' }));
    expect(location).toBe(`${origin}/calendar`);
    expect(await sessionOf(value)).toMatchObject({ isEmailVerified: false });
  });

  it('ends the session that the browser had before, and no other', async () => {
    const user = { personId: personIdOf('x', String(people)), email: '', userAgent: '' };
    const [before, other] = [
      await beginSession(table, user, startMs),
      await beginSession(table, user, startMs),
    ].map(({ cookieValue }) => readSessionValue(cookieValue) as SessionValue) as [SessionValue, SessionValue];
    const answer = await begin({ endsSession: before.digest });
    expect(await sessionOf(before)).toBeDefined();
    const { value } = await signedIn(answer);
    expect(value.digest).not.toBe(before.digest);
    expect(await sessionOf(before)).toBeUndefined();
    expect(await sessionOf(other)).toBeDefined();
  });
});

describe('the answer of the issuer', () => {
  it('is used once, by however many requests', async () => {
    const answer = await begin();
    const outcomes = await Promise.all([finish(answer), finish(answer), finish(answer)]);
    expect(outcomes.filter(({ kind }) => kind === 'signed-in')).toHaveLength(1);
    expect(await finish(answer)).toEqual(expired);
    expect(redeemed).toHaveLength(1);
  });

  it('is redeemed only after its attempt is taken, so that a failure cannot be tried again', async () => {
    identity = new SignInFailure('sign_in_failed', 'the nonce is wrong');
    const answer = await begin();
    expect(await finish(answer)).toEqual({ kind: 'failed', reason: 'sign_in_failed' });
    expect(reported).toEqual(['a sign-in failed: the nonce is wrong']);
    expect(await finish(answer)).toEqual(expired);
    expect(redeemed).toHaveLength(1);
  });

  it.each<[string, (answer: SignInAnswer) => Promise<SignInAnswer>]>([
    ['without a cookie', async (answer) => ({ ...answer, token: undefined })],
    ['with a cookie of another form', async (answer) => ({ ...answer, token: 'SIGN-IN#x' })],
    ['with a cookie that we never made', async (answer) => ({ ...answer, token: 'A'.repeat(43) })],
    ['in another browser that signs in too', async (answer) => ({ ...answer, token: (await begin()).token })],
    ['with another state', async (answer) => ({ ...answer, query: 'code=the-code&state=other' })],
    ['without a state', async (answer) => ({ ...answer, query: 'code=the-code' })],
  ])('is refused %s, and asks the issuer nothing', async (_how, change) => {
    const answer = await begin();
    expect(await finish(await change(answer))).toEqual(expired);
    expect(redeemed).toEqual([]);
    // Who has the right browser can still finish.
    expect((await finish(answer)).kind).toBe('signed-in');
  });

  it('is accepted for ten minutes', async () => {
    expect(await finish(await begin(), 10 * minuteMs)).toEqual(expired);
    expect((await finish(await begin(), 10 * minuteMs - 1)).kind).toBe('signed-in');
  });
});

describe('when the person proved who they are', () => {
  it.each<[string, boolean, number | undefined, string | undefined]>([
    ['is what the issuer says', false, startMs - hourMs, toTimestamp(startMs - hourMs)],
    ['is never in the future', false, startMs + hourMs, toTimestamp(startMs + minuteMs)],
    ['is unknown if the issuer does not say', false, undefined, undefined],
    ['is now if the issuer had to ask and does not say', true, undefined, toTimestamp(startMs + minuteMs)],
    ['is what the issuer says if it had to ask', true, startMs + 1_000, toTimestamp(startMs + 1_000)],
  ])('%s', async (_what, isAgain, provedAtMs, expected) => {
    const { provedAtMs: _, ...rest } = identity as Identity;
    identity = { ...rest, ...(provedAtMs !== undefined && { provedAtMs }) };
    const { value } = await signedIn(await begin({ isAgain }));
    expect((await sessionOf(value))?.provedAt).toBe(expected);
    expect(asked.at(-1)?.isAgain).toBe(isAgain);
  });

  it('must not be before the attempt if the issuer had to ask', async () => {
    identity = { ...(identity as Identity), provedAtMs: startMs - hourMs };
    expect(await finish(await begin({ isAgain: true }))).toEqual({
      kind: 'failed',
      reason: 'sign_in_failed',
    });
  });
});

describe('the page to return to', () => {
  it.each([
    ['/', '/'],
    ['/developers?tab=keys#new', '/developers?tab=keys#new'],
    ['/a/../b', '/b'],
    ['/%2F%2Fevil.example.com', '/%2F%2Fevil.example.com'],
    [undefined, '/'],
    ['', '/'],
    ['developers', '/'],
    ['//evil.example.com', '/'],
    ['///evil.example.com', '/'],
    ['/\\evil.example.com', '/'],
    ['\\\\evil.example.com', '/'],
    ['/\t/evil.example.com', '/'],
    ['/\n/evil.example.com', '/'],
    ['/..//evil.example.com', '/'],
    ['/.//evil.example.com', '/'],
    ['/a/..//evil.example.com', '/'],
    ['/%2e//evil.example.com', '/'],
    ['https://evil.example.com', '/'],
    ['https:evil', '/'],
    ['javascript:alert(1)', '/'],
    [' //evil.example.com', '/'],
    // Tracked links lead anywhere, and the routes of the sign-in begin another one.
    ['/api/r/evil', '/'],
    ['/API/r/evil', '/'],
    ['/a/../api/r/evil', '/'],
    ['/%61pi/r/evil', '/'],
    ['/%2561pi/r/evil', '/%2561pi/r/evil'],
    ['/api%2Fr/evil', '/'],
    ['/%2e%2e%2fapi/r/evil', '/'],
    ['/%', '/'],
    ['/api', '/'],
    ['/apis', '/apis'],
  ])('%j becomes %j', (text, expected) => {
    expect(safeReturnTo(text, origin)).toBe(expected);
    expect(new URL(safeReturnTo(text, origin), origin).origin).toBe(origin);
  });
});
