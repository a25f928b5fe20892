import { type UseQueryResult, useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import type { listPostsOperation } from '../../../posts/operations.ts';
import type { listWebhooksOperation } from '../../../webhooks/endpoints/operations.ts';
import type { readWorkspaceOperation } from '../../../workspaces/operations.ts';
import { useAccounts, useAccountsById } from '../../accounts/use-accounts.ts';
import type { ApiError } from '../../api/api-error.ts';
import { call } from '../../api/client.ts';
import { useGet, usePages } from '../../api/hooks.ts';
import { session } from '../../api/session.ts';
import { useStore } from '../../api/store.ts';
import { workspaceChoice } from '../../api/workspace-choice.ts';
import { newestOf, useOwnTimes } from '../../posts/own-times.ts';
import { type ListedPost, refreshEveryMs } from '../../posts/post.ts';
import { useIsOwner } from '../../workspace.tsx';
import { byAge, concernsOf } from './concerns.ts';
import { isDismissed, useDismissals } from './dismissals.ts';
import { entriesOf } from './next-day.ts';

/** All that the page shows: what is read, and what follows from it. */
export function useNow() {
  const isOwner = useIsOwner();
  const now = useClock();
  const attention = usePages<typeof listPostsOperation>('/v1/posts', {
    query: { attention: 'true', limit: '50' },
  });
  const proposals = usePages<typeof listPostsOperation>('/v1/posts', {
    query: { approval: 'waiting', limit: '50' },
  });
  useUntilFound(proposals);
  const atRisk = usePages<typeof listPostsOperation>('/v1/posts', {
    query: { atRisk: 'true', limit: '50' },
  });
  const planned = usePlanned();
  const hour = Math.floor(now / hourMs) * hourMs;
  const ownTimes = useOwnTimes(toIso(hour + hourMs - waitsForMs), toIso(hour + dayMs));
  const accounts = useAccounts();
  const accountsById = useAccountsById();
  const endpoints = useGet<typeof listWebhooksOperation>('/v1/webhooks', undefined, { isEnabled: isOwner });
  const workspace = useGet<typeof readWorkspaceOperation>('/v1/workspace', undefined, {
    refetchEveryMs: workspaceEveryMs,
  });

  const entries = entriesOf(newestOf(planned.data?.posts ?? [], ownTimes.posts), {
    accounts: accountsById,
    now,
  });
  const { dismissals, dismiss, restore } = useDismissals();
  const found = attention.data?.pages.flatMap(({ posts }) => posts) ?? [];
  const wrong = byAge(
    found.filter((post) => !isDismissed(dismissals, post)),
    now,
  );
  const stored = workspace.data?.workspace.storage;
  // Only keys are not told how much is used.
  const storage = stored && { ...stored, usedBytes: stored.usedBytes ?? 0 };
  const facts = {
    atRisk: atRisk.data?.pages.flatMap(({ posts }) => posts) ?? [],
    entries,
    accounts: accountsById,
    endpoints: endpoints.data?.webhooks ?? [],
    storage,
  };
  return {
    now,
    reads: {
      posts: attention,
      proposals,
      atRisk,
      planned,
      ownTimes,
      accounts,
      storage: workspace,
      ...(isOwner && { endpoints }),
    },
    attention,
    proposals,
    /** The drafts that wait for approval. */
    proposed: (proposals.data?.pages.flatMap(({ posts }) => posts) ?? []).filter(
      ({ approval }) => approval?.state === 'waiting',
    ),
    planned,
    accounts,
    accountsById,
    workspace,
    endpoints,
    entries,
    older: wrong.older,
    /** Failed posts that the person has dealt with. */
    dismissed: found.filter((post) => isDismissed(dismissals, post)),
    dismiss,
    restore,
    concerns: concernsOf({ ...facts, posts: wrong.recent }, now),
  };
}

export type Now = ReturnType<typeof useNow>;

/** Reads on while a list has only pages without posts: a page of drafts that wait leaves out all others. */
function useUntilFound({
  data,
  hasNextPage,
  isFetching,
  isFetchNextPageError,
  fetchNextPage,
}: ReturnType<typeof usePages<typeof listPostsOperation>>): void {
  const isEmpty = data?.pages.every(({ posts }) => posts.length === 0) === true;
  const reads = isEmpty && hasNextPage && !isFetching && !isFetchNextPageError;
  useEffect(() => {
    if (reads) void fetchNextPage();
  }, [reads, fetchNextPage]);
}

const toIso = (epochMs: number): string => new Date(epochMs).toISOString();

const everyMs = 15_000;

/** Often enough to see that a platform has trouble. */
const workspaceEveryMs = 60_000;

/** Epoch milliseconds, renewed with what is read. */
function useClock(): number {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), everyMs);
    return () => clearInterval(timer);
  }, []);
  return now;
}

/** The posts of the next 24 hours, and those that still wait although their time is over. */
interface Planned {
  readonly posts: readonly ListedPost[];
  /** True if these are all. */
  readonly isComplete: boolean;
}

const path = '/v1/posts';
const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
/** A destination waits for a limit for 25 hours at most. */
const waitsForMs = 26 * hourMs;
const dayMs = 24 * hourMs;
const mostPages = 5;

/** Reads {@link Planned}: every 5 s while something is due, else every 15 s. Long lists less often. */
function usePlanned(): UseQueryResult<Planned, ApiError> {
  const workspaceId = useStore(workspaceChoice.store);
  return useQuery<Planned, ApiError>({
    queryKey: [workspaceId, path, 'now'],
    queryFn: async ({ signal }) => {
      const now = Date.now();
      const at = (ms: number) => new Date(ms).toISOString();
      const read = (query: Query) => readPages(query, { signal, workspaceId });
      const [late, next] = await Promise.all([
        read({ from: at(now - waitsForMs), to: at(now), status: 'scheduled,publishing' }),
        read({ from: at(now), to: at(now + dayMs) }),
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
