import { type UseQueryResult, useQuery } from '@tanstack/react-query';
import type { listPostsOperation } from '../../../posts/operations.ts';
import type { ApiError } from '../../api/api-error.ts';
import { call } from '../../api/client.ts';
import { session } from '../../api/session.ts';
import { useStore } from '../../api/store.ts';
import { workspaceChoice } from '../../api/workspace-choice.ts';
import { refreshEveryMs } from '../../posts/near.ts';
import type { ListedPost } from '../../posts/post.ts';

/** What is planned for the next 24 hours, what has just gone out, and what is past its time and still waits. */
export interface Planned {
  readonly posts: readonly ListedPost[];
  /** Whether these are all. */
  readonly isComplete: boolean;
}

const path = '/v1/posts';
const minuteMs = 60_000;
export const hourMs = 60 * minuteMs;
/** What has just gone out stays for so long, so that a person sees that it did. */
const shownAfterMs = 15 * minuteMs;
/** A destination waits for a limit for 25 hours at most. */
export const waitsForMs = 26 * hourMs;
export const dayMs = 24 * hourMs;
const mostPages = 5;

/** Reads {@link Planned}: every 5 s while something is due, else every 15 s. Long lists less often. */
export function usePlanned(): UseQueryResult<Planned, ApiError> {
  const workspaceId = useStore(workspaceChoice.store);
  return useQuery<Planned, ApiError>({
    queryKey: [workspaceId, path, 'now'],
    queryFn: async ({ signal }) => {
      const now = Date.now();
      const at = (ms: number) => new Date(ms).toISOString();
      const read = (query: Query) => readPages(query, { signal, workspaceId });
      const [late, next] = await Promise.all([
        read({ from: at(now - waitsForMs), to: at(now - shownAfterMs), status: 'scheduled,publishing' }),
        read({ from: at(now - shownAfterMs), to: at(now + dayMs) }),
      ]);
      return { posts: [...late.posts, ...next.posts], isComplete: late.isComplete && next.isComplete };
    },
    refetchInterval: ({ state: { data } }) => {
      if (session.store.get().isEnded) return false;
      return refreshEveryMs(data?.posts, Date.now()) * Math.ceil(((data?.posts.length ?? 0) + 1) / pageSize);
    },
  });
}

const pageSize = 200;

type Query = NonNullable<Parameters<typeof call<typeof listPostsOperation>>[2]>['query'] & object;
type Options = { readonly signal: AbortSignal; readonly workspaceId: string | undefined };

/** Reads a list of posts to its end, or as far as is reasonable. */
export async function readPages(query: Query, options: Options): Promise<Planned> {
  const posts: ListedPost[] = [];
  let cursor: string | undefined;
  for (let page = 0; page < mostPages; page++) {
    const reply = await call<typeof listPostsOperation>(
      'GET',
      path,
      { query: { ...query, limit: String(pageSize), cursor } },
      { ...options, isBackground: true },
    );
    posts.push(...reply.posts);
    cursor = reply.nextCursor ?? undefined;
    if (cursor === undefined) return { posts, isComplete: true };
  }
  return { posts, isComplete: false };
}
