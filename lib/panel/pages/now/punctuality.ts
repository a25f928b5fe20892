import { type UseQueryResult, useQuery } from '@tanstack/react-query';
import { useStore } from '../../api/store.ts';
import { workspaceChoice } from '../../api/workspace-choice.ts';
import type { ListedPost } from '../../posts/post.ts';
import { readPages } from './reading.ts';

/** A post of which a destination was late. */
export interface Late {
  readonly post: ListedPost;
  readonly lateMs: number;
}

/** The figures are within 1 % of the exact values. */
const relativeError = 0.011;

/**
 * The post whose lateness is the worst figure. Posts that were retried or had to wait have a lateness too and do not count, so it must
 * fit. Pure.
 */
export function worstOf(posts: readonly ListedPost[], worstMs: number): Late | undefined {
  return posts
    .flatMap((post) => post.platforms.map(({ timing: { lateMs } }) => ({ post, lateMs: lateMs ?? -1 })))
    .filter(({ lateMs }) => lateMs >= 0 && Math.abs(lateMs - worstMs) <= worstMs * relativeError + 1)
    .toSorted((one, other) => Math.abs(one.lateMs - worstMs) - Math.abs(other.lateMs - worstMs))[0];
}

const refetchEveryMs = 5 * 60_000;

/** Finds the post of the worst figure, among the first thousand posts since a time. */
export function useWorst(from: string | undefined, worstMs: number | null): UseQueryResult<Late | null> {
  const workspaceId = useStore(workspaceChoice.store);
  return useQuery<Late | null>({
    queryKey: [workspaceId, '/v1/posts of the week', from, worstMs],
    queryFn: async ({ signal }) => {
      const query = {
        from: from ?? '',
        to: new Date().toISOString(),
        status: 'published,partial,publishing',
      };
      const { posts } = await readPages(query, { signal, workspaceId });
      return worstOf(posts, worstMs ?? 0) ?? null;
    },
    enabled: from !== undefined && worstMs !== null,
    staleTime: refetchEveryMs,
    refetchInterval: refetchEveryMs,
    refetchOnWindowFocus: false,
  });
}

/** `99.9 %`: never rounded up to all. */
export function formatShare(share: number, locale: string): string {
  const cut = share >= 1 ? 1 : Math.floor(share * 1_000) / 1_000;
  return new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 1 }).format(cut);
}
