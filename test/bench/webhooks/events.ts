import { BatchWriteCommand } from '@aws-sdk/lib-dynamodb';
import { toTimestamp } from '../../../lib/kernel/clock.ts';
import { newId } from '../../../lib/kernel/ids.ts';
import { postItem } from '../../../lib/posts/stored/store.ts';
import type { Table } from '../../../lib/table/table.ts';
import { aPost, aTarget, openWorkspace } from '../../support/builders.ts';

const postsOfBatch = 25;

export interface Endpoint {
  readonly workspaceId: string;
  readonly webhookId: string;
}

/**
 * Creates a workspace with endpoints that subscribe to `post.published`.
 *
 * @returns the last endpoint
 */
export async function openWorkspaceWithEndpoints(
  { table, apiUrl, now }: { readonly table: Table; readonly apiUrl: string; readonly now: number },
  urls: readonly string[],
): Promise<Endpoint> {
  let webhookId = '';
  const { workspace, apiKey } = await openWorkspace(table, { now });
  for (const url of urls) {
    const answer = await fetch(`${apiUrl}/v1/webhooks`, {
      method: 'POST',
      headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
      body: JSON.stringify({ url, events: ['post.published'] }),
    });
    if (answer.status !== 201) throw new Error(`the endpoint was not created: ${answer.status}`);
    const { webhook } = (await answer.json()) as { webhook: { id: string } };
    webhookId = webhook.id;
  }
  return { workspaceId: workspace.id, webhookId };
}

/** A post that has just settled. Writing it is the commit that causes a webhook event. */
export function aSettledPost(workspaceId: string, atMs: number): Record<string, unknown> & { id: string } {
  const id = newId(atMs);
  const at = toTimestamp(atMs);
  const { wakeAt: _wakeAt, ...target } = aTarget({
    workspaceId,
    postId: id,
    status: 'published',
    scheduledFor: at,
    publishedAt: at,
    platformPostId: '18000000000000000',
    permalink: 'https://www.instagram.com/p/C0000000000/',
  });
  const post = aPost([target], {
    content: 'A post of three hundred characters. '.repeat(9).slice(0, 300),
    status: 'published',
    settledResult: `${target.accountId}:published`,
    scheduledFor: at,
    createdAt: at,
    updatedAt: at,
  });
  return { ...postItem(post), id };
}

/**
 * Commits settled posts as fast as the table takes them.
 *
 * @param workspaceIds get the posts in rotation
 * @returns when the write of each post began in epoch milliseconds, keyed by its id
 */
export async function commitPosts(
  table: Table,
  workspaceIds: readonly string[],
  count: number,
): Promise<ReadonlyMap<string, number>> {
  const committed = new Map<string, number>();
  let written = 0;
  const writer = async () => {
    while (written < count) {
      const first = written;
      written = Math.min(count, written + postsOfBatch);
      const now = Date.now();
      const posts = Array.from({ length: written - first }, (_, index) =>
        aSettledPost(workspaceIds[(first + index) % workspaceIds.length] ?? '', now),
      );
      for (const { id } of posts) committed.set(id, now);
      const RequestItems = { [table.name]: posts.map((Item) => ({ PutRequest: { Item } })) };
      const { UnprocessedItems = {} } = await table.client.send(new BatchWriteCommand({ RequestItems }));
      if (Object.keys(UnprocessedItems).length > 0)
        throw new Error('the engine did not write all posts of the batch');
    }
  };
  await Promise.all([writer(), writer()]);
  return committed;
}
