import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { hourMs, minuteMs } from '../../../lib/kernel/clock.ts';
import type { Renewal } from '../../../lib/people/issuer.ts';
import { personIdOf } from '../../../lib/people/sign-in.ts';
import type { Table } from '../../../lib/table/table.ts';
import { type Answer, type Call, openApi } from '../../support/api.ts';
import { openWorkspace } from '../../support/builders.ts';
import type { FakeIssuer } from '../../support/fake-issuer.ts';
import { edgeHeaders, fromPanel } from '../../support/panel.ts';
import { storeMember } from '../../support/people.ts';

let table: Table;
let call: Call;
let issuer: FakeIssuer;
let beganMs: number;
let cookie: string;
let workspaceId: string;
let apiKey: string;
beforeEach(async () => {
  ({ table, call, issuer } = await openApi());
  issuer.person = { refreshToken: 'refresh-token-of-ada' };
  const { workspace, ...opened } = await openWorkspace(table, { now: Date.now() });
  apiKey = opened.apiKey;
  workspaceId = workspace.id;
  await storeMember(table, workspaceId, {
    personId: personIdOf('https://issuer.example.com', 'ada'),
    role: 'owner',
  });
  cookie = await signIn();
  beganMs = Date.now();
});
afterEach(() => {
  vi.useRealTimers();
});

async function signIn(): Promise<string> {
  const begun = await call('beginSignIn', { headers: { ...edgeHeaders(), 'sec-fetch-site': 'same-origin' } });
  const finished = await call('finishSignIn', {
    query: `code=the-code&state=${issuer.asked.at(-1)?.state}`,
    cookies: begun.cookies.map((each) => each.split(';')[0] ?? ''),
    headers: edgeHeaders(),
  });
  return finished.cookies[0]?.split(';')[0] ?? '';
}

/** Sends a request of the panel, this long after the sign-in. */
async function requestAfter(milliseconds: number, id = 'getWorkspace'): Promise<Answer> {
  vi.useFakeTimers({ now: beganMs + milliseconds, toFake: ['Date'] });
  return call(id, fromPanel({ cookie }, workspaceId));
}

const statusAfter = async (milliseconds: number, id?: string) =>
  (await requestAfter(milliseconds, id)).status;

const ended = (): Renewal => ({ kind: 'ended' });
const unanswered = (): never => {
  throw new Error('the function was killed');
};

describe('a person whom the identity provider has removed', () => {
  it('is signed out with the first request more than ten minutes after the last check', async () => {
    expect(await statusAfter(11 * minuteMs)).toBe(200);
    issuer.renewal = ended;
    expect(await statusAfter(20 * minuteMs)).toBe(200);
    const { status, body } = await requestAfter(21 * minuteMs + 1_000);
    expect([status, body['code']]).toEqual([401, 'session_ended']);
    issuer.renewal = () => ({ kind: 'confirmed' });
    expect(await statusAfter(22 * minuteMs)).toBe(401);
  });

  it.each([15 * minuteMs, 6 * hourMs])('is refused at once after a pause of %d ms', async (pauseMs) => {
    issuer.renewal = ended;
    expect(await statusAfter(pauseMs)).toBe(401);
  });

  it('is refused after 15 minutes at the latest, even if no check succeeds', async () => {
    issuer.renewal = unanswered;
    expect(await statusAfter(14 * minuteMs)).toBe(200);
    const { status, headers, body } = await requestAfter(15 * minuteMs + 1_000);
    expect([status, body['code'], headers['retry-after']]).toEqual([503, 'unavailable', '1']);
    expect(await statusAfter(16 * minuteMs, 'getMe')).toBe(503);
  });

  it('can still sign out', async () => {
    issuer.renewal = unanswered;
    expect(await statusAfter(30 * minuteMs, 'signOut')).toBe(200);
  });
});

describe('an identity provider that is down', () => {
  it('ends nobody’s session', async () => {
    issuer.renewal = () => ({ kind: 'unavailable', why: 'a test' });
    for (const hours of [1, 5, 11, 20]) expect(await statusAfter(hours * hourMs)).toBe(200);
  });
});

describe('a check', () => {
  it('is made once for requests in the next ten minutes', async () => {
    for (const minute of [11, 12, 20]) expect(await statusAfter(minute * minuteMs)).toBe(200);
    expect(issuer.renewed).toEqual(['refresh-token-of-ada']);
  });

  it('is none of a request with an API key', async () => {
    issuer.renewal = ended;
    vi.useFakeTimers({ now: beganMs + hourMs, toFake: ['Date'] });
    expect((await call('getWorkspace', { apiKey })).status).toBe(200);
    expect(issuer.renewed).toEqual([]);
  });

  it('gives away no token', async () => {
    const { status, text, headers } = await requestAfter(11 * minuteMs, 'checkSession');
    expect([status, text]).toEqual([204, '']);
    expect(JSON.stringify(headers)).not.toContain('refresh-token');
    expect(issuer.renewed).toHaveLength(1);
  });
});
