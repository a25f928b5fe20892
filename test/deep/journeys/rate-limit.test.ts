import { once } from 'node:events';
import { request } from 'node:http';
import { json } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Answer, type Client, clientOf } from '../../journeys/support/client.ts';
import { advanceTo } from '../../journeys/support/clock.ts';
import { startTestCloud, type TestCloud } from '../../support/local-cloud.ts';

const limit = 40;
const minuteMs = 60_000;

let cloud: TestCloud;
let client: Client;
beforeAll(async () => {
  cloud = await startTestCloud({ rateLimitPerMinute: limit });
  client = clientOf(cloud, cloud.demo);
});
afterAll(() => cloud.stop());

const nextMinute = () => advanceTo(cloud, Math.ceil(cloud.clock.now() / minuteMs) * minuteMs);

/** Returns the seconds left of the current minute. */
const secondsLeft = () => (minuteMs - (cloud.clock.now() % minuteMs)) / 1_000;

async function askAtOnce(times: number, headers: Record<string, string> = {}): Promise<Answer[]> {
  return Promise.all(
    Array.from({ length: times }, () => client.request('GET', '/v1/accounts', undefined, headers)),
  );
}

const statuses = (answers: readonly Answer[]) => answers.map(({ status }) => status).sort();

describe('an address that sends too many requests', () => {
  it('gets 429 with the time to wait, starting with the first request over the limit', async () => {
    await nextMinute();
    const firstSeconds = secondsLeft();
    const answers = await askAtOnce(limit + 5);
    const lastSeconds = secondsLeft();
    expect(statuses(answers)).toEqual([...Array(limit).fill(200), ...Array(5).fill(429)]);
    for (const { status, headers, text } of answers) {
      expect(headers.get('x-ratelimit-limit')).toBe(String(limit));
      expect(headers.get('x-request-id')).not.toBeNull();
      if (status === 200) continue;
      expect(headers.get('x-ratelimit-remaining')).toBe('0');
      const retryAfterSeconds = Number(headers.get('retry-after'));
      expect(retryAfterSeconds).toBeGreaterThanOrEqual(Math.floor(lastSeconds));
      expect(retryAfterSeconds).toBeLessThanOrEqual(Math.ceil(firstSeconds));
      expect(JSON.parse(text)).toEqual({
        error: 'too many requests from this address',
        code: 'rate_limited',
        docUrl: expect.stringMatching(/\/docs\/errors\/rate_limited$/),
      });
    }
    const left = answers.map(({ headers }) => Number(headers.get('x-ratelimit-remaining')));
    expect(Math.max(...left)).toBe(limit - 1);
  });

  it('is refused on every route under /v1, whatever its key and its forwarding headers', async () => {
    for (const [method, path, headers] of [
      ['GET', '/v1/accounts', { 'x-forwarded-for': '203.0.113.9' }],
      ['GET', '/api/v1/posts', { forwarded: 'for=203.0.113.9', 'x-real-ip': '203.0.113.9' }],
      ['POST', '/v1/posts', { authorization: `Bearer ${cloud.other.apiKey}` }],
      ['GET', '/v1/openapi.json', {}],
      ['GET', '/v1/nothing', {}],
      ['DELETE', '/api/v1/posts', {}],
    ] as const) {
      await client.expectStatus(429, method, path, undefined, headers);
    }
  });

  it('may still call the health check', async () => {
    await client.expectStatus(200, 'GET', '/health');
  });

  it('does not affect another address', async () => {
    const { hostname, port } = new URL(cloud.apiUrl);
    const asked = request({
      hostname,
      port,
      path: '/v1/accounts',
      localAddress: '127.0.0.2',
      headers: { authorization: `Bearer ${cloud.demo.apiKey}` },
    }).end();
    const [response] = await once(asked, 'response');
    expect(await json(response)).toHaveProperty('accounts');
    expect(response.headers['x-ratelimit-remaining']).toBe(String(limit - 1));
  });

  it('is served again in the next minute; requests that match no route count too', async () => {
    await nextMinute();
    expect(statuses(await askAtOnce(3))).toEqual([200, 200, 200]);
    const { headers } = await client.expectStatus(404, 'GET', '/v1/nothing');
    expect(headers.get('x-ratelimit-remaining')).toBe(String(limit - 4));
  });
});
