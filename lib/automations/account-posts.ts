import * as z from 'zod';
import { type PlatformAccess, withAccess } from '../accounts/platform-access.ts';
import { findOwnAccount } from '../accounts/read.ts';
import type { Account } from '../accounts/schemas.ts';
import type { Context } from '../api-contract/context.ts';
import { CursorQuery, limitQuery, Timestamp } from '../api-contract/fields.ts';
import { toTimestamp } from '../kernel/clock.ts';
import { invalidField, notFound } from '../kernel/errors.ts';
import type { AccountPost, AccountPostPage, CommentPlatform } from '../platforms/contract/messaging.ts';
import type { Platform } from '../platforms/contract/names.ts';
import { batchGet } from '../table/batch-get.ts';
import { openCursor, sealCursor } from '../table/cursor.ts';
import { automationPostKey, livePostKey } from '../table/keys.ts';

/** The number of pages in which a post is searched by its permalink: the latest 500 posts. */
const maxSearchedPages = 10;
const searchedPage = 50;

export const AccountPostsQuery = z.object({
  permalink: z.url().max(500).optional().meta({
    description:
      'The address of a post, which is searched among the latest 500; a query string does not count',
  }),
  limit: limitQuery(50).default(25),
  cursor: CursorQuery,
});
type AccountPostsQuery = z.infer<typeof AccountPostsQuery>;

export const AccountPostView = z
  .object({
    platformPostId: z.string().meta({ description: 'Use it as `platformPostId` of a comment automation' }),
    postId: z
      .string()
      .nullable()
      .meta({ description: 'The post of Herald that was published so; null if it was made elsewhere' }),
    automationId: z
      .string()
      .nullable()
      .meta({ description: "The post's own comment automation, if it has one" }),
    kind: z.enum(['image', 'video', 'carousel', 'other']),
    text: z.string().nullable(),
    permalink: z.string().nullable(),
    pictureUrl: z.string().nullable().meta({
      description: 'The address of a picture at the platform, which stops working after some time',
    }),
    publishedAt: Timestamp.nullable(),
  })
  .meta({ id: 'AccountPost' });
export type AccountPostView = z.infer<typeof AccountPostView>;

export interface AccountPostsContext extends Context, Pick<PlatformAccess, 'vault' | 'toolsFor'> {
  readonly commentPlatformFor: (platform: Platform) => CommentPlatform | undefined;
}

/**
 * Asks the platform for an account's posts, newest first, also those that were made elsewhere.
 *
 * @throws HeraldError `not_found` if the account is unknown, foreign or not one of the actor's accounts; `invalid` if its
 *   platform has no automations, or for a cursor that is not from this list; `conflict` if the account must be connected again;
 *   `unavailable` if the platform gives no answer
 */
export async function listAccountPosts(
  context: AccountPostsContext,
  accountId: string,
  { limit, cursor, permalink }: AccountPostsQuery,
): Promise<{ posts: AccountPostView[]; nextCursor: string | null }> {
  const { account, platform } = await findListedAccount(context, accountId);
  const scope = { secret: context.cursorSecret, listing: 'account posts', filters: { accountId, permalink } };
  const after = cursor === undefined ? undefined : openCursor(scope, cursor);
  const page = await withAccess(context, account, 'id', async (accessToken, tools) => {
    const { platformAccountId, username } = account;
    const read = (from: string | undefined, size: number) =>
      platform.listPosts(
        { account: { platformAccountId, username }, accessToken, after: from, limit: size },
        tools,
      );
    return permalink === undefined ? read(after, limit) : search(read, permalink);
  });
  return {
    posts: await viewsOf(context, account, page.posts),
    nextCursor: page.after === undefined ? null : sealCursor(scope, page.after),
  };
}

/**
 * Returns an account whose posts the platform lists, with the platform.
 *
 * @throws HeraldError `not_found`, or `invalid`, as {@link listAccountPosts}
 */
export async function findListedAccount(
  context: AccountPostsContext,
  accountId: string,
): Promise<{ account: Account; platform: CommentPlatform }> {
  const account = await findOwnAccount(context, accountId);
  if (!account || account.disconnectedAt) throw notFound('account');
  const platform = context.commentPlatformFor(account.platform);
  if (platform) return { account, platform };
  throw invalidField(
    'id',
    'must be an Instagram account: posts of other platforms are not listed',
    'account_platform',
  );
}

/** Reads pages until one has the post of this address. */
async function search(
  read: (after: string | undefined, limit: number) => Promise<AccountPostPage>,
  permalink: string,
): Promise<AccountPostPage> {
  const wanted = pathOf(permalink);
  let after: string | undefined;
  for (let pages = 1; pages <= maxSearchedPages; pages += 1) {
    const page = await read(after, searchedPage);
    const found = page.posts.find((post) => post.permalink !== null && pathOf(post.permalink) === wanted);
    if (found) return { posts: [found], after: undefined };
    after = page.after;
    if (after === undefined) break;
  }
  return { posts: [], after: undefined };
}

/** Returns the part of an address that names a post: Instagram shows a reel under `/p/` and under `/reel/`. */
const pathOf = (address: string): string | undefined =>
  URL.canParse(address) ? new URL(address).pathname.split('/').filter(Boolean).at(-1) : undefined;

/** Adds what Herald knows about the posts, with one request. */
async function viewsOf(
  { table }: Context,
  { workspaceId, id: accountId, platform }: Account,
  posts: readonly AccountPost[],
): Promise<AccountPostView[]> {
  const liveKey = (id: string) => livePostKey(platform, id);
  const claimKey = (id: string) => automationPostKey(workspaceId, accountId, id);
  const keys = posts.flatMap(({ platformPostId: id }) => [liveKey(id), claimKey(id)]);
  const found = await batchGet(table, keys, { isEventual: true });
  return posts.map(({ publishedMs, ...post }) => {
    const owner = found.get(liveKey(post.platformPostId));
    const isOurs = owner?.['workspaceId'] === workspaceId && owner['accountId'] === accountId;
    const automationId = found.get(claimKey(post.platformPostId))?.['automationId'];
    return {
      ...post,
      postId: isOurs ? String(owner['postId']) : null,
      automationId: automationId === undefined ? null : String(automationId),
      publishedAt: publishedMs === undefined ? null : toTimestamp(publishedMs),
    };
  });
}
