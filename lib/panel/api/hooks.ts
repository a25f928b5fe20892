import {
  type InfiniteData,
  type QueryClient,
  type UseInfiniteQueryResult,
  type UseMutationResult,
  type UseQueryResult,
  useInfiniteQuery,
  useMutation,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query';
import type { ApiError } from './api-error.ts';
import { call } from './client.ts';
import type { AnyOperation, ReplyOf, RequestOf, WithMethod } from './operation-types.ts';
import { refetchEveryMs as usualMs } from './query-client.ts';
import { session } from './session.ts';
import { useStore } from './store.ts';
import { workspaceChoice } from './workspace-choice.ts';

export interface ReadOptions<Reply> {
  readonly isEnabled?: boolean;
  /** Default 15 s; such as 5 s near a due post. `false` reads once for each visit, such as what a platform is asked for. */
  readonly refetchEveryMs?: number | false | ((reply: Reply | undefined) => number | false);
}

type NeedsNothing<Op extends AnyOperation> = Partial<RequestOf<Op>> extends RequestOf<Op> ? true : false;
type ReadArguments<Op extends AnyOperation, Reply> =
  NeedsNothing<Op> extends true
    ? [request?: RequestOf<Op> | undefined, options?: ReadOptions<Reply>]
    : [request: RequestOf<Op>, options?: ReadOptions<Reply>];

type Get = WithMethod<'GET'>;

/**
 * Reads an operation and keeps it fresh: `useGet<typeof listKeysOperation>('/panel/keys')`. The result belongs to the workspace that the
 * tab shows.
 */
export function useGet<Op extends Get>(
  path: Op['path'],
  ...[request, options = {}]: ReadArguments<Op, ReplyOf<Op>>
): UseQueryResult<ReplyOf<Op>, ApiError> {
  const workspaceId = useStore(workspaceChoice.store);
  const { isEnabled = true, refetchEveryMs } = options;
  return useQuery<ReplyOf<Op>, ApiError>({
    queryKey: [workspaceId, path, request],
    queryFn: ({ signal }) =>
      call<Op>('GET', path, ...([request, { signal, workspaceId, isBackground: true }] as never)),
    enabled: isEnabled,
    ...(refetchEveryMs !== undefined && {
      refetchInterval:
        typeof refetchEveryMs === 'function' ? ({ state }) => refetchEveryMs(state.data) : refetchEveryMs,
    }),
    ...(refetchEveryMs === false && { refetchOnWindowFocus: false, refetchOnReconnect: false }),
  });
}

/** A longer list is not read again whenever the window gets the focus. */
const freshOnFocus = 4;

/**
 * Reads a list page by page. `query` has the filters without `cursor`: `usePages<typeof listAuditOperation>('/v1/audit', { query })`.
 * All pages that are shown are kept fresh. The more there are, the less often: a request is sent every 15 s on average.
 */
export function usePages<Op extends Get>(
  path: Op['path'],
  ...[request, { isEnabled = true, refetchEveryMs } = {}]: ReadArguments<Op, ReplyOf<Op>>
): UseInfiniteQueryResult<InfiniteData<ReplyOf<Op>>, ApiError> {
  const workspaceId = useStore(workspaceChoice.store);
  return useInfiniteQuery<ReplyOf<Op>, ApiError, InfiniteData<ReplyOf<Op>>, unknown[], string | undefined>({
    queryKey: [workspaceId, path, request, 'pages'],
    queryFn: ({ signal, pageParam }) => {
      const { query, ...rest } = (request ?? {}) as { query?: object };
      const page = { ...rest, query: { ...query, cursor: pageParam } };
      return call<Op>('GET', path, ...([page, { signal, workspaceId, isBackground: true }] as never));
    },
    initialPageParam: undefined,
    getNextPageParam: (page) => (page as { nextCursor?: string | null }).nextCursor ?? undefined,
    enabled: isEnabled,
    refetchInterval: ({ state: { data } }) => {
      if (session.store.get().isEnded) return false;
      const everyMs = typeof refetchEveryMs === 'function' ? refetchEveryMs(data?.pages[0]) : refetchEveryMs;
      return everyMs === false ? false : (everyMs ?? usualMs) * Math.max(1, data?.pages.length ?? 1);
    },
    refetchOnWindowFocus: ({ state: { data } }) =>
      (data?.pages.length ?? 0) > freshOnFocus ? false : 'always',
  });
}

/**
 * Sends an operation when it is called, then reads again what it changes.
 *
 * @param changes paths of operations whose results are out of date afterwards
 */
export function useSend<Op extends AnyOperation>(
  method: Op['method'],
  path: Op['path'],
  changes: readonly string[] = [],
): UseMutationResult<ReplyOf<Op>, ApiError, RequestOf<Op>> {
  const queries = useQueryClient();
  const workspaceId = useStore(workspaceChoice.store);
  return useMutation<ReplyOf<Op>, ApiError, RequestOf<Op>>({
    mutationFn: (request) => call<Op>(method, path, ...([request, { workspaceId }] as never)),
    onSettled: () => invalidate(queries, workspaceId, changes),
  });
}

/**
 * Reads again what has changed without a request of {@link useSend}.
 *
 * @param paths of operations, the same array each time
 */
export function useRefresh(paths: readonly string[]): () => void {
  const queries = useQueryClient();
  const workspaceId = useStore(workspaceChoice.store);
  return () => void invalidate(queries, workspaceId, paths);
}

/**
 * Sends an operation whose reply has a secret. The reply goes to `onReply` and is kept nowhere else: what {@link useSend} returns stays
 * in a cache for some minutes.
 *
 * @param changes as for {@link useSend}
 */
export function useSendForSecret<Op extends AnyOperation>(
  method: Op['method'],
  path: Op['path'],
  changes: readonly string[],
): UseMutationResult<void, ApiError, SecretRequest<Op>> {
  const queries = useQueryClient();
  const workspaceId = useStore(workspaceChoice.store);
  return useMutation<void, ApiError, SecretRequest<Op>>({
    mutationFn: async ({ request, onReply }) =>
      onReply(await call<Op>(method, path, ...([request, { workspaceId }] as never))),
    onSettled: () => invalidate(queries, workspaceId, changes),
  });
}

interface SecretRequest<Op extends AnyOperation> {
  readonly request: RequestOf<Op>;
  readonly onReply: (reply: ReplyOf<Op>) => void;
}

const invalidate = (queries: QueryClient, workspaceId: string | undefined, changes: readonly string[]) =>
  queries.invalidateQueries({
    predicate: ({ queryKey: [workspace, read] }) =>
      workspace === workspaceId && changes.includes(read as string),
  });
