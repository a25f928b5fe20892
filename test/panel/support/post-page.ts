import type * as z from 'zod';
import { listAccountsOperation } from '../../../lib/accounts/operations.ts';
import { readPostOperation, readTimelineOperation } from '../../../lib/posts/operations.ts';
import type { TimelineEntryView } from '../../../lib/posts/timeline.ts';
import type { ListedPostView, PostView } from '../../../lib/posts/view/schemas.ts';
import { some } from './accounts.ts';
import type { FakeApi } from './fake-api.ts';
import { answer } from './operation-answers.ts';
import { type ListedTarget, postOf, targetOf } from './posts.ts';
import { servePostMetrics, targetMetricsOf } from './results.ts';

type Entry = z.infer<typeof TimelineEntryView>;
type Account = (typeof some)[number];

/** A time some milliseconds after another one. */
export const later = (at: string, ms: number): string => new Date(Date.parse(at) + ms).toISOString();

/** A step of a destination. */
export function stepOf(
  account: Account,
  at: string,
  event: Entry['event'],
  changes: Partial<Entry> = {},
): Entry {
  const { id: accountId, platform } = account;
  return {
    at,
    accountId,
    platform,
    event,
    attempt: 1,
    calls: [],
    reason: null,
    nextAt: null,
    files: [],
    ...changes,
  };
}

/** The steps of a destination that went live. @param lateMs how late the call was */
export function liveSteps(account: Account, due: string, lateMs: number): Entry[] {
  const call = (name: string, milliseconds: number) => ({
    call: `POST https://graph.test/v24.0/178414/${name}`,
    status: 200,
    milliseconds,
  });
  return [
    stepOf(account, later(due, -241_000), 'preparing', {
      calls: [call('media', 812)],
      nextAt: later(due, -231_000),
    }),
    stepOf(account, later(due, -12_000), 'prepared', { calls: [call('media', 120)], attempt: 2 }),
    stepOf(account, later(due, lateMs - 9), 'going live', { attempt: 3 }),
    stepOf(account, later(due, lateMs + 366), 'published', {
      attempt: 3,
      calls: [call('media_publish', 366)],
    }),
    stepOf(account, later(due, lateMs + 1_420), 'finished', { attempt: 3, calls: [call('comments', 310)] }),
  ];
}

/** A destination that is live. */
export const liveTargetOf = (
  account: Account,
  due: string,
  lateMs: number,
  changes: Partial<ListedTarget> = {},
) =>
  targetOf(account, {
    status: 'published',
    scheduledFor: due,
    platformPostId: '17900000000000042',
    permalink: `https://www.${account.platform}.test/p/42`,
    publishedAt: later(due, lateMs + 366),
    timing: {
      scheduledFor: due,
      calledAt: later(due, lateMs),
      liveAt: later(due, lateMs + 366),
      lateMs,
      afterRequestMs: null,
    },
    ...changes,
  });

/** A destination that has failed. */
export const failedTargetOf = (
  account: Account,
  category: 'retryable' | 'reconnect' | 'content' | 'platform' | 'unknown',
  changes: Partial<ListedTarget> = {},
) => {
  const codes = {
    retryable: 'platform_unavailable',
    reconnect: 'account_expired',
    content: 'platform_rejected',
    platform: 'account_restricted',
    unknown: 'outcome_unknown',
  };
  return targetOf(account, {
    status: 'failed',
    error: `it failed (${category})`,
    errorDetail: { code: codes[category], category, platformMessage: null, retryAt: null },
    ...changes,
  });
};

interface Given {
  readonly accounts?: readonly Account[];
  readonly timeline?: readonly Entry[];
  readonly changes?: Partial<z.input<typeof PostView>>;
}

/** Answers everything that the page of a post reads. */
export function servePost(
  api: FakeApi,
  listed: z.input<typeof ListedPostView>,
  { accounts = some, timeline = [], changes = {} }: Given = {},
): FakeApi {
  const post = postOf(listed, changes);
  const created: Entry = {
    ...stepOf(some[0] as Account, listed.createdAt, 'created'),
    accountId: null,
    platform: null,
    attempt: null,
  };
  const live = post.platforms.filter(({ publishedAt }) => publishedAt !== null);
  servePostMetrics(
    api,
    live.flatMap(({ accountId }) =>
      accounts.filter(({ id }) => id === accountId).map((account) => targetMetricsOf(account)),
    ),
  );
  answer(api, listAccountsOperation, () => ({ accounts: [...accounts], nextCursor: null }));
  answer(api, readPostOperation, () => ({ post }));
  answer(api, readTimelineOperation, () => ({
    timeline: [created, ...timeline].toSorted((one, other) => (one.at < other.at ? -1 : 1)),
  }));
  return api;
}
