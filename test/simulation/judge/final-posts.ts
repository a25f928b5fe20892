import { isDeepStrictEqual } from 'node:util';
import { postStatus } from '../../../lib/posts/stored/state.ts';
import { findPost } from '../../../lib/posts/stored/store.ts';
import { byPosition } from '../../../lib/posts/view/to-view.ts';
import type { Table } from '../../../lib/table/table.ts';
import { summarise, type Target } from '../../../lib/targets/schemas.ts';
import { isLive } from '../../../lib/targets/state.ts';
import type { Item } from '../../support/database/database.ts';
import type { Committed } from '../cloud/committed.ts';
import type { World } from '../world/world.ts';
import type { Promised, Promises } from './promises.ts';

interface FinalState {
  readonly world: World;
  readonly committed: Committed;
  readonly table: Table;
  readonly promises: Promises;
}

/** Checks the posts at the end: their summaries, their chains, and that they exist if the service has said so. */
export async function checkPosts(state: FinalState): Promise<void> {
  const { world, committed, promises } = state;
  for (const item of committed.ofKind('post')) await checkPost(state, item);
  for (const promised of promises.values()) {
    checkTargets(state, promised);
    const { postId, workspaceId, isDeleted } = promised;
    const isThere = committed.get(`POST#${workspaceId}#${postId} POST`) !== undefined;
    if (isThere === isDeleted)
      world.violate(`post ${postId} was ${isDeleted ? 'deleted' : 'created'}, but is not`);
  }
}

/** A post has the destinations and the times that the client has asked for. */
function checkTargets({ world, committed }: FinalState, promised: Promised): void {
  const { postId, destinations, dueAt, isDeleted } = promised;
  if (isDeleted) return;
  const targets = committed.ofKind('target').filter((target) => target['postId'] === postId);
  const accounts = targets.map(({ accountId }) => String(accountId));
  if (destinations && accounts.toSorted().join() !== [...destinations].toSorted().join())
    world.violate(`post ${postId} goes to ${accounts}, but the client has asked for ${[...destinations]}`);
  for (const { accountId, scheduledFor } of targets) {
    const asked = dueAt?.get(String(accountId));
    if (asked !== undefined && scheduledFor !== asked)
      world.violate(
        `post ${postId} is due ${scheduledFor} on ${accountId}, but the client has asked for ${asked}`,
      );
  }
}

async function checkPost({ world, committed, table }: FinalState, item: Item): Promise<void> {
  const found = await findPost(table, String(item['workspaceId']), String(item['id']));
  if (!found) {
    world.violate(`post ${item['id']} is missing from the table`);
    return;
  }
  const { post, targets } = found;
  const expected = postStatus(targets.map(({ status }) => status));
  if (post.status !== expected)
    world.violate(`post ${post.id} has the status ${post.status}, but its targets make it ${expected}`);
  if (!isDeepStrictEqual(post.targets, byPosition(targets).map(summarise)))
    world.violate(`post ${post.id} has an outdated summary of its targets`);
  checkChain({ world, committed }, post, targets);
}

/** If a target of the post is live, each step must have become one post. Otherwise, no step must have. */
function checkChain(
  { world, committed }: Pick<FinalState, 'world' | 'committed'>,
  post: {
    id: string;
    chain?:
      | readonly { status: string; postId?: string | undefined; error?: string | undefined }[]
      | undefined;
  },
  targets: readonly Target[],
): void {
  const isAnyLive = targets.some(({ status }) => isLive(status));
  const children = committed.ofKind('post').filter(({ parentPostId }) => parentPostId === post.id);
  const steps = (post.chain ?? []).filter(({ status }) => status !== 'failed');
  if (!isAnyLive && children.length > 0)
    world.violate(`the chain of ${post.id} has begun, but nothing is live`);
  if (isAnyLive && children.length !== steps.length)
    world.violate(`the chain of ${post.id} has ${steps.length} steps and became ${children.length} posts`);
  for (const { status, postId } of isAnyLive ? steps : []) {
    if (status !== 'fired') world.violate(`a step of ${post.id} is ${status}`);
    if (!children.some(({ id }) => id === postId)) world.violate(`a step of ${post.id} names another post`);
  }
}
