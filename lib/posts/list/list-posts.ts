import { accountsOf, seesAccount } from '../../access/actor.ts';
import { findAccountIds } from '../../accounts/store.ts';
import type { Context } from '../../api-contract/context.ts';
import { replyBytes, takeWhileWithin } from '../../kernel/take-while.ts';
import { batchGetLimit } from '../../table/batch-get.ts';
import { openCursor, sealCursor } from '../../table/cursor.ts';
import { isExpired } from '../../table/retention.ts';
import { indexes } from '../../table/schema.ts';
import { readTagsOf, readWorkspaceTags } from '../../tags/store.ts';
import { type TagsOf, tagsOf } from '../../tags/workspace-tags.ts';
import { searchPosts } from '../search/find.ts';
import type { Post } from '../stored/schemas.ts';
import { seesPost } from '../stored/visible.ts';
import { toListedPostView } from '../view/to-view.ts';
import { type PostFilters, planPostList } from './plan.ts';
import { findPostsAtRisk, findPostsByExternalId, positionOf, readPostPage } from './read-page.ts';

/** The size limit for the posts in one reply, below the 6 MB of a synchronous reply (Lambda quotas, "Invocation payload"). */
const maxResponseBytes = 5_000_000;

/**
 * Returns a page of the posts that the actor may see and that pass the filters. It may be shorter than `limit`, even empty:
 * DynamoDB's page of 1 MB or the size limit of a reply may end first, and posts that the actor may not see, or that have expired,
 * are read but not returned. `nextCursor` shows whether more follow.
 *
 * @returns `tags`: the function that finds the names of the posts' tags
 * @throws HeraldError `invalid` if the search has no word; `cursor_invalid` if the cursor is not from this list; and as {@link planPostList}
 */
export async function listPosts(
  context: Context,
  {
    limit,
    cursor,
    ...filters
  }: PostFilters & { readonly limit: number; readonly cursor?: string | undefined },
): Promise<{ posts: Post[]; nextCursor: string | null; tags: TagsOf }> {
  const { table, workspaceId, actor } = context;
  const { externalId, atRisk } = filters;
  const accountIds = await chosenAccounts(context, filters);
  const known = filters.tags && (await readWorkspaceTags(table, workspaceId));
  const plan = planPostList(workspaceId, filters, accountIds, known);
  const scope = { secret: context.cursorSecret, listing: 'posts', filters: plan.boundTo };
  const after = cursor === undefined ? undefined : openCursor(scope, cursor);
  if (plan.isEmpty || accountIds?.length === 0) return { posts: [], nextCursor: null, tags: () => [] };
  const read = () => {
    if (externalId !== undefined)
      return findPostsByExternalId(table, workspaceId, plan, { externalId, limit, after });
    if (atRisk) return findPostsAtRisk(table, workspaceId, plan, { limit, after });
    const { search, matches } = plan;
    if (search && plan.index !== indexes.postsByTime) {
      const options = { search, matches, accountIds, visibleAccounts: accountsOf(actor) };
      return searchPosts(table, workspaceId, options, { limit: Math.min(limit, batchGetLimit), after });
    }
    return readPostPage(table, workspaceId, plan, { limit, after });
  };
  const page = await read();
  const visible = page.posts.filter((post) => seesPost(actor, post) && !isExpired(post, context.now));
  const wanted = visible.slice(0, limit);
  const tags = known ? tagsOf(known) : await readTagsOf(context, wanted);
  const returned = takeWhileWithin(wanted, maxResponseBytes, (post) =>
    replyBytes(toListedPostView(post, longestBaseUrl, tags)),
  );
  const last = returned.length < visible.length ? returned.at(-1) : undefined;
  const position = last ? positionOf(plan, last) : page.lastPosition;
  const nextCursor = position === undefined ? null : sealCursor(scope, position);
  return { posts: [...returned], nextCursor, tags };
}

/**
 * Returns the accounts that a list is about, of those that the actor may use; `undefined` if it is about any. Customers are found by
 * reading the accounts of the workspace.
 */
async function chosenAccounts(
  { table, workspaceId, actor }: Context,
  { accountId, accountExternalId }: PostFilters,
): Promise<readonly string[] | undefined> {
  const visible = accountId?.filter((id) => seesAccount(actor, id));
  if (accountExternalId === undefined || visible?.length === 0) return visible;
  const ofCustomer = await findAccountIds(table, workspaceId, accountExternalId);
  return ofCustomer.filter((id) => seesAccount(actor, id) && (visible?.includes(id) ?? true));
}

/** The longest possible URL of the media host: a domain name has at most 253 characters (RFC 1035, section 2.3.4). */
const longestBaseUrl = `https://${'x'.repeat(253)}`;
