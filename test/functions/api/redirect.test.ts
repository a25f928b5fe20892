import { randomUUID } from 'node:crypto';
import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, inject, it, vi } from 'vitest';
import { build } from '../../../functions/api/redirect.ts';
import type { Reply } from '../../../functions/middleware/reply.ts';
import { log } from '../../../functions/wire/redirect.ts';
import { environmentOf } from '../../../functions/wire/start.ts';
import { readClicks } from '../../../lib/links/clicks.ts';
import { clickLost, linkUnreadable } from '../../../lib/links/link-table.ts';
import { linkWrites, planLinks } from '../../../lib/links/plan.ts';
import type { Table } from '../../../lib/table/table.ts';
import { transact } from '../../../lib/table/transaction.ts';
import { apiEvent, linksOf, type RequestParts } from '../../support/api.ts';
import { type Fault, type StagedEndpoint, startStagedEndpoint } from '../../support/staged-endpoint.ts';
import { stopTime } from '../../support/stopped-time.ts';
import { createEngineTable } from '../../support/table.ts';

type Handler = (event: APIGatewayProxyEventV2) => Promise<Reply>;

const target = 'https://example.com/shop?from=herald#top';
const unknown = 'unknown123456';
const today = '2026-03-01';
const noon = Date.parse(`${today}T12:00:00Z`);

let table: Table;
let endpoint: StagedEndpoint;
let handler: Handler;
let logged: string;

beforeAll(async () => {
  table = await createEngineTable();
  // The table's own client uses the engine directly; the function's calls go through a proxy that injects faults.
  endpoint = await startStagedEndpoint(inject('databaseEndpoint'));
});
afterAll(() => endpoint.stop());

const handlerAt = (endpointUrl: string): Handler =>
  build({ links: linksOf(table, endpointUrl, pause), log: log(environmentOf({})) });
const pause = async (milliseconds: number) => void vi.advanceTimersByTime(milliseconds);

/** Starts a new instance of the function, with an empty cache. */
beforeEach(() => {
  stopTime(noon);
  handler = handlerAt(endpoint.url);
  endpoint.stage = () => undefined;
  endpoint.calls.length = 0;
  logged = '';
  vi.spyOn(process.stdout, 'write').mockImplementation((text) => {
    logged += text;
    return true;
  });
});
afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
});

async function newLink(url = target): Promise<string> {
  const [link] = planLinks([url]);
  if (!link) throw new Error('no link');
  const owner = { workspaceId: randomUUID(), automationId: randomUUID(), createdAt: `${today}T00:00:00Z` };
  await transact(table, linkWrites(table, [link], owner));
  return link.code;
}

const follow = (code: string, parts: RequestParts & { method?: string } = {}) =>
  handler(apiEvent(`${parts.method ?? 'GET'} /r/{code}`, { path: { code }, ...parts }));
const clicksOf = async (code: string) => (await readClicks(table, [code])).get(code)?.total;
const failing = (operation: string, ...faults: Fault[]) => {
  endpoint.stage = (called) => (called === operation ? faults.shift() : undefined);
};

/** Never answers from now on. Only a limit can end a call then, so the time goes on to the next one. */
function hang(): void {
  endpoint.stage = () => {
    setImmediate(() => vi.advanceTimersToNextTimer());
    return 'hang';
  };
}

