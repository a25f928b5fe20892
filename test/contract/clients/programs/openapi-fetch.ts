/* A client program, as a user of openapi-typescript and openapi-fetch would write it. The test generates `schema.ts`. */
import createClient from 'openapi-fetch';
import type { components, paths } from './generated/schema.ts';
import { type Seen, type Setting, verifySignature } from './shared.ts';

type WebhookEvent = components['schemas']['WebhookEvent'];

export async function run({
  baseUrl,
  apiKey,
  endpointUrl,
  nextEvent,
  listsAreCurrent,
}: Setting): Promise<Seen> {
  const client = createClient<paths>({ baseUrl, headers: { Authorization: `Bearer ${apiKey}` } });

  const created: string[] = [];
  for (const content of ['Rye bread', 'Cinnamon rolls', 'Walnut bread']) {
    const { data, error } = await client.POST('/v1/posts', { body: { content, isDraft: true } });
    if (error) throw new Error(error.error);
    created.push(data.post.id);
  }

  await listsAreCurrent();
  const listed: string[] = [];
  let pages = 0;
  for (let cursor: string | null | undefined; cursor !== null; pages += 1) {
    const query = { status: 'draft', limit: 2, ...(cursor !== undefined && { cursor }) } as const;
    const { data, error } = await client.GET('/v1/posts', { params: { query } });
    if (error) throw new Error(error.error);
    listed.push(...data.posts.map(({ id }) => id));
    cursor = data.nextCursor;
  }

  const refused = await client.POST('/v1/posts', {
    body: { content: 'To nobody', platforms: [{ accountId: '0190a000-0000-7000-8000-000000000000' }] },
  });
  if (!refused.error) throw new Error('an unknown account was accepted');
  const { code, param } = refused.error;

  const registered = await client.POST('/v1/webhooks', {
    body: { url: endpointUrl, events: ['post.published'] },
  });
  if (registered.error) throw new Error(registered.error.error);
  const { id, secret } = registered.data.webhook;
  await client.POST('/v1/webhooks/{id}/test', { params: { path: { id } } });
  const { body, signature } = await nextEvent();
  verifySignature(body, signature, secret);

  return {
    created,
    listed,
    pages,
    refusal: { code, param },
    event: describe(JSON.parse(body) as WebhookEvent),
    webhookId: id,
  };
}

/** The compiler knows the data of each type of event. */
function describe(event: WebhookEvent): string {
  switch (event.type) {
    case 'post.published':
      return event.data.post.platforms.map(({ permalink }) => permalink).join(' ');
    case 'account.expired':
      return event.data.account.username ?? '';
    case 'webhook.test':
      // @ts-expect-error This event has no post.
      void event.data.post;
      return event.data.webhookId;
    default:
      return '';
  }
}

/** Contains calls that must not compile. */
export async function misuse(client: ReturnType<typeof createClient<paths>>): Promise<void> {
  // @ts-expect-error There is no such route.
  await client.GET('/v1/pots');
  // @ts-expect-error Content is text.
  await client.POST('/v1/posts', { body: { content: 1 } });
  // @ts-expect-error An endpoint needs a URL.
  await client.POST('/v1/webhooks', { body: { events: [] } });
  const { data } = await client.GET('/v1/posts');
  // @ts-expect-error The page may be missing.
  void data.posts;
  // @ts-expect-error The list may be empty.
  void data?.posts[0].id;
}
