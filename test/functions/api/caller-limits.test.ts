import { GetCommand } from '@aws-sdk/lib-dynamodb';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { logger } from '../../../functions/wire/logger.ts';
import { rateKey } from '../../../lib/table/keys.ts';
import type { Table } from '../../../lib/table/table.ts';
import { createKey } from '../../../lib/workspaces/manage-keys.ts';
import { setKeyRateLimit, setWorkspaceRateLimit } from '../../../lib/workspaces/rate-limits.ts';
import { anOperator } from '../../support/acts.ts';
import { type Answer, type Call, openApi } from '../../support/api.ts';
import { openWorkspace } from '../../support/builders.ts';

/** 49.75 s before the minute ends. */
const startMs = Date.parse('2026-03-01T12:00:10.250Z');
beforeEach(() => {
  vi.useFakeTimers({ now: startMs, toFake: ['Date'] });
});
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

type Limits = Parameters<typeof openApi>[0];
const roomy = 10_000_000;

/** A service with these limits, and a workspace with two keys. */
async function openService(limits: Limits) {
  const { call, table } = await openApi(limits);
  const { apiKey, context } = await openWorkspace(table);
  const { workspaceId } = context;
  const other = await createKey(anOperator(table, startMs), { workspaceId, name: 'other' });
  return { call, table, workspaceId, keyId: context.actor.id, apiKey, otherKey: other.apiKey };
}

/** An operator, for the commands that set limits. */
const operator = (table: Table) => anOperator(table, startMs, 'key.set-rate-limit');

async function ask(call: Call, apiKey: string, times = 1, sourceIp?: string): Promise<Answer[]> {
  const answers = [];
  for (let turn = 0; turn < times; turn += 1)
    answers.push(await call('posts-list', { apiKey, ...(sourceIp !== undefined && { sourceIp }) }));
  return answers;
}

const statuses = (answers: readonly Answer[]) => answers.map(({ status }) => status);
const headersOf = ({ headers }: Answer) =>
  ['limit', 'remaining'].map((name) => Number(headers[`x-ratelimit-${name}`]));
const errorOf = (answers: readonly Answer[]) => answers.at(-1)?.body['error'];

/** The commands that a request sends to the table, by name and partition key. */
function watch(table: Table) {
  const send = vi.spyOn(table.client, 'send');
  return () =>
    send.mock.calls.map(([command]) => {
      const { Key } = command.input as unknown as { Key?: { pk: string } };
      return `${command.constructor.name} ${/^([A-Z-]+#)+/.exec(Key?.pk ?? '')?.[0]}`;
    });
}

describe('without limits per key and workspace', () => {
  it('a request costs one counter, that of its address', async () => {
    const { call, table, apiKey } = await openService({});
    await ask(call, apiKey);
    const commands = watch(table);
    await ask(call, apiKey);
    expect(commands().filter((command) => command.includes('RATE#'))).toEqual(['UpdateCommand RATE#']);
  });
});

