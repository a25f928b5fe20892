import { listAccountsOperation } from '../../accounts/operations.ts';
import {
  listMetricsOperation,
  readAccountMetricsOperation,
  readPostMetricsOperation,
} from '../../insights/operations.ts';
import type { ListedMetrics, PostMetrics, TargetMetrics } from '../../insights/schemas.ts';
import { dayMs, toTimestamp } from '../../kernel/clock.ts';
import { invalidField } from '../../kernel/errors.ts';
import { readPostOperation } from '../../posts/operations.ts';
import {
  notInHerald,
  ok,
  requireProfile,
  wholeNumber,
  type ZernioCall,
  type ZernioPorts,
  type ZernioRequest,
} from '../call.ts';
import { inTheirFields, renamedBy } from '../fields.ts';
import { toPost } from '../posts.ts';
import { requirePlatform, toAccount } from './accounts.ts';
import { dayAfter } from './posts.ts';

/** Numbers that have the same name. A number that the platform does not have is left out: it is no 0. */
const numberNames = [
  'views',
  'reach',
  'likes',
  'comments',
  'shares',
  'saves',
  'clicks',
] as const satisfies readonly (keyof PostMetrics)[];
type NumberName = (typeof numberNames)[number];

function toNumbers(metrics: PostMetrics, asOf: string | null): Record<string, number | string> {
  const known = numberNames.flatMap((name) => {
    const { value } = metrics[name];
    return value === null ? [] : [[name, value] as const];
  });
  return { ...Object.fromEntries(known), ...(asOf !== null && { lastUpdated: asOf }) };
}

const getAnalytics: ZernioCall = {
  name: 'getAnalytics',
  route: 'GET /v1/analytics',
  operations: [listMetricsOperation, readPostMetricsOperation, readPostOperation],
  run: (ports, request) => {
    requireProfile(ports, request.query['profileId']);
    if (request.query['source'] === 'external') throw notInHerald('getAnalytics with source=external');
    const { postId } = request.query;
    return postId ? ofPost(ports, postId) : ofPeriod(ports, request);
  },
};

async function ofPost({ call }: ZernioPorts, id: string) {
  const [{ post }, { metrics }] = await Promise.all([
    call(readPostOperation, { path: { id } }),
    call(readPostMetricsOperation, { path: { id } }),
  ]);
  const targets = metrics.targets.map((target, index) => {
    const shown = post.platforms[index];
    return toPlatform(target, shown?.permalink ?? null, target.reason);
  });
  const { content, scheduledFor, mediaItems } = toPost(post);
  const [first] = metrics.targets;
  return ok({
    postId: id,
    latePostId: id,
    status: post.status,
    content,
    scheduledFor,
    publishedAt: first?.publishedAt ?? null,
    ...(first && { analytics: toNumbers(first.metrics, first.asOf), platform: first.platform }),
    platformAnalytics: targets,
    platformPostUrl: post.platforms[0]?.permalink ?? null,
    isExternal: false,
    syncStatus: targets.every(({ syncStatus }) => syncStatus === 'synced') ? 'synced' : 'partial',
    mediaItems,
  });
}

type Target = Pick<
  TargetMetrics,
  'platform' | 'accountId' | 'platformPostId' | 'metrics' | 'asOf' | 'publishedAt'
>;

function toPlatform(target: Target, permalink: string | null, reason: TargetMetrics['reason']) {
  const { platform, accountId, platformPostId, metrics, asOf, publishedAt } = target;
  const isMissing = reason === 'pending' ? 'pending' : 'unavailable';
  return {
    platform,
    ...(publishedAt !== null && { status: 'published' }),
    platformPostId,
    accountId,
    analytics: reason === null ? toNumbers(metrics, asOf) : null,
    syncStatus: reason === null ? 'synced' : isMissing,
    platformPostUrl: permalink,
  };
}

const defaultDays = 90;
const mostPosts = 1_000;

async function ofPeriod(ports: ZernioPorts, request: ZernioRequest) {
  const { query } = request;
  const limit = wholeNumber(request, 'limit', { least: 1, most: 100, fallback: 50 });
  const page = wholeNumber(request, 'page', { least: 1, most: 1_000, fallback: 1 });
  const compare = orderOf(query['sortBy'] || 'date', query['order'] === 'asc' ? 1 : -1);
  const filters = {
    from: query['fromDate'] || (query['toDate'] ? undefined : toTimestamp(ports.now - defaultDays * dayMs)),
    to: query['toDate'] ? dayAfter(query['toDate']) : undefined,
    platform:
      query['platform'] && query['platform'] !== 'all' ? requirePlatform(query['platform']) : undefined,
    accountId: query['accountId'] || undefined,
  };
  const posts = (await readAll(ports, filters)).toSorted(compare);
  const shown = posts.slice((page - 1) * limit, page * limit);
  const total = posts.length;
  return ok({
    overview: { totalPosts: total, publishedPosts: total },
    posts: shown.map((post) => toListed(ports.workspaceId, post)),
    pagination: { page, limit, total, pages: Math.ceil(total / limit) },
    hasAnalyticsAccess: true,
  });
}

