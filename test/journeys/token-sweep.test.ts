import { afterAll, beforeAll, expect, it } from 'vitest';
import * as z from 'zod';
import { dayMs, secondMs } from '../../lib/kernel/clock.ts';
import { type Receiver, startReceiver } from '../lib/webhooks/receiver.ts';
import { startTestCloud, type TestCloud } from '../support/local-cloud.ts';
import { clientOf, until } from './support/client.ts';
import { advance } from './support/clock.ts';

let cloud: TestCloud;
let receiver: Receiver;
beforeAll(async () => {
  [cloud, receiver] = await Promise.all([startTestCloud(), startReceiver()]);
});
afterAll(async () => {
  receiver.close();
  await cloud.stop();
});

const Accounts = z.object({
  accounts: z.array(
    z.object({
      platform: z.string(),
      status: z.string(),
      statusMessage: z.string().nullable(),
      meta: z.looseObject({ reconnectBy: z.iso.datetime().optional() }),
    }),
  ),
});

async function accounts() {
  const { text } = await clientOf(cloud, cloud.demo).request('GET', '/v1/accounts');
  return Accounts.parse(JSON.parse(text)).accounts;
}

const unfit = async () => (await accounts()).filter(({ status }) => status !== 'ok');

/** Far fewer sweeps than in AWS, but enough that a renewal that fails once is retried before the token expires. */
async function sweepAfter(...eachDays: readonly number[]): Promise<void> {
  for (const days of eachDays) {
    await advance(cloud, (days * dayMs) / secondMs);
    expect(await cloud.invoke('refresh-tokens', {})).toMatchObject({ ok: true });
  }
}

const Event = z.object({
  id: z.string(),
  type: z.string(),
  createdAt: z.iso.datetime(),
  data: z.object({
    account: z.object({ platform: z.string(), meta: z.looseObject({ reconnectBy: z.string() }) }),
  }),
});

/** The events that the endpoint has received, each once: its type, platform, and the whole days until the access ends. */
function events(): string[] {
  const all = receiver.received.map(({ body }) => Event.parse(JSON.parse(body.toString())));
  return [...new Map(all.map((event) => [event.id, event])).values()].map(({ type, createdAt, data }) => {
    const { platform, meta } = data.account;
    return `${type} ${platform} ${Math.floor((Date.parse(meta.reconnectBy) - Date.parse(createdAt)) / dayMs)}`;
  });
}

it('every account survives two months without posts, except one without refresh, which says so from the first day', async () => {
  const isSaidToEnd = (await accounts()).filter(({ meta }) => meta.reconnectBy !== undefined);
  expect(isSaidToEnd.map(({ platform }) => platform)).toEqual(['linkedin']);
  const body = { url: `${receiver.url}/hook`, events: ['account.expiring', 'account.expired'] };
  await clientOf(cloud, cloud.demo).expectStatus(201, 'POST', '/v1/webhooks', body);
  await sweepAfter(11, 10, 10);
  expect(await unfit()).toEqual([]);
  await sweepAfter(11, 10);
  expect(events()).toEqual([]);
  await sweepAfter(1.5);
  await until(events, ({ length }) => length > 0);
  await sweepAfter(2, 2);
  expect(events()).toEqual(['account.expiring linkedin 6']);
  await sweepAfter(2);
  await until(events, ({ length }) => length > 1);
  expect(events()[1]).toBe('account.expiring linkedin 0');
  expect(await unfit()).toEqual([]);
  await sweepAfter(2.5);
  // The schedule may have started a run of its own, which then marks the account.
  await expect
    .poll(unfit)
    .toMatchObject([
      { platform: 'linkedin', status: 'expired', statusMessage: expect.stringContaining('60 days') },
    ]);
  await until(events, ({ length }) => length > 2);
  expect(events().slice(2)).toEqual(['account.expired linkedin -2']);
  expect(
    cloud.functionLines.filter((line) => /^refresh-tokens: .*"level":"(WARN|ERROR)"/.test(line)),
  ).toEqual([]);
});
