import { createHmac } from 'node:crypto';
import { afterAll, expect, it } from 'vitest';
import { secondMs } from '../../lib/kernel/clock.ts';
import { type Receiver, startReceiver } from '../lib/webhooks/receiver.ts';
import type { CloudVisit } from '../support/local-cloud.ts';
import { visitSharedCloud } from '../support/shared-cloud.ts';
import { clientOf, until } from './support/client.ts';

let cloud: CloudVisit;
let receiver: Receiver;
/** The statuses of the next responses of the receiver; then it answers 200. */
const statuses = [500];

visitSharedCloud(async (visit) => {
  cloud = visit;
  receiver = await startReceiver((response) => {
    response.statusCode = statuses.shift() ?? 200;
    response.end();
  });
});
afterAll(() => receiver.close());

it('a published post is sent to the endpoints of its workspace only, with retries until they accept it', async () => {
  const client = clientOf(cloud, cloud.demo);
  const foreign = clientOf(cloud, cloud.other);
  const register = async (who: typeof client, path: string) => {
    const body = { url: `${receiver.url}/${path}`, events: ['post.published', 'post.failed'] };
    const { webhook } = (await who.expectStatus(201, 'POST', '/v1/webhooks', body)).json() as {
      webhook: { id: string; secret: string };
    };
    return webhook;
  };
  const { id, secret } = await register(client, 'own');
  const other = await register(foreign, 'foreign');
  const post = await client.createPost({
    content: 'Hello',
    platforms: [{ accountId: client.accountId('threads') }],
    publishNow: true,
  });

  const log = async (webhookId: string, who = client) => {
    const { deliveries } = (
      await who.expectStatus(200, 'GET', `/v1/webhooks/${webhookId}/deliveries`)
    ).json() as { deliveries: { eventId: string; status: string; attempts: { statusCode: number }[] }[] };
    return deliveries;
  };
  await until(
    () => log(id),
    ([delivery]) => delivery !== undefined && delivery.attempts.length > 0,
  );
  cloud.clock.advance(6 * secondMs);
  const [first, second] = await until(
    () => receiver.received,
    ({ length }) => length === 2,
  );
  if (!first || !second) throw new Error('nothing was received');

  const event = JSON.parse(second.body.toString());
  expect(event).toMatchObject({
    type: 'post.published',
    data: { post: { id: post.id, status: 'published' } },
  });
  const read = await client.readPost(post.id);
  // Events leave out what only destinations hold, as lists do.
  const { editable: _onlyOfTheWholePost, ...whole } = read;
  const platforms = read.platforms.map(
    ({
      customContent,
      customMedia,
      platformSpecificData,
      adaptations,
      fit,
      padColor,
      focalPoint,
      linkCard,
      takeDown,
      ...listed
    }) => listed,
  );
  expect(event.data.post).toEqual({ ...whole, platforms });
  expect(second.body).toEqual(first.body);
  expect(second.headers['x-service-event-id']).toBe(event.id);
  const [, t, v1] = /^t=(\d+),v1=([0-9a-f]+)$/.exec(String(second.headers['x-service-signature'])) ?? [];
  expect(v1).toBe(createHmac('sha256', secret).update(`${t}.`).update(second.body).digest('hex'));

  const [delivery] = await until(
    () => log(id),
    ([entry]) => entry?.status === 'delivered',
  );
  expect(delivery).toMatchObject({ eventId: event.id, attempts: [{ statusCode: 500 }, { statusCode: 200 }] });
  expect(await log(other.id, foreign)).toEqual([]);
  expect(receiver.received).toHaveLength(2);
  expect(cloud.logged).toEqual([]);
});
