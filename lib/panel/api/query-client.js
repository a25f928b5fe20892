import { QueryClient } from '@tanstack/react-query';
import { session } from './session.ts';
export const refetchEveryMs = 15000;
/** What pages show is at most this old while they are visible: the interval applies only to visible pages. */
export function newQueryClient() {
    return new QueryClient({
        defaultOptions: {
            queries: {
                // The client of the API repeats requests itself.
                retry: false,
                staleTime: 5000,
                refetchInterval: () => (session.store.get().isEnded ? false : refetchEveryMs),
                refetchOnWindowFocus: 'always',
                refetchOnReconnect: 'always',
            },
            mutations: {
                retry: false,
                // A change that waits until the browser is online again would surprise: it fails now, and the person decides.
                networkMode: 'always',
            },
        },
    });
}
