import { invalidField } from '../kernel/errors.ts';
import type { ListedPostView } from '../posts/view/schemas.ts';

/** The number of posts that can be reached by the number of a page. Later ones need a narrower filter. */
export const deepest = 1_000;

/** The reads of one request. A page of Herald's list may be shorter than its limit. */
const mostReads = 30;

/** Reads a page of Herald's list. */
export type ReadPage = (
  cursor: string | undefined,
  limit: number,
) => Promise<{ readonly posts: readonly ListedPostView[]; readonly nextCursor: string | null }>;

export interface AskedPage {
  readonly offset: number;
  readonly limit: number;
  /** True for the posts that are wanted; absent: all. */
  readonly test?: ((post: ListedPostView) => boolean) | undefined;
  /** The order; absent: that of Herald's list. */
  readonly compare?: ((one: ListedPostView, other: ListedPostView) => number) | undefined;
}

export interface Pagination {
  readonly page: number;
  readonly limit: number;
  readonly total: number;
  readonly pages: number;
}

/**
 * Returns a numbered page of posts. Herald does not count posts, so while more follow, `total` and `pages` say that there is at least
 * one more: a client that reads on while `page <= pages` reads them all. A search, or an order that Herald's list does not have, needs
 * all posts.
 *
 * @throws HeraldError `range_too_long` if it would have to read more than {@link deepest} posts
 */
export async function pageOf(
  read: ReadPage,
  { offset, limit, test, compare }: AskedPage,
): Promise<{ readonly posts: readonly ListedPostView[]; readonly pagination: Pagination }> {
  const isSearch = test !== undefined || compare !== undefined;
  const end = offset + limit;
  if (end > deepest + limit) throw tooDeep();
  const wanted = isSearch ? deepest + 1 : end + 1;
  const { posts, isAll } = await readUpTo(read, wanted);
  if (isSearch && !isAll) throw tooDeep();
  const matching = test ? posts.filter(test) : posts;
  const ordered = compare ? matching.toSorted(compare) : matching;
  const isLast = ordered.length <= end && isAll;
  const total = isLast || isSearch ? ordered.length : end + 1;
  const pagination = { page: Math.floor(offset / limit) + 1, limit, total, pages: Math.ceil(total / limit) };
  return { posts: ordered.slice(offset, end), pagination };
}

/** Reads pages until there are as many posts as wanted. */
async function readUpTo(read: ReadPage, wanted: number) {
  const posts: ListedPostView[] = [];
  let cursor: string | undefined;
  for (let reads = 0; reads < mostReads && posts.length < wanted; reads += 1) {
    const page = await read(cursor, Math.min(500, wanted - posts.length));
    posts.push(...page.posts);
    if (page.nextCursor === null) return { posts, isAll: true };
    cursor = page.nextCursor;
  }
  if (posts.length < wanted) throw tooDeep();
  return { posts, isAll: false };
}

const tooDeep = () =>
  invalidField(
    'page',
    `only the first ${deepest} posts can be searched, sorted and reached by number; choose a shorter period with fromDate and toDate, or use \`cursor\` of Herald's own GET /v1/posts`,
    'range_too_long',
  );
