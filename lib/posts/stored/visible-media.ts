import { accountsOf } from '../../access/actor.ts';
import type { Context } from '../../api-contract/context.ts';
import { getMedia, type SeesMedia } from '../../media/read.ts';
import type { Media } from '../../media/schemas.ts';
import { batchGet, batchGetLimit } from '../../table/batch-get.ts';
import { openCursor, sealCursor } from '../../table/cursor.ts';
import type { Item } from '../../table/items.ts';
import { mediaUseKey, mediaUsesPartition, postKey } from '../../table/keys.ts';
import { queryPage } from '../../table/query.ts';
import { readableItems } from '../../table/readable.ts';
import { isExpired } from '../../table/retention.ts';
import { Post } from './schemas.ts';
import { seesPost } from './visible.ts';

/** The maximum number of pages of posts to check, newest first; {@link batchGetLimit} posts each. */
const maxPages = 10;

type Reader = Pick<Context, 'table' | 'workspaceId' | 'actor' | 'now'>;

/** {@link SeesMedia}, which reads the posts that use the file only for a key that is limited to accounts. */
export const seesMedia: SeesMedia = async (context, media) => {
  const { actor } = context;
  if (accountsOf(actor) === undefined) return true;
  if (media.uploadedBy?.kind === actor.kind && media.uploadedBy.id === actor.id) return true;
  for await (const posts of postsWith(context, media))
    if (posts.some((post) => seesPost(actor, post))) return true;
  return false;
};

/**
 * Returns true if a draft that the actor does not see uses the file. Deleting the file would break the draft, and the actor could
 * not know.
 */
export async function isInHiddenDraft(context: Reader, media: Pick<Media, 'id'>): Promise<boolean> {
  const { actor } = context;
  if (accountsOf(actor) === undefined) return false;
  for await (const posts of postsWith(context, media))
    if (posts.some((post) => post.status === 'draft' && !seesPost(actor, post))) return true;
  return false;
}

/**
 * Returns a page of the posts that use a file, or did before a change, newest first. Of those on the page, only the posts that the
 * actor sees.
 *
 * @throws HeraldError `not_found`, also for a foreign or hidden file; `invalid` if the cursor is not from this list
 */
export async function listMediaPosts(
  context: Context,
  mediaId: string,
  query: { readonly limit: number; readonly cursor?: string | undefined },
): Promise<{ posts: Post[]; nextCursor: string | null }> {
  const { table, workspaceId, cursorSecret: secret, actor } = context;
  const media = await getMedia({ ...context, seesMedia }, mediaId);
  const scope = { secret, listing: `posts of media ${media.id}`, filters: {} };
  const { items, lastKey } = await queryPage(table, {
    partition: mediaUsesPartition(workspaceId, media.id),
    descending: true,
    limit: Math.min(query.limit, batchGetLimit),
    after:
      query.cursor === undefined
        ? undefined
        : mediaUseKey(workspaceId, media.id, openCursor(scope, query.cursor)),
  });
  const posts = await postsOf(context, items);
  return {
    posts: posts.filter((post) => seesPost(actor, post)),
    nextCursor: lastKey ? sealCursor(scope, String(lastKey['sk'])) : null,
  };
}

/** Yields the posts that use a file, newest first, strongly consistent. */
async function* postsWith(context: Reader, { id }: Pick<Media, 'id'>): AsyncGenerator<Post[]> {
  const { table, workspaceId } = context;
  let after: Item | undefined;
  const uses = { partition: mediaUsesPartition(workspaceId, id), descending: true, limit: batchGetLimit };
  for (let page = 1; page <= maxPages; page += 1) {
    const { items, lastKey } = await queryPage(table, { ...uses, after });
    yield await postsOf(context, items);
    if (!lastKey) return;
    after = lastKey;
  }
}

/** Reads the posts of uses, in their order. */
async function postsOf({ table, workspaceId, now }: Reader, uses: readonly Item[]): Promise<Post[]> {
  const keys = uses.map(({ postId }) => postKey(workspaceId, String(postId)));
  const found = await batchGet(table, keys);
  const posts = keys.flatMap((key): Item[] => {
    const item = found.get(key);
    return item && !isExpired(item, now) ? [item] : [];
  });
  return readableItems(table, posts, (item) => Post.parse(item));
}
