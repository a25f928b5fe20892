import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { toTimestamp } from '../../../lib/kernel/clock.ts';
import { accessMs } from '../../../lib/people/grants/schemas.ts';
import type { Table } from '../../../lib/table/table.ts';
import { generateApiKey } from '../../../lib/workspaces/api-key.ts';
import { createKey } from '../../../lib/workspaces/manage-keys.ts';
import { setKeyRateLimit } from '../../../lib/workspaces/rate-limits.ts';
import { anOperator } from '../../support/acts.ts';
import { rpc } from '../../support/agents.ts';
import { type Call, openApi, originSecret } from '../../support/api.ts';
import { openWorkspace } from '../../support/builders.ts';
import { giveAccess, redeem, tokensIn } from '../../support/grants.ts';
import { aPerson } from '../../support/members.ts';
import { storeMember } from '../../support/people.ts';

const startMs = Date.parse('2026-03-01T12:00:10.250Z');
beforeEach(() => {
  vi.useFakeTimers({ now: startMs, toFake: ['Date'] });
});
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

/** A service whose limit per address is 3, and a workspace with two keys. */
async function openService(limits: Parameters<typeof openApi>[0] = { ratePerMinute: 3 }) {
  const { call, table } = await openApi(limits);
  const { apiKey, context } = await openWorkspace(table);
  const { workspaceId } = context;
  const other = await createKey(anOperator(table, startMs), { workspaceId, name: 'other' });
  return { call, table, apiKey, workspaceId, keyId: context.actor.id, otherKey: other.apiKey };
}

async function ask(call: Call, apiKey: string, times: number): Promise<number[]> {
  const statuses = [];
  for (let turn = 0; turn < times; turn += 1)
    statuses.push((await rpc(call, apiKey, 'ping', {}, { sourceIp: '203.0.113.9' })).status);
  return statuses;
}

/** The commands that a request sends to the table, by name and partition. */
function watch(table: Table) {
  const send = vi.spyOn(table.client, 'send');
  return () =>
    send.mock.calls.map(([command]) => {
      const { Key } = command.input as unknown as { Key?: { pk: string } };
      return `${command.constructor.name} ${/^([A-Z-]+#)+/.exec(Key?.pk ?? '')?.[0]}`;
    });
}

describe('agents at one address', () => {
  it('count for their keys, so that they do not use up the limit of each other', async () => {
    const { call, apiKey, otherKey } = await openService();
    expect(await ask(call, apiKey, 4)).toEqual([200, 200, 200, 429]);
    expect(await ask(call, otherKey, 4)).toEqual([200, 200, 200, 429]);
  });

  it('count for the limit of the key, if it has one', async () => {
    const { call, table, apiKey, workspaceId, keyId, otherKey } = await openService();
    await setKeyRateLimit(anOperator(table, startMs, 'key.set-rate-limit'), {
      workspaceId,
      keyId,
      ratePerMinute: 5,
    });
    expect(await ask(call, apiKey, 6)).toEqual([200, 200, 200, 200, 200, 429]);
    expect(await ask(call, otherKey, 4)).toEqual([200, 200, 200, 429]);
  });

  it('count for their workspace too', async () => {
    const { call, apiKey, otherKey } = await openService({ ratePerMinute: 3, workspaceRatePerMinute: 4 });
    expect(await ask(call, apiKey, 3)).toEqual([200, 200, 200]);
    expect(await ask(call, otherKey, 2)).toEqual([200, 429]);
  });

  it('go on while somebody else there tries made-up keys, which are soon refused without a read', async () => {
    const { call, table, apiKey } = await openService();
    expect(await ask(call, apiKey, 1)).toEqual([200]);
    for (const expected of [401, 401, 401, 429, 429])
      expect(await ask(call, generateApiKey(), 1)).toEqual([expected]);
    const commands = watch(table);
    expect(await ask(call, generateApiKey(), 1)).toEqual([429]);
    expect(commands()).toEqual([]);
    expect(await ask(call, apiKey, 2)).toEqual([200, 200]);
  });

  it('go on in the next minute, and after their key was cached too long', async () => {
    const { call, apiKey } = await openService();
    expect(await ask(call, apiKey, 4)).toEqual([200, 200, 200, 429]);
    vi.setSystemTime(startMs + 60_000);
    for (const expected of [401, 401, 401, 429])
      expect(await ask(call, generateApiKey(), 1)).toEqual([expected]);
    expect(await ask(call, apiKey, 3)).toEqual([200, 200, 200]);
  });

  it('that sign in do not use up its limit when their access tokens expire', async () => {
    const { call, table, workspaceId } = await openService();
    await storeMember(table, workspaceId, { personId: aPerson().id, role: 'owner' });
    const connect = async () => {
      const now = Date.now();
      return tokensIn(await redeem(table, await giveAccess(table, workspaceId, { now }), { now }))
        .access_token;
    };
    const expired = [await connect(), await connect(), await connect(), await connect()];
    vi.setSystemTime(startMs + accessMs);
    for (const token of expired) expect(await ask(call, token, 1)).toEqual([401]);
    expect(await ask(call, await connect(), 1)).toEqual([200]);
  });

  it('that present one expired token without end are refused', async () => {
    const { call, table, workspaceId } = await openService();
    const expiresAt = toTimestamp(startMs + 1_000);
    const { apiKey } = await createKey(anOperator(table, startMs), { workspaceId, name: 'x', expiresAt });
    vi.setSystemTime(startMs + 1_000);
    expect(await ask(call, apiKey, 4)).toEqual([401, 401, 401, 429]);
  });

  it('without a key count for their address', async () => {
    const { call } = await openService();
    const statuses = [];
    for (let turn = 0; turn < 4; turn += 1) statuses.push((await rpc(call, undefined, 'ping')).status);
    expect(statuses).toEqual([401, 401, 401, 429]);
  });
});

it('a request through the panel is refused, and counts for the address of the viewer', async () => {
  const { call, apiKey } = await openService();
  const headers = {
    'x-origin-secret': originSecret,
    'x-viewer-address': '203.0.113.77',
    'x-viewer-host': 'panel.example.com',
  };
  const codes = [];
  for (let turn = 0; turn < 4; turn += 1)
    codes.push((await rpc(call, apiKey, 'ping', {}, { headers })).body['code']);
  expect(codes).toEqual(['key_in_panel', 'key_in_panel', 'key_in_panel', 'rate_limited']);
});

it('a refused request says when to come back', async () => {
  const { call, apiKey } = await openService({ ratePerMinute: 1 });
  await ask(call, apiKey, 1);
  const { headers, body } = await rpc(call, apiKey, 'ping');
  expect(body).toMatchObject({ code: 'rate_limited' });
  expect(Number(headers['retry-after'])).toBeGreaterThan(0);
  expect(headers['x-ratelimit-limit']).toBe('1');
});
