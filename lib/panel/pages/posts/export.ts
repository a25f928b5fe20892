import type { listPostsOperation } from '../../../posts/operations.ts';
import { type Account, nameOf } from '../../accounts/account.ts';
import { platformTitles } from '../../accounts/platforms.ts';
import { call } from '../../api/client.ts';
import type { ListedPost } from '../../posts/post.ts';
import { conditionOfPost, lookOf } from '../../posts/state.ts';
import { words } from '../../words/words.ts';
import type { ListQuery } from './list.ts';

const columns = [
  'id',
  'text',
  'state',
  'planned',
  'accounts',
  'platforms',
  'links',
  'tags',
  'created',
  'changed',
] as const satisfies readonly (keyof typeof words.postsPage.export.columns)[];

/** More would be too much for a browser to hold. */
export const mostExported = 50_000;
const perPage = '200';

/** Returns posts as comma-separated values (RFC 4180), with a line of headings. Times are in UTC. Pure. */
export function toCsv(posts: readonly ListedPost[], accounts: ReadonlyMap<string, Account>): string {
  const lines = posts.map((post) => {
    const cells: Readonly<Record<(typeof columns)[number], string>> = {
      id: post.id,
      text: post.content,
      state: lookOf(conditionOfPost(post)).word,
      planned: post.scheduledFor ?? '',
      accounts: listed(
        post.platforms.map(({ accountId }) => {
          const account = accounts.get(accountId);
          return account ? nameOf(account) : words.account.disconnected;
        }),
      ),
      platforms: listed(post.platforms.map(({ platform }) => platformTitles[platform])),
      links: listed(post.platforms.flatMap(({ permalink }) => permalink ?? [])),
      tags: listed(post.tags),
      created: post.createdAt,
      changed: post.updatedAt,
    };
    return columns.map((name) => cell(cells[name]));
  });
  const head = columns.map((name) => words.postsPage.export.columns[name]);
  return [head, ...lines].map((line) => `${line.join(',')}\r\n`).join('');
}

const listed = (texts: readonly string[]): string => [...new Set(texts)].join('; ');

/**
 * Returns a text as one cell. Spreadsheets run a text that begins like a formula, so it gets an apostrophe in front.
 * https://owasp.org/www-community/attacks/CSV_Injection
 */
function cell(text: string): string {
  const harmless = /^\s*[=+\-@\uFF1D\uFF0B\uFF0D\uFF20]|^[\t\r\n]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
}

interface ReadOptions {
  readonly workspaceId: string;
  readonly signal: AbortSignal;
  readonly onProgress: (read: number) => void;
}

/**
 * Reads all posts of a list, page by page.
 *
 * @returns at most {@link mostExported}, and whether there are more
 * @throws ApiError; the reason of the signal if that aborts
 */
export async function readAll(
  query: ListQuery,
  { workspaceId, signal, onProgress }: ReadOptions,
): Promise<{ posts: ListedPost[]; isCut: boolean }> {
  const found = new Map<string, ListedPost>();
  let cursor: string | undefined;
  do {
    signal.throwIfAborted();
    const page = await call<typeof listPostsOperation>(
      'GET',
      '/v1/posts',
      { query: { ...query, limit: perPage, cursor } },
      { workspaceId, signal },
    );
    for (const post of page.posts) found.set(post.id, post);
    onProgress(found.size);
    cursor = page.nextCursor ?? undefined;
  } while (cursor !== undefined && found.size < mostExported);
  const posts = [...found.values()];
  return { posts: posts.slice(0, mostExported), isCut: cursor !== undefined || posts.length > mostExported };
}
