import type { Context } from '../api-contract/context.ts';
import { notFound } from '../kernel/errors.ts';
import { isId } from '../kernel/ids.ts';
import { openCursor, sealCursor } from '../table/cursor.ts';
import type { PostStatus } from '../targets/state.ts';
import type { Post } from './schemas.ts';
import { findPost, type PostWithTargets, queryPosts, queryPostsOfAccount } from './store.ts';

/** @throws HeraldError `not_found`, for a foreign post too */
export async function readPost(context: Context, postId: string): Promise<PostWithTargets> {
  const found = isId(postId) ? await findPost(context.table, context.workspaceId, postId) : undefined;
  if (!found) throw notFound('post');
  return found;
}

export interface ListPostsQuery {
  readonly status?: PostStatus | undefined;
  readonly accountId?: string | undefined;
  readonly limit: number;
  readonly cursor?: string | undefined;
}

/** What one answer may hold of posts, below the 6 MB of a synchronous answer (Lambda quotas, "Invocation payload"). */
const mostAnswerBytes = 5_000_000;

/**
 * A page of posts, newest first. It may be shorter than `limit` where DynamoDB's page or the answer's size ends first;
 * the cursor tells.
 *
 * @throws HeraldError `invalid` for a cursor that is not of this list
 */
export async function listPosts(
  context: Context,
  query: ListPostsQuery,
): Promise<{ posts: Post[]; nextCursor: string | null }> {
  const { status, accountId, limit } = query;
  const scope = { secret: context.cursorSecret, listing: 'posts', filters: { status, accountId } };
  const afterPostId = query.cursor === undefined ? undefined : openCursor(scope, query.cursor);
  const page =
    accountId === undefined
      ? await queryPosts(context.table, context.workspaceId, { status, limit, afterPostId })
      : await queryPostsOfAccount(context.table, context.workspaceId, {
          accountId,
          status,
          limit,
          afterPostId,
        });
  const fitting = takeWhileFits(page.posts);
  const lastPostId = fitting.length < page.posts.length ? fitting.at(-1)?.id : page.lastPostId;
  return { posts: fitting, nextCursor: lastPostId ? sealCursor(scope, lastPostId) : null };
}

/** The first posts that fit one answer, in which their JSON is a text inside JSON; at least one. */
function takeWhileFits(posts: readonly Post[]): Post[] {
  let bytes = 0;
  const end = posts.findIndex((post, index) => {
    bytes += Buffer.byteLength(JSON.stringify(JSON.stringify(post)));
    return index > 0 && bytes > mostAnswerBytes;
  });
  return end < 0 ? [...posts] : posts.slice(0, end);
}
