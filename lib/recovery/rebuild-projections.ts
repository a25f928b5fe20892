import { queryAccounts, restoreNoticeKeys } from '../accounts/store.ts';
import { freeTime } from '../calendar/free.ts';
import { plannedFrom, toEntry } from '../calendar/read.ts';
import { mapInBatches } from '../kernel/batches.ts';
import { toTimestamp } from '../kernel/clock.ts';
import { rollUpPost } from '../posts/roll-up.ts';
import { findPost, queryPosts } from '../posts/store.ts';
import { accountPrefix, workspaceKey } from '../table/keys.ts';
import { queryAll, queryPages } from '../table/query.ts';
import type { Table } from '../table/table.ts';
import { noteLivePost } from '../targets/live-posts.ts';
import { restoreOverdueKeys } from '../targets/store.ts';

/** How many posts, and times on calendars, were checked. */
export interface RebuildCount {
  readonly posts: number;
  readonly times: number;
}

const postsPerPage = 100;
/** A few at a time: a workspace may have 100,000 posts. */
const concurrency = 10;

/**
 * Rebuilds what the stream derives from the targets of a workspace: posts' statuses and summaries, the posts that platform
 * ids belong to, and freed times on calendars. Puts waiting targets back into the index `overdue` if they are missing there, and
 * accounts whose access ends. Run this if stream records expired unprocessed. Idempotent, and safe to run at any time, concurrently with everything
 * else.
 *
 * @param now epoch milliseconds
 */
export async function rebuildProjections(
  table: Table,
  workspaceId: string,
  now: number,
): Promise<RebuildCount> {
  await rebuildNotices(table, workspaceId, now);
  return {
    posts: await rebuildPosts(table, workspaceId, now),
    times: await rebuildCalendars(table, workspaceId, now),
  };
}

async function rebuildPosts(table: Table, workspaceId: string, now: number): Promise<number> {
  let count = 0;
  let afterPostId: string | undefined;
  do {
    const page = await queryPosts(table, workspaceId, { limit: postsPerPage, afterPostId });
    await mapInBatches(page.posts, concurrency, ({ id }) => rebuildPost(table, workspaceId, id, now));
    count += page.posts.length;
    afterPostId = page.lastPostId;
  } while (afterPostId !== undefined);
  return count;
}

async function rebuildPost(table: Table, workspaceId: string, postId: string, now: number): Promise<void> {
  await rollUpPost(table, workspaceId, postId, now);
  const { targets = [] } = (await findPost(table, workspaceId, postId)) ?? {};
  for (const target of targets) {
    await restoreOverdueKeys(table, target);
    const { accountId, platformPostId } = target;
    if (platformPostId !== undefined)
      await noteLivePost(table, { workspaceId, accountId, postId, platformPostId });
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

/** Makes the notices due of accounts whose end of access an earlier release has stored. */
async function rebuildNotices(table: Table, workspaceId: string, now: number): Promise<void> {
  let afterAccountId: string | undefined;
  do {
    const page = await queryAccounts(table, workspaceId, { afterAccountId });
    await mapInBatches(page.accounts, concurrency, (account) => restoreNoticeKeys(table, account, now));
    afterAccountId = page.lastAccountId;
  } while (afterAccountId !== undefined);
}

/** The ids of all accounts that the workspace has ever connected. */
async function everConnected(table: Table, workspaceId: string): Promise<string[]> {
  const items = await queryAll(table, {
    partition: workspaceKey(workspaceId).pk,
    sort: { beginsWith: accountPrefix },
  });
  return items.map(({ id }) => String(id));
}
