import { useEffect, useState } from 'react';
import type { listPostsOperation } from '../../../posts/operations.ts';
import type { listWebhooksOperation } from '../../../webhooks/endpoints/operations.ts';
import type { readWorkspaceOperation } from '../../../workspaces/operations.ts';
import { useAccounts, useAccountsById } from '../../accounts/use-accounts.ts';
import { useGet, usePages } from '../../api/hooks.ts';
import { useIsOwner } from '../../workspace.tsx';
import { byAge, concernsOf } from './concerns.ts';
import { entriesOf } from './next-day.ts';
import { usePlanned } from './planned.ts';

/** All that the page shows: what is read, and what follows from it. */
export function useNow() {
  const isOwner = useIsOwner();
  const now = useClock();
  const attention = usePages<typeof listPostsOperation>('/v1/posts', {
    query: { attention: 'true', limit: '50' },
  });
  const planned = usePlanned();
  const accounts = useAccounts();
  const accountsById = useAccountsById();
  const endpoints = useGet<typeof listWebhooksOperation>('/v1/webhooks', undefined, { isEnabled: isOwner });
  const workspace = useGet<typeof readWorkspaceOperation>('/v1/workspace');

  const entries = entriesOf(planned.data?.posts ?? [], now);
  const wrong = byAge(attention.data?.pages.flatMap(({ posts }) => posts) ?? [], now);
  const storage = workspace.data?.workspace.storage;
  const facts = { entries, accounts: accountsById, endpoints: endpoints.data?.webhooks ?? [], storage };
  return {
    now,
    reads: { posts: attention, planned, accounts, storage: workspace, ...(isOwner && { endpoints }) },
    attention,
    planned,
    accounts,
    accountsById,
    workspace,
    endpoints,
    entries,
    older: wrong.older,
    concerns: concernsOf({ ...facts, posts: wrong.recent }, now),
  };
}

export type Now = ReturnType<typeof useNow>;

const everyMs = 15_000;

/** Epoch milliseconds, renewed with what is read. */
function useClock(): number {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), everyMs);
    return () => clearInterval(timer);
  }, []);
  return now;
}
