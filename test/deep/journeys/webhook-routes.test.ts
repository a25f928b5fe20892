import { createHmac } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, expect, it } from 'vitest';
import { type Client, clientOf, until } from '../../journeys/support/client.ts';
import type { CloudVisit } from '../../support/local-cloud.ts';
import { visitSharedCloud } from '../../support/shared-cloud.ts';

interface Received {
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: string;
}

let cloud: CloudVisit;
let client: Client;
let receiver: Server;
/** The status that the receiver returns. */
let status = 200;
const received: Received[] = [];

visitSharedCloud(async (visit) => {
  cloud = visit;
  client = clientOf(cloud, cloud.demo);
  receiver = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    received.push({ headers: request.headers, body: Buffer.concat(chunks).toString() });
    response.statusCode = status;
    response.end('noted');
  });
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
});
afterAll(() => {
  receiver.close();
});

type Shown = Record<string, never>;
const ask = async (expected: number, method: string, path: string, body?: unknown) =>
  (await client.expectStatus(expected, method, path, body)).json() as Record<string, Shown>;

const theLog = async (id: string) =>
  (await ask(200, 'GET', `/v1/webhooks/${id}/deliveries`))['deliveries'] as unknown as Record<
    string,
    unknown
  >[];

const signature = ({ headers, body }: Received, secret: string) => {
  const [, t] = /^t=(\d+),/.exec(String(headers['x-service-signature'])) ?? [];
  return `v1=${createHmac('sha256', secret).update(`${t}.${body}`).digest('hex')}`;
};

it('an endpoint can be registered, tested, changed and deleted, its secret rotated and its deliveries sent again', async () => {
  const { port } = receiver.address() as AddressInfo;
  const url = `http://localhost:${port}/hook`;
  const made = (await ask(201, 'POST', '/v1/webhooks', { url, events: ['post.failed'] }))['webhook'];
  const { id, secret } = made as unknown as { id: string; secret: string };
  await client.expectStatus(409, 'POST', '/v1/webhooks', { url, events: ['post.failed'] });

  const tested = (await ask(202, 'POST', `/v1/webhooks/${id}/test`))['delivery'];
  const [first] = await until(
    () => received,
    ({ length }) => length === 1,
  );
  if (!first) throw new Error('nothing was received');
  expect(first.headers['x-service-signature']).toContain(signature(first, secret));
  expect(JSON.parse(first.body)).toMatchObject({ type: 'webhook.test', data: { webhookId: id } });
  const [delivered] = await until(
    () => theLog(id),
    ([entry]) => entry?.['status'] === 'delivered',
  );
  expect(delivered).toMatchObject({
    id: tested?.['id'],
    attempts: [{ statusCode: 200, responseStart: 'noted', error: null }],
    nextAttemptAt: null,
  });

  const rotated = (await ask(200, 'POST', `/v1/webhooks/${id}/rotate-secret`))['webhook'] as unknown as {
    secret: string;
  };
  await ask(202, 'POST', `/v1/webhooks/${id}/deliveries/${tested?.['id']}/redeliver`);
  const [, again] = await until(
    () => received,
    ({ length }) => length === 2,
  );
  if (!again) throw new Error('nothing was received again');
  expect(again.body).toBe(first.body);
  expect(again.headers['x-service-delivery-id']).toBe(first.headers['x-service-delivery-id']);
  const both = `${signature(again, rotated.secret)},${signature(again, secret)}`;
  expect(String(again.headers['x-service-signature']).replace(/^t=\d+,/, '')).toBe(both);

  status = 410;
  await ask(202, 'POST', `/v1/webhooks/${id}/test`);
  await until(
    async () => (await ask(200, 'GET', `/v1/webhooks/${id}`))['webhook'],
    (webhook) => webhook?.['status'] === 'disabled',
  );
  await client.expectStatus(409, 'POST', `/v1/webhooks/${id}/test`);

  status = 200;
  await until(
    () => theLog(id),
    (entries) => entries.some((entry) => entry['status'] === 'failed'),
  );
  const moved = `http://127.0.0.1:${port}/moved`;
  await ask(200, 'PATCH', `/v1/webhooks/${id}`, { isActive: true, url: moved });
  const since = '2026-01-01T00:00:00Z';
  const failed = await ask(202, 'POST', `/v1/webhooks/${id}/redeliver-failed`, { since });
  expect(failed).toEqual({ redelivered: 1, nextCursor: null, warnings: [] });
  await until(
    () => received,
    ({ length }) => length === 4,
  );

  const { webhooks } = await ask(200, 'GET', '/v1/webhooks');
  expect(webhooks).toMatchObject([{ id, url: moved, status: 'active', statusMessage: null }]);
  expect(await ask(200, 'DELETE', `/v1/webhooks/${id}`)).toEqual({ ok: true });
  await client.expectStatus(404, 'GET', `/v1/webhooks/${id}/deliveries`);

  for (const shown of [secret, rotated.secret]) {
    expect(cloud.functionLines.filter((line) => line.includes(shown))).toEqual([]);
  }
  expect(cloud.functionLines.filter((line) => line.includes('"level":"ERROR"'))).toEqual([]);
});