describe.each([
  { of: 'key', error: 'too many requests with this API key' },
  { of: 'workspace', error: 'too many requests of this workspace' },
] as const)('the stage’s limit per $of', ({ of, error }) => {
  const limits = { [of === 'key' ? 'keyRatePerMinute' : 'workspaceRatePerMinute']: 3 };

  it('counts down, and then refuses with the name of the limit and the time to wait', async () => {
    const { call, apiKey } = await openService(limits);
    const answers = await ask(call, apiKey, 5);
    expect(statuses(answers)).toEqual([200, 200, 200, 429, 429]);
    expect(answers.map(headersOf)).toEqual([
      [3, 2],
      [3, 1],
      [3, 0],
      [3, 0],
      [3, 0],
    ]);
    for (const { body, headers } of answers.slice(3)) {
      expect(body).toEqual({
        error,
        code: 'rate_limited',
        docUrl: 'https://api.example.com/docs/errors/rate_limited',
      });
      expect(headers).toMatchObject({
        'retry-after': '50',
        'x-ratelimit-reset': String(Date.parse('2026-03-01T12:01:00Z') / 1_000),
      });
    }
  });

  it('starts again with the next minute', async () => {
    const { call, apiKey } = await openService(limits);
    await ask(call, apiKey, 4);
    vi.setSystemTime(Date.parse('2026-03-01T12:01:00Z'));
    expect(statuses(await ask(call, apiKey, 4))).toEqual([200, 200, 200, 429]);
  });

  it('holds over all addresses and all functions', async () => {
    const { call, apiKey } = await openService(limits);
    for (const sourceIp of ['192.0.2.1', '192.0.2.2', '2001:db8::1'])
      await call('accounts-list', { apiKey, sourceIp });
    expect(errorOf(await ask(call, apiKey, 1, '192.0.2.4'))).toBe(error);
  });

  it('costs one more write per request, and none at all once this function has seen it exceeded', async () => {
    const { call, table, apiKey } = await openService(limits);
    const commands = watch(table);
    await ask(call, apiKey);
    const counter = `UpdateCommand RATE#${of.toUpperCase()}#`;
    expect(commands()).toEqual([
      'UpdateCommand RATE#',
      'GetCommand KEY#',
      counter,
      'UpdateCommand KEY-USE#',
      expect.stringContaining('QueryCommand'),
    ]);
    await ask(call, apiKey, 3);
    vi.restoreAllMocks();
    const later = watch(table);
    expect(statuses(await ask(call, apiKey, 20))).toEqual(Array(20).fill(429));
    expect(later()).toEqual([]);
  });

  it('lets at most its number pass, however many requests are concurrent', async () => {
    const { call, apiKey } = await openService(limits);
    const answers = (await Promise.all(Array.from({ length: 20 }, () => ask(call, apiKey)))).flat();
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(3);
  });

  it('passes every request if its counter cannot be written', async () => {
    const { call, table, apiKey } = await openService(limits);
    const send = table.client.send.bind(table.client);
    const failing = async (command: Parameters<typeof send>[0]) => {
      if (JSON.stringify(command.input).includes(`RATE#${of.toUpperCase()}#`)) throw new Error('throttled');
      return send(command);
    };
    vi.spyOn(table.client, 'send').mockImplementation(failing as typeof send);
    const warn = vi.spyOn(logger, 'warn').mockReturnValue();
    const answers = await ask(call, apiKey, 6);
    expect(statuses(answers)).toEqual(Array(6).fill(200));
    expect(answers.map(headersOf)).toEqual([0, 1, 2, 3, 4, 5].map((count) => [roomy, roomy - count - 1]));
    expect(warn).toHaveBeenCalledTimes(6);
    expect(warn).toHaveBeenCalledWith(`the request was not counted for its ${of}`, expect.any(Error));
  });

  it('does not count requests without a valid key', async () => {
    const { call, apiKey } = await openService(limits);
    for (let turn = 0; turn < 5; turn += 1)
      await call('posts-list', { apiKey: `${apiKey.slice(0, -4)}AAAA` });
    expect(statuses(await ask(call, apiKey, 3))).toEqual([200, 200, 200]);
  });

  it('is stored in a small item that expires', async () => {
    const { call, table, apiKey, keyId, workspaceId } = await openService(limits);
    await ask(call, apiKey);
    const minute = Math.floor(startMs / 60_000);
    const counted = of === 'key' ? `KEY#${keyId}` : `WORKSPACE#${workspaceId}`;
    const { Item } = await table.client.send(
      new GetCommand({ TableName: table.name, Key: rateKey(counted, minute) }),
    );
    expect(Item).toMatchObject({ kind: 'rate', requests: 1, expiresAtSeconds: (minute + 2) * 60 });
    // One write unit is 1,024 bytes.
    expect(JSON.stringify(Item).length).toBeLessThan(250);
  });
});

