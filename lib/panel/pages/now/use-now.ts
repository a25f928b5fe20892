import { useEffect, useState } from 'react';
import type { listPostsOperation } from '../../../posts/operations.ts';
import type { listWebhooksOperation } from '../../../webhooks/endpoints/operations.ts';
import type { readWorkspaceOperation } from '../../../workspaces/operations.ts';
import { useAccounts, useAccountsById } from '../../accounts/use-accounts.ts';
import { useGet, usePages } from '../../api/hooks.ts';
import { newestOf, useOwnTimes } from '../../posts/own-times.ts';
import { useIsOwner } from '../../workspace.tsx';
import { byAge, concernsOf } from './concerns.ts';
import { isDismissed, useDismissals } from './dismissals.ts';
import { entriesOf } from './next-day.ts';
import { dayMs, hourMs, usePlanned, waitsForMs } from './planned.ts';

/** All that the page shows: what is read, and what follows from it. */
export function useNow() {
  const isOwner = useIsOwner();
  const now = useClock();
  const attention = usePages<typeof listPostsOperation>('/v1/posts', {
    query: { attention: 'true', limit: '50' },
  });
  const planned = usePlanned();
  const hour = Math.floor(now / hourMs) * hourMs;
  const ownTimes = useOwnTimes(toIso(hour + hourMs - waitsForMs), toIso(hour + dayMs));
  const accounts = useAccounts();
  const accountsById = useAccountsById();
  const endpoints = useGet<typeof listWebhooksOperation>('/v1/webhooks', undefined, { isEnabled: isOwner });
  const workspace = useGet<typeof readWorkspaceOperation>('/v1/workspace');

  const entries = entriesOf(newestOf(planned.data?.posts ?? [], ownTimes.posts), now);
  const { dismissals, dismiss, restore } = useDismissals();
  const found = attention.data?.pages.flatMap(({ posts }) => posts) ?? [];
  const wrong = byAge(
    found.filter((post) => !isDismissed(dismissals, post)),
    now,
  );
  const storage = workspace.data?.workspace.storage;
  const facts = { entries, accounts: accountsById, endpoints: endpoints.data?.webhooks ?? [], storage };
  return {
    now,
    reads: {
      posts: attention,
      planned,
      ownTimes,
      accounts,
      storage: workspace,
      ...(isOwner && { endpoints }),
    },
    attention,
    planned,
    accounts,
    accountsById,
    workspace,
    endpoints,
    entries,
    older: wrong.older,
    /** What went wrong, and the person has dealt with. */
    dismissed: found.filter((post) => isDismissed(dismissals, post)),
    dismiss,
    restore,
    concerns: concernsOf({ ...facts, posts: wrong.recent }, now),
  };
}

export type Now = ReturnType<typeof useNow>;

const toIso = (epochMs: number): string => new Date(epochMs).toISOString();

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
