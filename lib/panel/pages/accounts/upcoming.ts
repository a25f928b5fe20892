import { type UseQueryResult, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { listPostsOperation } from '../../../posts/operations.ts';
import type { ApiError } from '../../api/api-error.ts';
import { call } from '../../api/client.ts';
import type { ReplyOf } from '../../api/operation-types.ts';
import { useStore } from '../../api/store.ts';
import { workspaceChoice } from '../../api/workspace-choice.ts';

/** The plan from now on, as far as it was read. */
export interface Upcoming {
  /** The time of each account's next post, by the account's id; ISO 8601. */
  readonly nextByAccount: Readonly<Record<string, string>>;
  /** True if all posts of the next 62 days were read. */
  readonly isComplete: boolean;
  /** If not: accounts without a time have none before this one; absent if that is not known either. */
  readonly readUntil: string | undefined;
}

type Page = ReplyOf<typeof listPostsOperation>;
const path = '/v1/posts';
const refetchEveryMs = 60_000;
/** One page says for most workspaces when each account is next. Of one account, posts may be far apart in the pages. */
const ofAll = { limit: '200', pages: 1 };
const ofOne = { limit: '50', pages: 5 };

/** Reads when the next posts go out: of all accounts, or of one. It looks 62 days ahead, as far as one list of the API goes. */
export function useUpcoming(accountId?: string): UseQueryResult<Upcoming, ApiError> {
  const workspaceId = useStore(workspaceChoice.store);
  // Posts that are due now may still be on their way.
  const [from] = useState(() => new Date(Date.now() - 600_000).toISOString());
  return useQuery<Upcoming, ApiError>({
    queryKey: [workspaceId, path, 'upcoming', accountId],
    refetchInterval: refetchEveryMs,
    queryFn: async ({ signal }) => {
      const { limit, pages } = accountId === undefined ? ofAll : ofOne;
      const posts: Page['posts'] = [];
      let cursor: string | undefined;
      for (let page = 0; page < pages; page++) {
        const query = { from, limit, accountId, cursor };
        const read = await call<typeof listPostsOperation>(
          'GET',
          path,
          { query },
          { signal, workspaceId, isBackground: true },
        );
        posts.push(...read.posts);
        cursor = read.nextCursor ?? undefined;
        if (cursor === undefined || (accountId !== undefined && accountId in nextOf(posts))) break;
      }
      return {
        nextByAccount: nextOf(posts),
        isComplete: cursor === undefined,
        readUntil: accountId === undefined ? (posts.at(-1)?.scheduledFor ?? undefined) : undefined,
      };
    },
  });
}

/** The earliest time of each account. A destination may have another time than its post. Pure. */
export function nextOf(posts: Page['posts']): Record<string, string> {
  const next: Record<string, string> = {};
  for (const post of posts) {
    for (const { accountId, status, scheduledFor } of post.platforms) {
      const at = scheduledFor ?? post.scheduledFor;
      const before = next[accountId];
      if (status === 'scheduled' && at !== null && (before === undefined || at < before))
        next[accountId] = at;
    }
  }
  return next;
}
