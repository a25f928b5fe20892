import type { listPostsOperation } from '../../posts/operations.ts';
import type { ApiError } from '../api/api-error.ts';
import { usePages } from '../api/hooks.ts';
import { useReadOn } from '../api/use-read-on.ts';
import type { ListedPost } from './post.ts';

/** The longest period of one list. */
const windowMs = 62 * 86_400_000;
/** Such posts are rare, and the service reads much to find them. */
const everyMs = 5 * 60_000;
const mostPages = 20;
const none: readonly ListedPost[] = [];

export interface OwnTimes {
  readonly posts: readonly ListedPost[];
  readonly isPending: boolean;
  readonly isError: boolean;
  readonly error: ApiError | null;
  readonly isFetching: boolean;
  /** The time at which the older part of it was read; epoch milliseconds. */
  readonly dataUpdatedAt: number;
  readonly refetch: () => void;
}

/**
 * Posts with destinations that have times of their own, which may be in a period although the post's time is not. Lists have a post at
 * its own time, so this reads those of the 62 days before the period, and of the 62 days after it.
 *
 * @param from ISO 8601. @param to ISO 8601
 */
export function useOwnTimes(from: string, to: string): OwnTimes {
  const before = useWindow(Date.parse(from) - windowMs, Date.parse(from));
  const after = useWindow(Date.parse(to), Date.parse(to) + windowMs);
  const posts = before.posts.length + after.posts.length === 0 ? none : [...before.posts, ...after.posts];
  const parts = [before.pages, after.pages];
  const failed = parts.filter(({ isError }) => isError);
  return {
    posts,
    isPending: parts.some(({ isPending }) => isPending),
    isError: failed.length > 0,
    error: failed[0]?.error ?? null,
    isFetching: failed.some(({ isFetching }) => isFetching),
    dataUpdatedAt: Math.min(...parts.map(({ dataUpdatedAt }) => dataUpdatedAt)),
    refetch: () => {
      for (const part of failed) void (part.isFetchNextPageError ? part.fetchNextPage() : part.refetch());
    },
  };
}

/** @param fromMs epoch milliseconds. @param toMs epoch milliseconds */
function useWindow(fromMs: number, toMs: number) {
  const [from, to] = [new Date(fromMs).toISOString(), new Date(toMs).toISOString()];
  const query = { from, to, ownTimes: 'true', limit: '200' } as const;
  const pages = usePages<typeof listPostsOperation>('/v1/posts', { query }, { refetchEveryMs: everyMs });
  useReadOn(pages, mostPages);
  const posts = pages.data?.pages.flatMap((page) => page.posts) ?? none;
  return { pages, posts };
}

/** Returns the version of each post that changed last. */
export function newestOf(...lists: readonly (readonly ListedPost[])[]): readonly ListedPost[] {
  const [first = none, ...others] = lists.filter((list) => list.length > 0);
  if (others.length === 0) return first;
  const byId = new Map(first.map((post) => [post.id, post]));
  for (const post of others.flat()) {
    const known = byId.get(post.id);
    if (known === undefined || known.updatedAt <= post.updatedAt) byId.set(post.id, post);
  }
  return [...byId.values()];
}
