import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { startSimulator } from '../../kit/simulator.ts';
import type { Simulator } from '../../kit/types.ts';
import { linkedin } from '../../linkedin/linkedin.ts';

const dayMs = 86_400_000;
const clock = { time: Date.UTC(2026, 10, 20), now: () => clock.time };
const redirectUri = 'http://127.0.0.1:4000/callback';
const registered = { secret: 'secret', redirectUris: [redirectUri] };
const definition = linkedin({
  app: { id: 'member-app', ...registered },
  organizationApp: { id: 'organization-app', ...registered },
  users: [{ username: 'ada' }, { username: 'eve' }],
});

let directory: string;
let simulator: Simulator;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'consents-'));
  simulator = await startSimulator({ definition, dataDirectory: directory, clock, port: 0 });
});
afterEach(async () => {
  await simulator.stop();
  await rm(directory, { recursive: true });
});

/** Opens the authorize page. @returns the status, and the cookie that the answer sets */
async function open(extra: Record<string, string> = {}, cookie = '') {
  const query = new URLSearchParams({
    client_id: 'member-app',
    redirect_uri: redirectUri,
    response_type: 'code',
    scope: 'openid profile',
    ...extra,
  });
  const url = `${simulator.url}/www.linkedin.com/oauth/v2/authorization?${query}`;
  const { status, headers } = await fetch(url, { redirect: 'manual', headers: { cookie } });
  return { status, cookie: headers.get('set-cookie') ?? '' };
}
const approve = { login: 'ada', approve: '1' };
const asks = { status: 200 };
const sendsBack = { status: 302 };

describe('a person who has consented before', () => {
  it('is recognized by the cookie of their browser, which only this host receives', async () => {
    const { cookie } = await open(approve);
    expect(cookie).toBe('signed-in-as=ada; Path=/www.linkedin.com; HttpOnly; SameSite=Lax');
    expect(await open({}, 'other=1; signed-in-as=ada')).toMatchObject(sendsBack);
    expect(await open()).toMatchObject(asks);
  });

  it.each([
    ['for more scopes', { scope: 'openid profile w_member_social' }],
    ['for another app', { client_id: 'organization-app', scope: 'w_organization_social' }],
  ])('is asked %s', async (_what, request) => {
    await open(approve);
    expect(await open(request, 'signed-in-as=ada')).toMatchObject(asks);
  });

  it('is asked for a scope that they declined', async () => {
    await open({ ...approve, declined: 'profile' });
    expect(await open({}, 'signed-in-as=ada')).toMatchObject(asks);
    expect(await open({ scope: 'openid' }, 'signed-in-as=ada')).toMatchObject(sendsBack);
  });

  it('is asked once LinkedIn’s consent of 60 days has ended', async () => {
    await open(approve);
    clock.time += 60 * dayMs - 1;
    expect(await open({}, 'signed-in-as=ada')).toMatchObject(sendsBack);
    // Being sent back renews the consent.
    clock.time += 60 * dayMs;
    expect(await open({}, 'signed-in-as=ada')).toMatchObject(asks);
  });

  it.each([
    ['somebody else', 'signed-in-as=eve'],
    ['a person who does not exist', 'signed-in-as=nobody'],
    ['a cookie that cannot be decoded', 'signed-in-as=%'],
  ])('does not answer for %s', async (_what, cookie) => {
    await open(approve);
    expect(await open({}, cookie)).toMatchObject(asks);
  });

  it('can still deny', async () => {
    await open(approve);
    expect(await open({ deny: '1' }, 'signed-in-as=ada')).toEqual({ status: 302, cookie: '' });
  });
});
