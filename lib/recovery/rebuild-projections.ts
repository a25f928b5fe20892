import { queryAccounts, restoreNoticeKeys } from '../accounts/store.ts';
import { freeTime } from '../calendar/free.ts';
import { plannedFrom, toEntry } from '../calendar/read.ts';
import { placeOf } from '../daily-limits/place.ts';
import { listOwnPlaces } from '../daily-limits/read.ts';
import { settlePlace } from '../daily-limits/settle.ts';
import { mapInBatches } from '../kernel/batches.ts';
import { dayMs, toTimestamp } from '../kernel/clock.ts';
import { newId } from '../kernel/ids.ts';
import { dayIn } from '../kernel/time-zone.ts';
import type { DailyLimits } from '../platforms/contract/daily-limit.ts';
import { platformNames } from '../platforms/contract/names.ts';
import { queryPosts } from '../posts/list/read-page.ts';
import { rollUpPost } from '../posts/roll-up.ts';
import { indexPost } from '../posts/search/index-post.ts';
import { findPost } from '../posts/stored/store.ts';
import { batchGet, batchGetLimit } from '../table/batch-get.ts';
import { accountPrefix, postKey, searchedPostsPartition, workspaceKey } from '../table/keys.ts';
import { queryAll, queryPages } from '../table/query.ts';
import type { Table } from '../table/table.ts';
import { claimLivePost } from '../targets/live-posts.ts';
import { restoreOverdueKeys } from '../targets/store.ts';
import { platformPostIdsOf } from '../targets/thread.ts';
import { releaseIfResumed } from './held-targets.ts';
import { repairOwnZones, repairPostZone } from './repair-zones.ts';

/** The number of checked posts, times on calendars, and places in days of daily limits, and of repaired time zones. */
export interface RebuildCount {
  readonly posts: number;
  readonly times: number;
  readonly places: number;
  readonly zones: number;
}

/** The table of a stage and the daily limits of its apps. */
export interface RebuildContext {
  readonly table: Table;
  readonly dailyLimits: DailyLimits;
  /** Epoch milliseconds. */
  readonly now: number;
}

const postsPerPage = 100;
/** The number of posts or accounts that are checked at the same time: a workspace may have 100,000 posts. */
const concurrency = 10;

/**
 * Rebuilds the data that the stream derives from the targets of a workspace: posts' statuses and summaries, the posts of platform
 * ids, freed times on calendars, and places in days of daily limits. Puts waiting targets back into the index `overdue` if they
 * are missing there, and accounts whose access ends. Has the search find all posts, and none that are gone. Repairs time zones that earlier releases accepted. Releases targets that are held although their pause has ended. Run this if
 * stream records expired unprocessed. Idempotent, and safe to run at any time, concurrently with everything else.
 */
export async function rebuildProjections(
  context: RebuildContext,
  workspaceId: string,
): Promise<RebuildCount> {
  const { table, now } = context;
  await rebuildNotices(table, workspaceId, now);
  const zones = await repairOwnZones(table, workspaceId, await everConnected(table, workspaceId));
  const posts = await rebuildPosts(context, workspaceId);
  await forgetGonePosts(table, workspaceId);
  return {
    posts: posts.count,
    zones: zones + posts.zones,
    times: await rebuildCalendars(table, workspaceId, now),
    places: await checkPlaces(context, workspaceId),
  };
}

async function rebuildPosts(context: RebuildContext, workspaceId: string) {
  let count = 0;
  let zones = 0;
  let afterPostId: string | undefined;
  do {
    const page = await queryPosts(context.table, workspaceId, { limit: postsPerPage, afterPostId });
    await mapInBatches(page.posts, concurrency, async ({ id }) => {
      zones += await repairPostZone(context.table, workspaceId, id);
      await rebuildPost(context, workspaceId, id);
    });
    count += page.posts.length;
    afterPostId = page.lastPostId;
  } while (afterPostId !== undefined);
  return { count, zones };
}

