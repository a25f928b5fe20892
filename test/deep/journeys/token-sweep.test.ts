import { afterAll, beforeAll, expect, it } from 'vitest';
import * as z from 'zod';
import { connectAccount } from '../../../bin/dev/demo-workspaces.ts';
import { demoUsername } from '../../../bin/dev/platforms.ts';
import { dayMs, secondMs } from '../../../lib/kernel/clock.ts';
import { clientOf, until } from '../../journeys/support/client.ts';
import { advance } from '../../journeys/support/clock.ts';
import { platformOf } from '../../journeys/support/platforms.ts';
import { type Receiver, startReceiver } from '../../lib/webhooks/receiver.ts';
import { startTestCloud, type TestCloud } from '../../support/local-cloud.ts';

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
async function sweepForOneMonth(): Promise<void> {
  for (const days of [11, 10, 10]) await sweepAfter(days);
}

async function sweepAfter(days: number): Promise<void> {
  await advance(cloud, (days * dayMs) / secondMs);
  expect(await cloud.invoke('refresh-tokens', {})).toMatchObject({ ok: true });
}

/** The types of the events that the endpoint has received, each event once. */
function events(): string[] {
  const Event = z.object({ id: z.string(), type: z.string() });
  const all = receiver.received.map(({ body }) => Event.parse(JSON.parse(body.toString())));
  return [...new Map(all.map(({ id, type }) => [id, type])).values()];
}

it('an endpoint is told seven days and one day before an access ends, and when it has ended', async () => {
  const { other } = cloud;
  await platformOf(cloud, 'youtube').settings({ grantSeconds: (10 * dayMs) / secondMs });
  const connect = () => connectAccount(cloud.apiUrl, other.apiKey, 'youtube', demoUsername('other'));
  expect(await connect()).toBeUndefined();
  const body = { url: `${receiver.url}/hook`, events: ['account.expiring', 'account.expired'] };
  await clientOf(cloud, other).expectStatus(201, 'POST', '/v1/webhooks', body);

  await sweepAfter(2.5);
  await sweepAfter(1);
  await until(events, ({ length }) => length === 1);
  await sweepAfter(3);
  await sweepAfter(2.2);
  expect(events()).toEqual(['account.expiring']);
  await sweepAfter(0.8);
  await until(events, ({ length }) => length === 2);
  await sweepAfter(1);
  await until(events, ({ length }) => length === 3);
  expect(events()).toEqual(['account.expiring', 'account.expiring', 'account.expired']);
});

it('every account survives two months without posts, except one without refresh, which says so from the first day', async () => {
  const isSaidToEnd = (await accounts()).filter(({ meta }) => meta.reconnectBy !== undefined);
  expect(isSaidToEnd.map(({ platform }) => platform)).toEqual(['linkedin']);
  await sweepForOneMonth();
  expect(await unfit()).toEqual([]);
  await sweepForOneMonth();
  // The schedule may have started a run of its own, which then marks the account.
  await expect
    .poll(unfit)
    .toMatchObject([
      { platform: 'linkedin', status: 'expired', statusMessage: expect.stringContaining('60 days') },
    ]);
  expect(
    cloud.functionLines.filter((line) => /^refresh-tokens: .*"level":"(WARN|ERROR)"/.test(line)),
  ).toEqual([]);
});
