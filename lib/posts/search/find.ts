import { batchGet, batchGetLimit } from '../../table/batch-get.ts';
import type { FoundItems } from '../../table/found-items.ts';
import {
  postKey,
  postWordKey,
  postWordPrefix,
  searchedPostKey,
  searchedPostsPartition,
} from '../../table/keys.ts';
import { queryPage } from '../../table/query.ts';
import { readableItems } from '../../table/readable.ts';
import type { Table } from '../../table/table.ts';
import { Post } from '../stored/schemas.ts';
import { codeOf, codesIn, hasCode, PostWord, SearchedPost, wordsOf } from './index-rows.ts';
import { hasStem, hasWords, type Search, stemOf } from './words.ts';

export interface SearchOptions {
  readonly search: Search;
  /** Accounts of which the post must go to at least one; absent: any. */
  readonly accountIds?: readonly string[] | undefined;
  /** The accounts that the actor may use, if it is limited to some. */
  readonly visibleAccounts?: ReadonlySet<string> | undefined;
  /** Returns true if a post passes all other filters. */
  readonly matches: (post: Post) => boolean;
}

interface SearchPage {
  /** The posts, newest first. They may be more than the limit. */
  readonly posts: Post[];
  /** The id of the last post that was looked at; `undefined` at the end. */
  readonly lastPosition: string | undefined;
}

/** The number of rows to read first. Most searches end there: frequent words fill a page with few rows, and rare words have few. */
const firstRows = 200;
/** The maximum number of queries of a page, of 1 MB each after the first: some 4,000 rows. After each, at most 100 posts are read. */
const maxQueries = 5;

/**
 * Returns a page of the posts that a search finds, newest first. It is shorter than `limit` if few of the rows that it may read
 * match: at most five queries, and ten batches of rows and posts.
 *
 * @param page.after the id after which the page begins
 */
export async function searchPosts(
  table: Table,
  workspaceId: string,
  options: SearchOptions,
  { limit, after }: { readonly limit: number; readonly after?: string | undefined },
): Promise<SearchPage> {
  const posts: Post[] = [];
  let lastPosition = after;
  let rows: number | undefined = firstRows;
  for (let query = 1; query <= maxQueries; query += 1) {
    const found = await readCandidates(table, workspaceId, options, { rows, after: lastPosition });
    // At first, no more than the page needs: most of them match. If few did, the next ones are probably many.
    const tried = found.postIds.slice(0, query === 1 ? limit : batchGetLimit);
    const isCut = tried.length < found.postIds.length;
    posts.push(...(await readMatching(table, workspaceId, tried, options)));
    lastPosition = isCut ? tried.at(-1) : found.lastId;
    if (lastPosition === undefined || posts.length >= limit) break;
    rows = isCut ? firstRows : undefined;
  }
  return { posts, lastPosition };
}

/** Returns those of some posts that a search finds. For lists that are not read by their words. */
export async function withWords(
  table: Table,
  workspaceId: string,
  posts: readonly Post[],
  search: Search,
): Promise<Post[]> {
  const keys = posts.map(({ id }) => searchedPostKey(workspaceId, id));
  const found = await batchGet(table, keys, { isEventual: true });
  return posts.filter(({ id }) => isFound(found, workspaceId, id, search));
}

/**
 * Reads one page of the rows of the word that is probably rarest, which is the longest, and returns the posts that may match. If no
 * word is long enough to be looked up, reads the words of all posts.
 */
async function readCandidates(
  table: Table,
  workspaceId: string,
  options: SearchOptions,
  { rows, after }: { readonly rows: number | undefined; readonly after: string | undefined },
): Promise<{ readonly postIds: string[]; readonly lastId: string | undefined }> {
  const { search } = options;
  const concerns = accountTest(options);
  const word = wordToLookUp(search);
  const stem = word === undefined ? undefined : stemOf(word);
  const { items, lastKey } = await queryPage(table, {
    ...(stem === undefined
      ? { partition: searchedPostsPartition(workspaceId) }
      : { partition: postWordKey(workspaceId, stem, '').pk, sort: { beginsWith: postWordPrefix(stem) } }),
    isEventual: true,
    descending: true,
    limit: rows,
    after: after === undefined ? undefined : startKey(workspaceId, stem, after),
  });
  const codes = search.whole.map(codeOf);
  const mayMatch = (row: PostWord): boolean => {
    const isLookedUp = word !== search.prefix || wordsOf(row).some((each) => each.startsWith(word));
    return isLookedUp && codes.every((code) => hasCode(row.codes, code));
  };
  const candidates =
    stem === undefined
      ? readableItems(table, items, (item) => SearchedPost.parse(item)).filter((row) =>
          hasWords(wordsOf(row), search),
        )
      : readableItems(table, items, (item) => PostWord.parse(item)).filter(mayMatch);
  return {
    postIds: candidates.filter(({ accounts }) => concerns(accounts)).map(({ postId }) => postId),
    lastId: lastKey && String(lastKey['sk']).split('#').at(-1),
  };
}

const startKey = (workspaceId: string, stem: string | undefined, postId: string) =>
  stem === undefined ? searchedPostKey(workspaceId, postId) : postWordKey(workspaceId, stem, postId);

/** Returns the longest word that has rows of its own; `undefined` if the only word is too short a beginning. */
function wordToLookUp({ whole, prefix }: Search): string | undefined {
  const words = hasStem(prefix) ? [prefix, ...whole] : whole;
  // In bytes, because a Chinese character says as much as several letters.
  return words.toSorted((left, right) => Buffer.byteLength(right) - Buffer.byteLength(left))[0];
}

/** Returns the test of a row's accounts. Without it, a key with few accounts would read the posts of all others. */
function accountTest({ accountIds, visibleAccounts }: SearchOptions): (accounts: string) => boolean {
  const wanted = accountIds?.map(codeOf);
  const visible = visibleAccounts && new Set([...visibleAccounts].map(codeOf));
  return (accounts) =>
    (wanted?.some((code) => hasCode(accounts, code)) ?? true) &&
    (visible === undefined || codesIn(accounts).every((code) => visible.has(code)));
}

async function readMatching(
  table: Table,
  workspaceId: string,
  postIds: readonly string[],
  { search, matches }: SearchOptions,
): Promise<Post[]> {
  if (postIds.length === 0) return [];
  const read = (keyOf: typeof postKey) =>
    batchGet(
      table,
      postIds.map((id) => keyOf(workspaceId, id)),
      { isEventual: true },
    );
  const [rows, posts] = await Promise.all([read(searchedPostKey), read(postKey)]);
  const items = postIds
    .filter((id) => isFound(rows, workspaceId, id, search))
    .map((id) => posts.get(postKey(workspaceId, id)))
    .filter((item) => item !== undefined);
  return readableItems(table, items, (item) => Post.parse(item)).filter(matches);
}

function isFound(rows: FoundItems, workspaceId: string, postId: string, search: Search): boolean {
  const row = SearchedPost.safeParse(rows.get(searchedPostKey(workspaceId, postId)));
  return row.success && hasWords(wordsOf(row.data), search);
}
