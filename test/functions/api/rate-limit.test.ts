import { beforeAll, describe, expect, it, vi } from 'vitest';
import type { Table } from '../../../lib/table/table.ts';
import { type Call, openApi } from '../../support/api.ts';
import { openWorkspace } from '../../support/builders.ts';

let call: Call;
let table: Table;
let apiKey: string;
beforeAll(async () => {
  const api = await openApi({ ratePerMinute: 5 });
  ({ call, table } = api);
  ({ apiKey } = await openWorkspace(api.table));
  // A minute that does not end during a test.
  vi.useFakeTimers({ now: Date.parse('2026-03-01T12:00:10.250Z'), toFake: ['Date'] });
  return () => vi.useRealTimers();
});

const from = (sourceIp: string) => call('posts-list', { apiKey, sourceIp });

async function sixFrom(...addresses: string[]) {
  const answers = [];
  for (let turn = 0; turn < 6; turn += 1) answers.push(await from(addresses[turn % addresses.length] ?? ''));
  return answers;
}

describe('the rate limit of an address', () => {
  it('counts down, says when it resets, and then rejects', async () => {
    const answers = await sixFrom('198.51.100.1');
    const resetSeconds = String(Date.parse('2026-03-01T12:01:00Z') / 1_000);
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200, 429]);
    expect(answers.map(({ headers }) => headers['x-ratelimit-remaining'])).toEqual([
      '4',
      '3',
      '2',
      '1',
      '0',
      '0',
    ]);
    for (const { headers } of answers) {
      expect(headers).toMatchObject({ 'x-ratelimit-limit': '5', 'x-ratelimit-reset': resetSeconds });
    }
    const refused = answers.at(-1);
    expect(refused?.headers['retry-after']).toBe('50');
    expect(refused?.body).toEqual({
      error: 'too many requests from this address',
      code: 'rate_limited',
      docUrl: 'https://api.example.com/docs/errors/rate_limited',
    });
  });

  it('resets with the minute', async () => {
    await sixFrom('198.51.100.2');
    vi.setSystemTime(Date.parse('2026-03-01T12:01:00Z'));
    expect((await from('198.51.100.2')).status).toBe(200);
    vi.setSystemTime(Date.parse('2026-03-01T12:00:10.250Z'));
  });

  it('is separate for each address', async () => {
    await sixFrom('198.51.100.3');
    expect((await from('198.51.100.4')).status).toBe(200);
  });

  it('is shared by all addresses of one IPv6 network', async () => {
    const answers = await sixFrom('2001:db8:1:2::1', '2001:db8:1:2:ffff::9');
    expect(answers.at(-1)?.status).toBe(429);
    expect((await from('2001:db8:1:3::1')).status).toBe(200);
  });

  it('cannot be avoided with a forged header', async () => {
    for (let turn = 0; turn < 5; turn += 1) await from('198.51.100.5');
    const headers = {
      authorization: `Bearer ${apiKey}`,
      'x-forwarded-for': '192.0.2.1',
      forwarded: 'for=192.0.2.1',
    };
    expect((await call('posts-list', { headers, sourceIp: '198.51.100.5' })).status).toBe(429);
  });

  it('counts rejected requests too, and is checked before the key', async () => {
    const answers = [];
    for (let turn = 0; turn < 6; turn += 1)
      answers.push(await call('posts-list', { sourceIp: '198.51.100.6' }));
    expect(answers.map(({ status }) => status)).toEqual([401, 401, 401, 401, 401, 429]);
    expect(answers[0]?.headers['x-ratelimit-remaining']).toBe('4');
  });

  it('costs a rejected address no look-up of its key', async () => {
    await sixFrom('198.51.100.8');
    const { apiKey: uncachedKey } = await openWorkspace(table);
    const send = vi.spyOn(table.client, 'send');
    const rejected = await call('workspace-read', { apiKey: uncachedKey, sourceIp: '198.51.100.8' });
    const commands = send.mock.calls.map(([command]) => command.constructor.name);
    send.mockRestore();
    expect([rejected.status, commands]).toEqual([429, ['UpdateCommand']]);
  });

  it('is shared by all functions', async () => {
    for (let turn = 0; turn < 5; turn += 1) await call('accounts-list', { apiKey, sourceIp: '198.51.100.7' });
    expect((await from('198.51.100.7')).status).toBe(429);
    expect((await call('openapi', { sourceIp: '198.51.100.7' })).status).toBe(429);
  });

  it.each(['GET /v1/nothing', 'DELETE /api/v1/posts', 'GET /v1'])(
    'counts %s, which has no route',
    async (route) => {
      const answers = [];
      for (let turn = 0; turn < 5; turn += 1) {
        answers.push(await call('not-found', { route, sourceIp: `192.0.2.${route.length}` }));
      }
      const status = route.startsWith('DELETE') ? 405 : 404;
      expect(answers.map((answer) => answer.status)).toEqual(Array(5).fill(status));
      expect(answers.map(({ headers }) => headers['x-ratelimit-remaining'])).toEqual([
        '4',
        '3',
        '2',
        '1',
        '0',
      ]);
      const refused = await call('not-found', { route, sourceIp: `192.0.2.${route.length}` });
      expect(refused).toMatchObject({ status: 429, body: { code: 'rate_limited' } });
      expect(refused.headers['retry-after']).toBe('50');
    },
  );

  it('does not apply outside /v1', async () => {
    for (const route of [
      'GET /v10/posts',
      'GET /api/healthy',
      'GET /wp-login.php',
      'GET /robots.txt',
      'GET /x',
    ]) {
      const answer = await call('not-found', { route, sourceIp: '198.51.100.20' });
      expect([answer.status, answer.headers['x-ratelimit-limit']]).toEqual([404, undefined]);
    }
  });

  it('does not apply to the health check', async () => {
    for (let turn = 0; turn < 7; turn += 1) {
      expect((await call('health', { sourceIp: '198.51.100.8' })).status).toBe(200);
    }
  });

  it('lets at most its number pass, however many requests are concurrent', async () => {
    const answers = await Promise.all(Array.from({ length: 30 }, () => from('198.51.100.9')));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(5);
  });
});
