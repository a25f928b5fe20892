import { seesAccount } from '../access/actor.ts';
import type { Context } from '../api-contract/context.ts';
import { notFound } from '../kernel/errors.ts';
import { isId } from '../kernel/ids.ts';
import { openCursor, sealCursor } from '../table/cursor.ts';
import type { PostStatus } from '../targets/state.ts';
import { findPostsByExternalId } from './external-ids.ts';
import type { Post } from './schemas.ts';
import { findPost, type PostWithTargets, queryPosts, queryPostsOfAccount } from './store.ts';
import { seesPost } from './visible.ts';

/**
 * Returns a post. Every operation on one post gets it from here.
 *
 * @throws HeraldError `not_found`, also for a foreign post, and for one that the actor may not see ({@link seesPost})
 */
export async function readPost(context: Context, postId: string): Promise<PostWithTargets> {
  const found = isId(postId) ? await findPost(context.table, context.workspaceId, postId) : undefined;
  if (!found || !seesPost(context.actor, found.post, found.targets)) throw notFound('post');
  return found;
}

export interface ListPostsQuery {
  readonly status?: PostStatus | undefined;
  readonly accountId?: string | undefined;
  readonly externalId?: string | undefined;
  readonly limit: number;
  readonly cursor?: string | undefined;
}

/** Limit for the posts in one reply, below the 6 MB of a synchronous reply (Lambda quotas, "Invocation payload"). */
const maxResponseBytes = 5_000_000;

/**
 * Returns a page of the posts that the actor may see, newest first. It may be shorter than `limit`, even empty: posts that
 * the actor may not see are read but not returned, and DynamoDB's page or the size limit may end first. `nextCursor` tells
 * whether more follow.
 *
 * @throws HeraldError `invalid` if the cursor is not from this list
 */
export async function listPosts(
  context: Context,
  query: ListPostsQuery,
): Promise<{ posts: Post[]; nextCursor: string | null }> {
  const { actor } = context;
  const { status, accountId, externalId, limit } = query;
  const scope = {
    secret: context.cursorSecret,
    listing: 'posts',
    filters: { status, accountId, externalId },
  };
  const afterPostId = query.cursor === undefined ? undefined : openCursor(scope, query.cursor);
  if (accountId !== undefined && !seesAccount(actor, accountId)) return { posts: [], nextCursor: null };
  const page =
    externalId !== undefined
      ? await findPostsByExternalId(context.table, context.workspaceId, externalId, { limit, afterPostId })
      : accountId === undefined
        ? await queryPosts(context.table, context.workspaceId, { status, limit, afterPostId })
        : await queryPostsOfAccount(context.table, context.workspaceId, {
            accountId,
            status,
            limit,
            afterPostId,
          });
  const visible = page.posts.filter((post) => seesPost(actor, post) && matches(post, query));
  const fitting = takeWhileFits(visible);
  const lastPostId = fitting.length < visible.length ? fitting.at(-1)?.id : page.lastPostId;
  return { posts: fitting, nextCursor: lastPostId ? sealCursor(scope, lastPostId) : null };
}

/** The index of a list knows one filter. The others are applied to what it returns. */
const matches = ({ status, targets }: Post, wanted: Pick<ListPostsQuery, 'status' | 'accountId'>): boolean =>
  (wanted.status === undefined || wanted.status === status) &&
  (wanted.accountId === undefined || targets.some(({ accountId }) => accountId === wanted.accountId));

/** Returns the first posts that fit in one reply, at least one. The reply embeds their JSON in a JSON string. */
function takeWhileFits(posts: readonly Post[]): Post[] {
  let bytes = 0;
  const end = posts.findIndex((post, index) => {
    bytes += Buffer.byteLength(JSON.stringify(JSON.stringify(post)));
    return index > 0 && bytes > maxResponseBytes;
  });
  return end < 0 ? [...posts] : posts.slice(0, end);
}
