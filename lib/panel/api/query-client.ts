import { QueryClient } from '@tanstack/react-query';
import { session } from './session.ts';

export const refetchEveryMs = 15_000;

/** Makes the cache of reads. Visible pages read again at this interval. */
export function newQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        // The client of the API repeats requests itself.
        retry: false,
        staleTime: 5_000,
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
