import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as z from 'zod';
import { connectAccount } from '../../../bin/dev/demo-workspaces.ts';
import { demoUsername } from '../../../bin/dev/platforms.ts';
import { clientOf, settled, targetOf, until } from '../../journeys/support/client.ts';
import { advance } from '../../journeys/support/clock.ts';
import { platformOf } from '../../journeys/support/platforms.ts';
import { type Receiver, startReceiver } from '../../lib/webhooks/receiver.ts';
import { startTestCloud, type TestCloud } from '../../support/local-cloud.ts';

let cloud: TestCloud;
let receiver: Receiver;
beforeAll(async () => {
  [cloud, receiver] = await Promise.all([startTestCloud(), startReceiver()]);
  const body = { url: `${receiver.url}/hook`, events: ['account.expired'] };
  await clientOf(cloud, cloud.demo).expectStatus(201, 'POST', '/v1/webhooks', body);
});
afterAll(async () => {
  receiver.close();
  await cloud.stop();
});

const username = demoUsername('demo');
const Account = z.object({
  account: z.object({
    status: z.string(),
    statusMessage: z.string().nullable(),
    username: z.string().nullable(),
  }),
});
const Event = z.object({ id: z.string(), data: z.object({ account: z.object({ id: z.string() }) }) });

const client = () => clientOf(cloud, cloud.demo);
const accountOf = async (platform: string) => {
  const answer = await client().expectStatus(200, 'GET', `/v1/accounts/${client().accountId(platform)}`);
  return Account.parse(answer.json()).account;
};
/** The events that say that the account has expired, each once. */
const eventsOf = (platform: string) => {
  const all = receiver.received.map(({ body }) => Event.parse(JSON.parse(body.toString())));
  const own = all.filter(({ data }) => data.account.id === client().accountId(platform));
  return new Set(own.map(({ id }) => id)).size;
};
/** The sweep runs every minute. */
const aMinuteLater = () => advance(cloud, 61);

describe.each(['facebook', 'instagram', 'threads'])('%s', (platform) => {
  it('says that a person has removed the app: the account expires, and the workspace hears of it once', async () => {
    await platformOf(cloud, platform).deauthorize(username);
    await aMinuteLater();
    await until(
      () => accountOf(platform),
      ({ status }) => status === 'expired',
    );
    expect(await accountOf(platform)).toMatchObject({
      statusMessage: expect.stringContaining('owner has removed this app'),
      username: expect.anything(),
    });
    await until(
      () => eventsOf(platform),
      (count) => count === 1,
    );
  });

  it('leaves the connection alone that the person makes afterwards', async () => {
    expect(await connectAccount(cloud.apiUrl, cloud.demo.apiKey, platform, username)).toBeUndefined();
    expect(await accountOf(platform)).toMatchObject({ status: 'ok' });
    await aMinuteLater();
    expect(await accountOf(platform)).toMatchObject({ status: 'ok' });
  });

  it('passes on the wish that data be deleted: the page says so, and the account has no profile left', async () => {
    const { url, confirmationCode } = await platformOf(cloud, platform).deleteData(username);
    const look = async () => (await fetch(url)).text();
    // The sweep may have been quicker.
    expect(await look()).toMatch(/Your data is (being )?deleted/);
    await aMinuteLater();
    const page = await until(look, (text) => text.includes('Your data is deleted'));
    expect(page).toContain(confirmationCode);
    expect(page).not.toContain(username);
    expect(await accountOf(platform)).toMatchObject({ status: 'expired', username: null });
    await until(
      () => eventsOf(platform),
      (count) => count === 2,
    );
  });

  it('fails a post to the account with the reason', async () => {
    const accountId = client().accountId(platform);
    const post = await client().createPost({
      content: 'hello',
      mediaItems: [{ type: 'image', url: await client().upload('image.jpg') }],
      platforms: [{ accountId }],
      publishNow: true,
    });
    const { status, error } = targetOf(await settled(client(), post.id), platform);
    expect([status, error]).toEqual(['failed', expect.stringContaining('have this app delete their data')]);
  });
});

it('no function fails on the way', () => {
  expect(
    cloud.functionLines.filter((line) =>
      /^(sweep-withdrawals|platforms-)\S*: .*"level":"(WARN|ERROR)"/.test(line),
    ),
  ).toEqual([]);
});
