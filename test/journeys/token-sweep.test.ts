import { afterAll, beforeAll, expect, it } from 'vitest';
import * as z from 'zod';
import { dayMs, secondMs } from '../../lib/kernel/clock.ts';
import { startTestCloud, type TestCloud } from '../support/local-cloud.ts';
import { clientOf } from './support/client.ts';
import { advance } from './support/clock.ts';

let cloud: TestCloud;
beforeAll(async () => {
  cloud = await startTestCloud();
});
afterAll(() => cloud.stop());

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
  for (const days of [11, 10, 10]) {
    await advance(cloud, (days * dayMs) / secondMs);
    expect(await cloud.invoke('refresh-tokens', {})).toMatchObject({ ok: true });
  }
}

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
