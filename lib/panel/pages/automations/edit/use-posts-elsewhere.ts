import type { listAccountPostsOperation } from '../../../../automations/operations.ts';
import { useGet, usePages } from '../../../api/hooks.ts';

const path = '/v1/accounts/{id}/posts';
const perPage = '25';

interface Wanted {
  readonly isWanted: boolean;
  /** The address of a post to look for; empty for none. */
  readonly address: string;
}

/** Posts of an account as its platform lists them, read only if they are wanted; first the one of an address. */
export function usePostsElsewhere(accountId: string, { isWanted, address }: Wanted) {
  const pages = usePages<typeof listAccountPostsOperation>(
    path,
    { path: { id: accountId }, query: { limit: perPage } },
    { isEnabled: isWanted, refetchEveryMs: false },
  );
  const found = useGet<typeof listAccountPostsOperation>(
    path,
    { path: { id: accountId }, query: { permalink: address } },
    { isEnabled: isWanted && address !== '', refetchEveryMs: false },
  );
  return {
    posts: isWanted
      ? [...(found.data?.posts ?? []), ...(pages.data?.pages.flatMap((page) => page.posts) ?? [])]
      : [],
    isReading: pages.isFetching || found.isFetching,
    error: pages.error ?? (address === '' ? null : found.error),
    hasMore: pages.hasNextPage,
    readMore: () => void pages.fetchNextPage(),
  };
}
