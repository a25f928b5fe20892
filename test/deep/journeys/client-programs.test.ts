import { afterAll, describe, expect, it } from 'vitest';
import { compile, generators, prepare, run } from '../../contract/clients/generate.ts';
import { clientOf, until } from '../../journeys/support/client.ts';
import { type Receiver, startReceiver } from '../../lib/webhooks/receiver.ts';
import type { CloudVisit } from '../../support/local-cloud.ts';
import { visitSharedCloud } from '../../support/shared-cloud.ts';

let cloud: CloudVisit;
let receiver: Receiver;
visitSharedCloud(async (visit) => {
  cloud = visit;
  receiver = await startReceiver();
});
afterAll(() => receiver.close());

describe.each(generators)('a program with the client that $name generates from the document', (generator) => {
  // Each has a workspace of its own, in which it is alone.
  const workspace = () => (generator.name === 'hey-api' ? cloud.other : cloud.demo);

  it('compiles strictly, and creates, lists, pages, reads an error and verifies an event', async () => {
    const answer = await fetch(`${cloud.apiUrl}/v1/openapi.json`);
    const document = (await answer.json()) as object;
    const folder = await prepare(generator, document);
    expect(await compile(folder, generator)).toBe('');

    const former = receiver.received.length;
    const seen = await run(folder, generator, {
      baseUrl: cloud.apiUrl,
      apiKey: workspace().apiKey,
      endpointUrl: `${receiver.url}/${generator.name}`,
      listsAreCurrent: () =>
        until(
          () => clientOf(cloud, workspace()).expectStatus(200, 'GET', '/v1/posts?status=draft'),
          (reply) => (reply.json() as { posts: unknown[] }).posts.length === 3,
        ),
      nextEvent: async () => {
        const [event] = await until(
          () => receiver.received.slice(former),
          ({ length }) => length > 0,
        );
        return { body: String(event?.body), signature: String(event?.headers['x-service-signature']) };
      },
    });
    expect(seen).toEqual({
      created: [expect.any(String), expect.any(String), expect.any(String)],
      listed: [...seen.created].reverse(),
      pages: 2,
      refusal: { code: expect.stringMatching(/^[a-z_]+$/), param: 'platforms[0].accountId' },
      event: seen.webhookId,
      webhookId: expect.any(String),
    });
  });
});
