/* A client program, as a user of @hey-api/openapi-ts would write it. The test generates its client. */

import { client } from './generated/client.gen.ts';
import { createPost, createWebhook, listPosts, testWebhook, type WebhookEvent } from './generated/index.ts';
import { type Seen, type Setting, verifySignature } from './shared.ts';

export async function run({
  baseUrl,
  apiKey,
  endpointUrl,
  nextEvent,
  listsAreCurrent,
}: Setting): Promise<Seen> {
  client.setConfig({ baseUrl, auth: apiKey });

  const created: string[] = [];
  for (const content of ['Rye bread', 'Cinnamon rolls', 'Walnut bread']) {
    const { data, error } = await createPost({ body: { content, isDraft: true } });
    if (!data) throw new Error(error.error);
    created.push(data.post.id);
  }

  await listsAreCurrent();
  const listed: string[] = [];
  let pages = 0;
  for (let cursor: string | null | undefined; cursor !== null; pages += 1) {
    const { data, error } = await listPosts({
      query: { status: 'draft', limit: 2, ...(cursor !== undefined && { cursor }) },
    });
    if (!data) throw new Error(error.error);
    listed.push(...data.posts.map(({ id }) => id));
    cursor = data.nextCursor;
  }

  const refused = await createPost({
    body: { content: 'To nobody', platforms: [{ accountId: '0190a000-0000-7000-8000-000000000000' }] },
  });
  if (!refused.error) throw new Error('an unknown account was accepted');
  const { code, param } = refused.error;

  const registered = await createWebhook({ body: { url: endpointUrl, events: ['post.published'] } });
  if (!registered.data) throw new Error(registered.error.error);
  const { id, secret } = registered.data.webhook;
  await testWebhook({ path: { id } });
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
export async function misuse(): Promise<void> {
  // @ts-expect-error Content is text.
  await createPost({ body: { content: 1 } });
  // @ts-expect-error An endpoint needs a URL.
  await createWebhook({ body: { events: [] } });
  const { data } = await listPosts();
  // @ts-expect-error The page may be missing.
  void data.posts;
  // @ts-expect-error The list may be empty.
  void data?.posts[0].id;
}
