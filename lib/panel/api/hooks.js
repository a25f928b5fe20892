import { useInfiniteQuery, useMutation, useQuery, useQueryClient, } from '@tanstack/react-query';
import { call } from './client.ts';
import { useStore } from './store.ts';
import { workspaceChoice } from './workspace-choice.ts';
/**
 * Reads an operation and keeps it fresh: `useGet<typeof listKeysOperation>('/panel/keys')`. The result belongs to the workspace that the
 * tab shows.
 */
export function useGet(path, ...[request, options = {}]) {
    const workspaceId = useStore(workspaceChoice.store);
    const { isEnabled = true, refetchEveryMs } = options;
    return useQuery({
        queryKey: [workspaceId, path, request],
        queryFn: ({ signal }) => call('GET', path, ...[request, { signal, workspaceId, isBackground: true }]),
        enabled: isEnabled,
        ...(refetchEveryMs !== undefined && {
            refetchInterval: typeof refetchEveryMs === 'function' ? ({ state }) => refetchEveryMs(state.data) : refetchEveryMs,
        }),
    });
}
/**
 * Reads a list page by page. `query` has the filters without `cursor`: `usePages<typeof listAuditOperation>('/v1/audit', { query })`.
 * All pages that are shown are kept fresh.
 */
export function usePages(path, ...[request, { isEnabled = true } = {}]) {
    const workspaceId = useStore(workspaceChoice.store);
    return useInfiniteQuery({
        queryKey: [workspaceId, path, request, 'pages'],
        queryFn: ({ signal, pageParam }) => {
            const { query, ...rest } = (request ?? {});
            const page = { ...rest, query: { ...query, cursor: pageParam } };
            return call('GET', path, ...[page, { signal, workspaceId, isBackground: true }]);
        },
        initialPageParam: undefined,
        getNextPageParam: (page) => page.nextCursor ?? undefined,
        enabled: isEnabled,
    });
}
/**
 * Sends an operation when it is called, then reads again what it changes.
 *
 * @param changes paths of operations whose results are out of date afterwards
 */
export function useSend(method, path, changes = []) {
    const queries = useQueryClient();
    const workspaceId = useStore(workspaceChoice.store);
    return useMutation({
        mutationFn: (request) => call(method, path, ...[request, { workspaceId }]),
        onSettled: () => queries.invalidateQueries({
            predicate: ({ queryKey: [workspace, read] }) => workspace === workspaceId && changes.includes(read),
        }),
    });
}