async function rebuildPost(
  { table, dailyLimits, now }: RebuildContext,
  workspaceId: string,
  postId: string,
): Promise<void> {
  await rollUpPost(table, workspaceId, postId, now);
  await indexPost(table, { workspaceId, postId });
  const { targets = [] } = (await findPost(table, workspaceId, postId)) ?? {};
  for (const target of targets) {
    await restoreOverdueKeys(table, target);
    await releaseIfResumed({ table, now: () => now, uniqueId: () => newId(now) }, target);
    const { accountId, platform } = target;
    const timeZone = dailyLimits[platform]?.timeZone;
    const place = timeZone === undefined ? undefined : placeOf(target, timeZone);
    // A day that is over matters no more.
    if (place && timeZone !== undefined && place.endsMs > now)
      await settlePlace(table, { workspaceId, postId, accountId, platform, day: place.day, timeZone });
    for (const platformPostId of platformPostIdsOf(target))
      await claimLivePost(table, { platform, platformPostId, workspaceId, postId, accountId });
  }
}

/** Takes posts out of the search that are gone although no stream record said so. */
async function forgetGonePosts(table: Table, workspaceId: string): Promise<void> {
  const query = { partition: searchedPostsPartition(workspaceId), attributes: ['sk'], limit: batchGetLimit };
  for await (const rows of queryPages(table, query)) {
    const ids = rows.map(({ sk }) => String(sk));
    const found = await batchGet(
      table,
      ids.map((id) => postKey(workspaceId, id)),
    );
    const gone = ids.filter((id) => !found.get(postKey(workspaceId, id)));
    await mapInBatches(gone, concurrency, (postId) => indexPost(table, { workspaceId, postId }));
  }
}

async function rebuildCalendars(table: Table, workspaceId: string, now: number): Promise<number> {
  let count = 0;
  for (const accountId of await everConnected(table, workspaceId)) {
    for await (const items of queryPages(table, plannedFrom(workspaceId, accountId, now))) {
      await mapInBatches(items.map(toEntry), concurrency, ({ postId, atMs }) =>
        freeTime(table, { workspaceId, accountId, postId, scheduledFor: toTimestamp(atMs) }),
      );
      count += items.length;
    }
  }
  return count;
}

/** The number of days to check: a post may be scheduled this far ahead, plus a day for time zones. */
const daysAhead = 368;

/** Removes places that targets have left. */
async function checkPlaces(
  { table, dailyLimits, now }: RebuildContext,
  workspaceId: string,
): Promise<number> {
  let count = 0;
  for (const platform of platformNames) {
    const timeZone = dailyLimits[platform]?.timeZone;
    if (timeZone === undefined) continue;
    // In steps of half a day, because a day may have 23 hours.
    const days = Array.from({ length: 2 * daysAhead }, (_, half) =>
      dayIn(timeZone, now + (half * dayMs) / 2),
    );
    const counts = await mapInBatches([...new Set(days)], concurrency, async (day) => {
      const places = await listOwnPlaces(table, { platform, day }, workspaceId);
      for (const place of places) await settlePlace(table, { ...place, platform, day, timeZone });
      return places.length;
    });
    count += counts.reduce((sum, found) => sum + found, 0);
  }
  return count;
}

/** Makes notices due for accounts with an end of access that an earlier release has stored. */
async function rebuildNotices(table: Table, workspaceId: string, now: number): Promise<void> {
  let afterAccountId: string | undefined;
  do {
    const page = await queryAccounts(table, workspaceId, { afterAccountId });
    await mapInBatches(page.accounts, concurrency, (account) => restoreNoticeKeys(table, account, now));
    afterAccountId = page.lastAccountId;
  } while (afterAccountId !== undefined);
}

/** Returns the ids of all accounts that the workspace has ever connected. */
async function everConnected(table: Table, workspaceId: string): Promise<string[]> {
  const items = await queryAll(table, {
    partition: workspaceKey(workspaceId).pk,
    sort: { beginsWith: accountPrefix },
  });
  return items.map(({ id }) => String(id));
}
