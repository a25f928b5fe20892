import { batchesOf } from '../../kernel/batches.ts';
import type { Clock } from '../../kernel/clock.ts';
import { putRepairTask } from '../../overdue/repair-tasks.ts';
import type { ItemChange } from '../../table/stream.ts';
import type { Table } from '../../table/table.ts';
import { indexPost, type PostName } from './index-post.ts';

/**
 * Returns the post whose index a committed change may concern; `undefined` if none. A roll-up leaves the digest as it is. An earlier
 * release stores none, so every change of its posts counts; `indexPost` then finds that nothing is to be written. Pure.
 */
export function postToIndex({ before, after }: ItemChange): PostName | undefined {
  const item = after ?? before;
  if (item?.['kind'] !== 'post') return undefined;
  const digest = after?.['searchDigest'];
  if (before !== undefined && digest !== undefined && digest === before['searchDigest']) return undefined;
  return { workspaceId: String(item['workspaceId']), postId: String(item['id']) };
}

interface IndexPorts {
  readonly table: Table;
  readonly now: Clock;
  /** Called for each post that is left to the sweep. */
  readonly report: (post: PostName, error: unknown) => void;
}

/** The number of posts that are indexed at the same time, with some six requests each. */
const concurrency = 10;

/**
 * Indexes posts, each once. One that fails becomes a repair task, so that it does not hold up the stream.
 *
 * @returns an outcome per post, in order; rejected if the task was not stored either
 */
export async function indexPosts(
  ports: IndexPorts,
  posts: readonly PostName[],
): Promise<readonly PromiseSettledResult<void>[]> {
  const nameOf = ({ workspaceId, postId }: PostName) => `${workspaceId} ${postId}`;
  const outcomes = new Map<string, PromiseSettledResult<void>>();
  const distinct = [...new Map(posts.map((post) => [nameOf(post), post])).values()];
  for (const batch of batchesOf(distinct, concurrency)) {
    const settled = await Promise.allSettled(batch.map((post) => indexOrRepair(ports, post)));
    for (const [index, post] of batch.entries())
      outcomes.set(nameOf(post), settled[index] as PromiseSettledResult<void>);
  }
  return posts.map((post) => outcomes.get(nameOf(post)) as PromiseSettledResult<void>);
}

async function indexOrRepair({ table, now, report }: IndexPorts, post: PostName): Promise<void> {
  try {
    await indexPost(table, post);
  } catch (error) {
    report(post, error);
    const { workspaceId, postId } = post;
    await putRepairTask(table, { kind: 'index words', workspaceId, postId }, now(), 0);
  }
}
