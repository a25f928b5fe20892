import { accountsOf } from '../access/actor.ts';
import type { Context } from '../api-contract/context.ts';
import { toTimestamp } from '../kernel/clock.ts';
import type { Platform } from '../platforms/contract/names.ts';
import { Post } from '../posts/stored/schemas.ts';
import { seesPost } from '../posts/stored/visible.ts';
import { batchGet, batchGetLimit } from '../table/batch-get.ts';
import { openCursor, sealCursor } from '../table/cursor.ts';
import type { Item } from '../table/items.ts';
import { bestPostsKey, monthOf, numbersPartition, postKey } from '../table/keys.ts';
import { queryPage } from '../table/query.ts';
import { readableItems } from '../table/readable.ts';
import { isExpired } from '../table/retention.ts';
import { readTagsOf, readWorkspaceTags } from '../tags/store.ts';
import { findTag } from '../tags/workspace-tags.ts';
import { BestPosts, rowKeyOf } from './best-posts.ts';
import { interactionsOf, latestReading, type NumbersRow, numbersFromItem } from './numbers-row.ts';
import type { ListMetricsQuery } from './operations.ts';
import { periodOf } from './period.ts';
import type { ListedMetrics } from './schemas.ts';
import { targetOf } from './store.ts';
import { metricsOf } from './view.ts';

/** The most characters of a post's text in a list. */
const shownCharacters = 100;

export interface MetricsPage {
  readonly posts: ListedMetrics[];
  readonly nextCursor: string | null;
}

/**
 * Returns a page of the destinations that went live in a period, with their latest numbers: one query in the partition of one month,
 * and one batch for the texts of their posts. So a page may be short although more follow. The tags are those that posts have now.
 *
 * @throws HeraldError `range_empty`, `range_too_long`, or `cursor_invalid` for a cursor of another list or other filters
 */
export async function listMetrics(context: Context, query: ListMetricsQuery): Promise<MetricsPage> {
  const { table, workspaceId, now } = context;
  const { platform, accountId, cursor, limit } = query;
  const { fromMs, toMs } = periodOf(query, now);
  const known = query.tags && (await readWorkspaceTags(table, workspaceId));
  const tagIds = known && query.tags?.flatMap((name) => findTag(known, name)?.id ?? []);
  const tags = tagIds?.join();
  const filters = { from: String(query.from), to: String(query.to), platform, accountId, tags };
  const scope = { secret: context.cursorSecret, listing: 'metrics', filters };
  // Without bounds, the period moves with the time; the position is absolute.
  const first = cursor === undefined ? toTimestamp(fromMs) : openCursor(scope, cursor);
  if (tagIds?.length === 0) return { posts: [], nextCursor: null };
  const last = toTimestamp(toMs - 1);
  const month = monthOf(first);
  const { items, lastKey } = await queryPage(table, {
    partition: numbersPartition(workspaceId, month),
    sort: { between: [first, `${last}~`] },
    limit: Math.min(limit, batchGetLimit),
    isEventual: true,
    ...(platform && { filter: { platform } }),
  });
  const rows = readableItems(table, items.filter(isRow), numbersFromItem).filter(
    (row) => !isExpired(row, now) && (accountId === undefined || row.accountId === accountId),
  );
  const posts = await toListed(context, rows, tagIds);
  const next = lastKey ? `${String(lastKey['sk'])}~` : nextMonth(month);
  return { posts, nextCursor: next <= `${last}~` ? sealCursor(scope, next) : null };
}

const isRow = ({ kind }: Item): boolean => kind === 'postNumbers';

/** Returns the month after this one, whose text is before all times in it. */
function nextMonth(month: string): string {
  const [year = 0, number = 0] = month.split('-').map(Number);
  return number === 12
    ? `${String(year + 1).padStart(4, '0')}-01`
    : `${month.slice(0, 5)}${String(number + 1).padStart(2, '0')}`;
}

/** Returns the best destinations of a month by their numbers now, the best first. One read of the rank, and two batches. */
export async function listBest(
  context: Context,
  { month, platform }: { readonly month?: string | undefined; readonly platform?: Platform | undefined },
): Promise<{ readonly month: string; readonly posts: ListedMetrics[] }> {
  const { table, workspaceId, now } = context;
  const asked = month ?? monthOf(toTimestamp(now));
  const key = bestPostsKey(workspaceId, asked);
  const item = (await batchGet(table, [key], { isEventual: true })).get(key);
  const keys = item ? BestPosts.parse(item).best.map((entry) => rowKeyOf(workspaceId, asked, entry)) : [];
  const found = await batchGet(table, keys, { isEventual: true });
  const items = keys.map((each) => found.get(each)).filter((each) => each !== undefined);
  const rows = readableItems(table, items, numbersFromItem)
    .filter((row) => !isExpired(row, now) && (platform === undefined || row.platform === platform))
    .map((row) => ({ row, interactions: interactionsOf(latestReading(row)) }))
    .sort((one, other) => other.interactions - one.interactions)
    .map(({ row }) => row);
  return { month: asked, posts: await toListed(context, rows) };
}

/**
 * Returns rows as lists show them, without those of posts that the actor may not see.
 *
 * @param rows at most 100
 * @param tagIds tags of which a post must have one; absent: any post
 */
async function toListed(
  context: Context,
  rows: readonly NumbersRow[],
  tagIds?: readonly number[],
): Promise<ListedMetrics[]> {
  const { table, workspaceId, actor, now } = context;
  const keys = [...new Set(rows.map(({ postId }) => postId))].map((id) => postKey(workspaceId, id));
  const found = await batchGet(table, keys, { isEventual: true });
  const kept = keys
    .map((key) => found.get(key))
    .filter((item) => item !== undefined)
    .filter((item) => !isExpired(item, now));
  const posts = new Map(
    readableItems(table, kept, (item) => Post.parse(item)).map((post) => [post.id, post]),
  );
  const tags = await readTagsOf(context, [...posts.values()]);
  const limited = accountsOf(actor);
  return rows.flatMap((row): ListedMetrics[] => {
    if (limited && !limited.has(row.accountId)) return [];
    const post = posts.get(row.postId);
    if (limited && !(post && seesPost(actor, post))) return [];
    if (tagIds && !tagIds.some((id) => post?.tagIds?.includes(id))) return [];
    const summary = post?.targets.find(({ accountId }) => accountId === row.accountId);
    const reading = latestReading(row);
    const { postId, accountId, platform, platformPostId, publishedAt } = row;
    return [
      {
        ...{ postId, accountId, platform, platformPostId, publishedAt },
        removedAt: summary?.removedAt ?? row.goneAt ?? null,
        permalink: summary?.permalink ?? null,
        content: post ? [...post.content].slice(0, shownCharacters).join('') : null,
        tags: post ? tags(post) : [],
        asOf: reading?.at ?? null,
        metrics: metricsOf(targetOf(row), reading, row.goneAt === undefined ? 'pending' : 'removed'),
      },
    ];
  });
}