describe('a limit per key', () => {
  it('leaves the other keys of the workspace alone', async () => {
    const { call, apiKey, otherKey } = await openService({ keyRatePerMinute: 3 });
    await ask(call, apiKey, 10);
    expect(statuses(await ask(call, otherKey, 3))).toEqual([200, 200, 200]);
  });

  it('protects clients behind the same address from a client in a loop', async () => {
    const sourceIp = '192.0.2.77';
    const { call, apiKey, otherKey } = await openService({ ratePerMinute: 20, keyRatePerMinute: 5 });
    // Far more than the address may send: the refused requests of the loop do not use the address's limit up.
    expect(statuses(await ask(call, apiKey, 100, sourceIp)).filter((status) => status === 200)).toHaveLength(
      5,
    );
    const answers = await ask(call, otherKey, 5, sourceIp);
    expect(statuses(answers)).toEqual(Array(5).fill(200));
  });

  it('uses nothing of the workspace’s limit for the requests that it refuses', async () => {
    const { call, apiKey, otherKey } = await openService({ keyRatePerMinute: 3, workspaceRatePerMinute: 6 });
    await ask(call, apiKey, 10);
    expect(statuses(await ask(call, otherKey, 3))).toEqual([200, 200, 200]);
  });

  it('is checked before the key’s permissions, so that a refused loop writes no more audit entries', async () => {
    const { call, table, apiKey } = await openService({ keyRatePerMinute: 1 });
    await ask(call, apiKey);
    const commands = watch(table);
    const answer = await call('posts-create', { apiKey, body: {} });
    expect(answer.status).toBe(429);
    expect(commands()).not.toContainEqual(expect.stringContaining('Put'));
  });

  it('may differ from the stage’s for one key, in both directions', async () => {
    const service = await openService({ keyRatePerMinute: 3 });
    const { call, table, workspaceId, keyId, apiKey, otherKey } = service;
    await setKeyRateLimit(operator(table), { workspaceId, keyId, ratePerMinute: 5 });
    expect(statuses(await ask(call, apiKey, 6))).toEqual([200, 200, 200, 200, 200, 429]);
    expect(statuses(await ask(call, otherKey, 4))).toEqual([200, 200, 200, 429]);
  });

  it('is in effect within 30 seconds of its change, also if it was exceeded before', async () => {
    const { call, table, workspaceId, keyId, apiKey } = await openService({ keyRatePerMinute: 1 });
    expect(statuses(await ask(call, apiKey, 3))).toEqual([200, 429, 429]);
    await setKeyRateLimit(operator(table), { workspaceId, keyId, ratePerMinute: 100 });
    vi.setSystemTime(startMs + 30_000);
    expect(statuses(await ask(call, apiKey, 3))).toEqual([200, 200, 200]);
  });
});

describe('a limit per workspace', () => {
  it('is shared by all of its keys, and by no other workspace', async () => {
    const { call, table, apiKey, otherKey } = await openService({ workspaceRatePerMinute: 4 });
    const answers = [...(await ask(call, apiKey, 2)), ...(await ask(call, otherKey, 3))];
    expect(statuses(answers)).toEqual([200, 200, 200, 200, 429]);
    const stranger = await openWorkspace(table);
    expect(statuses(await ask(call, stranger.apiKey, 4))).toEqual([200, 200, 200, 200]);
  });

  it('may be set for one workspace, although the stage has none', async () => {
    const { call, table, workspaceId, apiKey, otherKey } = await openService({});
    await setWorkspaceRateLimit(operator(table), { workspaceId, ratePerMinute: 2 });
    expect(statuses([...(await ask(call, apiKey, 2)), ...(await ask(call, otherKey))])).toEqual([
      200, 200, 429,
    ]);
    const stranger = await openWorkspace(table);
    expect(statuses(await ask(call, stranger.apiKey, 3))).toEqual([200, 200, 200]);
  });
});

describe('several limits together', () => {
  it('are all described by the one that has the fewest requests left', async () => {
    const limit = fc.integer({ min: 1, max: 6 });
    await fc.assert(
      fc.asyncProperty(limit, limit, limit, async (address, key, workspace) => {
        const { call, apiKey } = await openService({
          ratePerMinute: address,
          keyRatePerMinute: key,
          workspaceRatePerMinute: workspace,
        });
        const least = Math.min(address, key, workspace);
        const answers = await ask(call, apiKey, least + 2);
        expect(statuses(answers)).toEqual([...Array(least).fill(200), 429, 429]);
        expect(answers.map(headersOf)).toEqual(
          Array.from({ length: least + 2 }, (_, count) => [least, Math.max(0, least - count - 1)]),
        );
      }),
      { numRuns: 8 },
    );
  });

  it.each([
    { limits: { ratePerMinute: 2, keyRatePerMinute: 9, workspaceRatePerMinute: 9 }, by: 'from this address' },
    { limits: { ratePerMinute: 9, keyRatePerMinute: 2, workspaceRatePerMinute: 9 }, by: 'with this API key' },
    { limits: { ratePerMinute: 9, keyRatePerMinute: 9, workspaceRatePerMinute: 2 }, by: 'of this workspace' },
    { limits: { ratePerMinute: 2, keyRatePerMinute: 2, workspaceRatePerMinute: 2 }, by: 'from this address' },
    { limits: { ratePerMinute: 9, keyRatePerMinute: 2, workspaceRatePerMinute: 2 }, by: 'with this API key' },
  ])('refuse by the first that is exceeded: $by', async ({ limits, by }) => {
    const { call, apiKey } = await openService(limits);
    expect(errorOf(await ask(call, apiKey, 3))).toBe(`too many requests ${by}`);
  });
});