describe('a tracked link', () => {
  it('does not exist at the panel’s host, which must lead nowhere else', async () => {
    const code = await newLink();
    const reply = await follow(code, { headers: { 'x-origin-secret': 'secret-of-the-origin' } });
    expect([reply.statusCode, reply.headers['location']]).toEqual([404, undefined]);
    expect(await clicksOf(code)).toBe(0);
  });

  it('redirects to its destination and counts the click', async () => {
    const code = await newLink();
    const reply = await follow(code);
    expect(reply).toEqual({
      statusCode: 302,
      headers: {
        location: target,
        'cache-control': 'private, no-store',
        'referrer-policy': 'no-referrer',
        'strict-transport-security': 'max-age=31536000',
        'x-content-type-options': 'nosniff',
        'x-robots-tag': 'noindex',
        'x-request-id': expect.any(String),
      },
    });
    expect(await readClicks(table, [code])).toEqual(
      new Map([[code, { total: 1, days: [{ day: today, clicks: 1 }] }]]),
    );
  });

  it.each(['/', '_', '.', '%E9%A2%86', '領取', '?', ')'])(
    'redirects as well if a messenger took %j behind it for a part of it',
    async (rest) => {
      const code = await newLink();
      const { statusCode, headers } = await follow(`${code}${rest}`);
      expect([statusCode, headers['location']]).toEqual([302, target]);
      expect(await clicksOf(code)).toBe(1);
    },
  );

  it('redirects nowhere else, whatever the query contains', async () => {
    const code = await newLink();
    const { headers } = await follow(code, { query: 'url=https://evil.example&location=//evil.example' });
    expect(headers['location']).toBe(target);
  });

  it('counts clicks per day in UTC', async () => {
    const code = await newLink();
    await follow(code);
    vi.setSystemTime(Date.parse('2026-03-02T00:00:00Z'));
    await follow(code);
    await follow(code);
    expect((await readClicks(table, [code])).get(code)?.days).toEqual([
      { day: today, clicks: 1 },
      { day: '2026-03-02', clicks: 2 },
    ]);
  });

  it('counts every one of many concurrent clicks', async () => {
    const code = await newLink();
    await follow(code);
    for (let round = 0; round < 20; round += 1) {
      await Promise.all(Array.from({ length: 10 }, () => follow(code)));
    }
    expect(await clicksOf(code)).toBe(201);
    expect(logged).toBe('');
  });

  it.each([
    ['HEAD', { method: 'HEAD' }],
    ['a preview crawler', { headers: { 'user-agent': 'facebookexternalhit/1.1' } }],
    ['a prefetch', { headers: { 'sec-purpose': 'prefetch;prerender' } }],
  ])('redirects without counting for %s', async (_who, parts) => {
    const code = await newLink();
    const { statusCode, headers } = await follow(code, parts);
    expect([statusCode, headers['location']]).toEqual([302, target]);
    expect(endpoint.calls).toEqual(['GetItem']);
    expect(await clicksOf(code)).toBe(0);
  });

  it('counts clicks inside an app', async () => {
    const code = await newLink();
    const agent =
      'Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/15E148 Instagram 332.0.7.26.109 (iPhone15,3)';
    await follow(code, { headers: { 'user-agent': agent } });
    expect(await clicksOf(code)).toBe(1);
  });

  it('is looked up at most once a minute', async () => {
    const code = await newLink();
    const head = () => follow(code, { method: 'HEAD' });
    await head();
    vi.setSystemTime(noon + 59_000);
    await head();
    expect(endpoint.calls).toEqual(['GetItem']);
    vi.setSystemTime(noon + 60_000);
    await head();
    expect(endpoint.calls).toEqual(['GetItem', 'GetItem']);
  });
});

