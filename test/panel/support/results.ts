import type * as z from 'zod';
import { listMetricsOperation, readPostMetricsOperation } from '../../../lib/insights/operations.ts';
import type {
  ListedMetrics,
  MetricReason,
  PostMetrics,
  TargetMetrics,
} from '../../../lib/insights/schemas.ts';
import { listTagsOperation } from '../../../lib/tags/operations.ts';
import { inDays, instagram, linkedin, serveAccounts, tiktok } from './accounts.ts';
import type { FakeApi } from './fake-api.ts';
import { idOf } from './ids.ts';
import { answer } from './operation-answers.ts';

type Result = z.infer<typeof ListedMetrics>;
type Account = typeof instagram;
type Name = keyof z.infer<typeof PostMetrics>;

const names: readonly Name[] = ['views', 'reach', 'likes', 'comments', 'shares', 'saves', 'clicks'];
const asOf = '2026-03-02T09:00:00.000Z';

/** Numbers: those that are given, and none of the others. */
export function metricsOf(
  given: Partial<Record<Name, number>>,
  reason: z.infer<typeof MetricReason> = 'not_offered',
): z.infer<typeof PostMetrics> {
  const entries = names.map((name) => {
    const value = given[name] ?? null;
    const known =
      value === null
        ? { reason, platformName: null, asOf: null }
        : { reason: null, platformName: name, asOf };
    return [name, { value, ...known }] as const;
  });
  return Object.fromEntries(entries) as z.infer<typeof PostMetrics>;
}

export function resultOf(number: number, account: Account, changes: Partial<Result> = {}): Result {
  return {
    postId: idOf(7_000 + number),
    accountId: account.id,
    platform: account.platform,
    platformPostId: `1790000000000${number}`,
    publishedAt: inDays(-number),
    removedAt: null,
    permalink: null,
    content: `Post ${number}`,
    tags: [],
    asOf,
    metrics: metricsOf({ views: 1_000 * number, likes: 10 * number }),
    ...changes,
  };
}

const withNumbers = (account: Account): Account => ({
  ...account,
  capabilities: [...account.capabilities, 'insights'],
});

export const results = [
  resultOf(1, instagram),
  resultOf(2, linkedin, { metrics: metricsOf({ likes: 7 }), tags: ['Summer', 'Launch'] }),
  resultOf(3, tiktok, { content: 'Taken down', removedAt: inDays(-1) }),
  resultOf(40, instagram, { content: 'Long ago' }),
];

/** Answers what the page of results reads. @param given the posts; default some */
export function serveResults(
  api: FakeApi,
  given: readonly Result[] = results,
  accounts: readonly Account[] = [withNumbers(instagram), withNumbers(linkedin), tiktok],
): FakeApi {
  serveAccounts(api, { accounts: [...accounts] });
  answer(api, listTagsOperation, () => ({
    tags: [{ name: 'Summer', color: 'amber' as const }],
    nextCursor: null,
  }));
  answer(api, listMetricsOperation, ({ query }) => {
    const tag = query.get('tags');
    const within = given.filter(
      ({ publishedAt, platform, accountId, tags }) =>
        (tag === null || tags.includes(tag)) &&
        publishedAt >= (query.get('from') ?? '') &&
        publishedAt < (query.get('to') ?? '~') &&
        platform === (query.get('platform') ?? platform) &&
        accountId === (query.get('accountId') ?? accountId),
    );
    if (query.get('format') !== 'csv') return { posts: within, nextCursor: null };
    const lines = within.map(({ postId, metrics }) => `${postId},${metrics.views.value}`);
    return {
      status: 200,
      body: ['postId,views', ...lines, ''].join('\r\n'),
      headers: { 'content-type': 'text/csv' },
    };
  });
  return api;
}

/** The numbers of one destination of a post. */
export function targetMetricsOf(
  account: Account,
  changes: Partial<z.infer<typeof TargetMetrics>> = {},
): z.infer<typeof TargetMetrics> {
  return {
    accountId: account.id,
    platform: account.platform,
    platformPostId: '17900000000000042',
    publishedAt: asOf,
    removedAt: null,
    reason: null,
    message: null,
    asOf,
    freshFrom: null,
    metrics: metricsOf({ views: 1_234, likes: 56 }),
    snapshots: [],
    ...changes,
  };
}

/** Answers the numbers of a post. */
export function servePostMetrics(api: FakeApi, targets: readonly z.infer<typeof TargetMetrics>[]): void {
  answer(api, readPostMetricsOperation, ({ parameters: [postId = ''] }) => ({
    metrics: { postId, targets: [...targets] },
  }));
}