const periodNames = renamedBy({ from: 'fromDate', to: 'toDate' });

/** @throws HeraldError `range_too_long` if there are more posts than one request may read */
async function readAll({ call }: ZernioPorts, filters: Readonly<Record<string, string | undefined>>) {
  const posts: ListedMetrics[] = [];
  let cursor: string | undefined;
  for (let reads = 0; reads < 10 && posts.length <= mostPosts; reads += 1) {
    const reading = call(listMetricsOperation, { query: { ...filters, cursor, limit: '500' } });
    const page = await inTheirFields(reading, periodNames);
    posts.push(...page.posts);
    if (page.nextCursor === null) return posts;
    cursor = page.nextCursor;
  }
  throw invalidField(
    'fromDate',
    `the period has more than ${mostPosts} posts; choose a shorter one`,
    'range_too_long',
  );
}

/** Likes, comments, shares and saves together. */
const engagementOf = ({ metrics }: ListedMetrics): number =>
  (['likes', 'comments', 'shares', 'saves'] as const).reduce(
    (sum, name) => sum + (metrics[name].value ?? 0),
    0,
  );

/** Posts without the number come last. */
function orderOf(name: string, sign: 1 | -1): (one: ListedMetrics, other: ListedMetrics) => number {
  const value = numberOf(name);
  return (one, other) => {
    const [first, second] = [value(one), value(other)];
    if (first === null || second === null) return Number(first === null) - Number(second === null);
    return sign * (first - second);
  };
}

function numberOf(name: string): (post: ListedMetrics) => number | null {
  if (name === 'date') return ({ publishedAt }) => Date.parse(publishedAt);
  if (name === 'engagement') return engagementOf;
  const known = numberNames.find((each): each is NumberName => each === name);
  if (known === undefined) throw notInHerald(`getAnalytics with sortBy=${name.slice(0, 40)}`);
  return ({ metrics }) => metrics[known].value;
}

function toListed(profileId: string, post: ListedMetrics) {
  const { postId, content, publishedAt, platform, permalink, metrics, asOf } = post;
  return {
    _id: postId,
    latePostId: postId,
    ...(content !== null && { content }),
    publishedAt,
    status: 'published',
    analytics: toNumbers(metrics, asOf),
    platforms: [toPlatform(post, permalink, asOf === null ? 'pending' : null)],
    platform,
    ...(permalink !== null && { platformPostUrl: permalink }),
    isExternal: false,
    profileId,
  };
}

/** The accounts of one request. The numbers of each are a read of their own. */
const mostAccounts = 20;

const followerStats: ZernioCall = {
  name: 'getFollowerStats',
  route: 'GET /v1/accounts/follower-stats',
  operations: [listAccountsOperation, readAccountMetricsOperation],
  run: async (ports, request) => {
    const { call, now } = ports;
    const { query } = request;
    requireProfile(ports, query['profileId']);
    if ((query['granularity'] || 'daily') !== 'daily')
      throw notInHerald('getFollowerStats with another granularity than daily');
    const wanted = query['accountIds']?.split(',').filter((id) => id !== '');
    const { accounts } = await call(listAccountsOperation, {});
    const shown = accounts.filter(({ id }) => wanted === undefined || wanted.includes(id));
    if (shown.length > mostAccounts)
      throw invalidField('accountIds', `name at most ${mostAccounts} accounts`, 'field_too_long');
    const from = query['fromDate'] || toTimestamp(now - usualDays * dayMs).slice(0, 10);
    const to = query['toDate'] ? dayAfter(query['toDate']) : undefined;
    const read = await Promise.all(
      shown.map((account) =>
        inTheirFields(
          call(readAccountMetricsOperation, { path: { id: account.id }, query: { from, to } }),
          periodNames,
        ),
      ),
    );
    const daysOf = read.map(({ metrics }) =>
      metrics.days.flatMap(({ day, metrics: { followers } }) =>
        followers.value === null ? [] : [{ date: day, followers: followers.value }],
      ),
    );
    return ok({
      accounts: shown.map((account, index) => ({ ...toAccount(account), ...growthOf(daysOf[index] ?? []) })),
      stats: Object.fromEntries(shown.map(({ id }, index) => [id, daysOf[index] ?? []])),
      dateRange: { from, to: query['toDate'] || toTimestamp(now).slice(0, 10) },
      granularity: 'daily',
    });
  },
};

const usualDays = 30;

function growthOf(days: readonly { readonly date: string; readonly followers: number }[]) {
  const [first, last] = [days[0], days.at(-1)];
  if (!first || !last) return { dataPoints: 0 };
  const growth = last.followers - first.followers;
  return {
    currentFollowers: last.followers,
    lastUpdated: last.date,
    growth,
    ...(first.followers > 0 && { growthPercentage: (100 * growth) / first.followers }),
    dataPoints: days.length,
  };
}

export const analyticsCalls: readonly ZernioCall[] = [getAnalytics, followerStats];