describe('an unknown code', () => {
  const refusal = JSON.stringify({
    error: 'link not found',
    code: 'not_found',
    docUrl: 'https://api.example.com/docs/errors/not_found',
  });

  it('gets 404 with the usual error body', async () => {
    const reply = await follow(unknown);
    expect([reply.statusCode, reply.body]).toEqual([404, refusal]);
    expect(reply.headers).toMatchObject({ 'content-type': 'application/json; charset=utf-8' });
    expect(reply.headers['x-request-id']).toBeTruthy();
  });

  it('gets a page if a person opens it', async () => {
    const reply = await follow(unknown, { headers: { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' } });
    expect(reply.statusCode).toBe(404);
    expect(reply.headers).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-store',
      'x-robots-tag': 'noindex',
    });
    expect(reply.body).toContain('This link leads nowhere');
    expect(reply.body).not.toContain(unknown);
  });

  it('is looked up at most every five seconds, and never counted', async () => {
    await follow(unknown);
    vi.setSystemTime(noon + 4_999);
    await follow(unknown);
    expect(endpoint.calls).toEqual(['GetItem']);
    vi.setSystemTime(noon + 5_000);
    await follow(unknown);
    expect(endpoint.calls).toEqual(['GetItem', 'GetItem']);
  });

  it('gets no body for HEAD', async () => {
    const { statusCode, body } = await follow(unknown, { method: 'HEAD' });
    expect([statusCode, body]).toEqual([404, undefined]);
  });

  it.each([
    [
      '',
      '..',
      '.',
      '%00',
      '%2e%2e',
      '../../etc/passwd',
      'abcdefghi/..',
      'abcdefghi\u0000',
      '\ud800abcdefghij',
    ],
    ['ａｂｃｄｅｆｇｈｉｊ', 'ABCDEFGHI\u0130', '日本語日本語日本語日本', 'x'.repeat(10_240), '__proto__'],
    ["abcdefghi' OR 1=1", 'abcdefghi\r\nSet-Cookie: a=b', 'abcdefghi\n', 'abcdefghi#', 'LINK#abcdefghij'],
  ])('is not looked up if it is not a valid code: %j …', async (...codes) => {
    for (const code of codes) {
      const { statusCode, body, headers } = await follow(code);
      expect([code, statusCode, body]).toEqual([code, 404, refusal]);
      expect(JSON.stringify(headers)).not.toMatch(/Set-Cookie|location/i);
    }
    expect(endpoint.calls).toEqual([]);
  });
});

describe('a table that fails', () => {
  it.each<[Fault]>([['throttle'], ['fault'], ['lose'], ['fault-after'], ['garble']])(
    'is read again after %s',
    async (fault) => {
      const code = await newLink();
      failing('GetItem', fault, fault);
      expect((await follow(code)).statusCode).toBe(302);
      expect(endpoint.calls).toEqual(['GetItem', 'GetItem', 'GetItem', 'UpdateItem']);
    },
  );

  it('leads to 503 with Retry-After after three attempts', async () => {
    const code = await newLink();
    failing('GetItem', 'fault', 'fault', 'fault');
    const { statusCode, headers, body } = await follow(code);
    expect(statusCode).toBe(503);
    expect(Number(headers['retry-after'])).toBeGreaterThan(0);
    expect(JSON.parse(body ?? '')).toEqual({
      error: 'the link cannot be looked up at the moment',
      code: 'unavailable',
      docUrl: 'https://api.example.com/docs/errors/unavailable',
    });
    expect(endpoint.calls).toEqual(['GetItem', 'GetItem', 'GetItem']);
    expect((await follow(code)).statusCode).toBe(302);
  });

  it('is not read again if the result would be the same', async () => {
    failing('GetItem', 'deny', 'deny');
    expect((await follow(await newLink())).statusCode).toBe(503);
    expect(endpoint.calls).toEqual(['GetItem']);
    expect(logged).toContain('AccessDeniedException');
  });

  it('does not affect cached links, however old, and is read for them every five seconds', async () => {
    const code = await newLink();
    await follow(code);
    endpoint.stage = () => 'fault';
    vi.setSystemTime(noon + 3_600_000);
    const reads = () => endpoint.calls.filter((operation) => operation === 'GetItem').length;
    const before = reads();
    expect((await follow(code)).headers['location']).toBe(target);
    const asked = reads();
    expect(asked).toBeGreaterThan(before);
    expect((await follow(code)).headers['location']).toBe(target);
    expect(reads()).toBe(asked);
    vi.setSystemTime(noon + 3_605_000);
    expect((await follow(code)).headers['location']).toBe(target);
    expect(reads()).toBeGreaterThan(asked);
    endpoint.stage = () => undefined;
    vi.setSystemTime(noon + 3_610_000);
    expect((await follow(code)).headers['location']).toBe(target);
  });

  it('delays nobody who clicks a cached link', async () => {
    const code = await newLink();
    await follow(code);
    hang();
    vi.setSystemTime(noon + 3_600_000);
    const startedAt = performance.now();
    expect((await follow(code)).headers['location']).toBe(target);
    // A quarter of a second to look the link up again, and 100 ms to count the click.
    expect(performance.now() - startedAt).toBe(350);
  });

  it('is logged, without anything about the person', async () => {
    failing('GetItem', 'fault', 'fault', 'fault');
    const headers = { 'user-agent': 'Somebody/1.0', cookie: 'secret=1', 'x-forwarded-for': '198.51.100.9' };
    await follow(await newLink(), { headers, sourceIp: '198.51.100.9' });
    expect(JSON.parse(logged)).toMatchObject({ level: 'ERROR', message: linkUnreadable });
    expect(logged).not.toMatch(/Somebody|secret|198\.51/);
  });
});

describe('a click counter', () => {
  it('that is throttled is retried on another shard', async () => {
    const code = await newLink();
    failing('UpdateItem', 'throttle', 'throttle', 'throttle');
    expect((await follow(code)).statusCode).toBe(302);
    expect(await clicksOf(code)).toBe(1);
    expect(logged).toBe('');
  });

  it.each<[Fault, number]>([
    ['lose', 1],
    ['fault-after', 1],
    ['fault', 0],
    ['garble', 0],
    ['deny', 0],
  ])('is not retried after %s, so that no click counts twice', async (fault, clicks) => {
    const code = await newLink();
    endpoint.stage = (operation) => (operation === 'UpdateItem' ? fault : undefined);
    const { statusCode, headers } = await follow(code);
    expect([statusCode, headers['location']]).toEqual([302, target]);
    expect(endpoint.calls).toEqual(['GetItem', 'UpdateItem']);
    expect(await clicksOf(code)).toBe(clicks);
    expect(JSON.parse(logged)).toMatchObject({ level: 'WARN', message: clickLost });
  });

  it('that does not respond delays the redirect by 100 ms', async () => {
    const code = await newLink();
    await follow(code);
    hang();
    const startedAt = performance.now();
    expect((await follow(code)).statusCode).toBe(302);
    expect(performance.now() - startedAt).toBe(100);
  });

  it('that is always throttled delays the redirect no longer', async () => {
    const code = await newLink();
    await follow(code);
    endpoint.stage = () => 'throttle';
    const startedAt = performance.now();
    expect((await follow(code)).statusCode).toBe(302);
    expect(performance.now() - startedAt).toBeLessThan(100);
    expect(endpoint.calls).toEqual(['GetItem', ...Array.from({ length: 5 }, () => 'UpdateItem')]);
  });
});

describe('connections', () => {
  it('are kept for half a minute and not reused later, because the other side may have closed them', async () => {
    const code = await newLink();
    await follow(code);
    const opened = endpoint.connections();
    vi.setSystemTime(noon + 29_000);
    await follow(code);
    expect(endpoint.connections()).toBe(opened);
    vi.setSystemTime(noon + 60_000);
    await follow(code);
    expect(endpoint.connections()).toBe(opened + 1);
  });

  it('that are refused are logged with the reason', async () => {
    const code = await newLink();
    const unreachable = handlerAt('http://127.0.0.1:1');
    const { statusCode } = await unreachable(apiEvent('GET /r/{code}', { path: { code } }));
    expect(statusCode).toBe(503);
    expect(JSON.parse(logged).error).toBe('GetItem: ECONNREFUSED');
  });
});
