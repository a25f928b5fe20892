import { keptMonths } from '../insights/forget.ts';
import { mapInBatches } from '../kernel/batches.ts';
import { dayMs } from '../kernel/clock.ts';
import { dayIn } from '../kernel/time-zone.ts';
import { objectPrefixesOf } from '../media/urls.ts';
import { repairTaskItem } from '../overdue/repair-tasks.ts';
import { type PauseScope, scopeText } from '../pauses/scope.ts';
import { addressDigest } from '../people/email-address.ts';
import { externalIdKeys } from '../posts/stored/external-id-items.ts';
import { getItem, type Item } from '../table/items.ts';
import {
  accountNumbersPartition,
  accountPrefix,
  allWordPartitions,
  auditPartition,
  automationPostsPartition,
  automationsPartition,
  calendarPartition,
  clicksPartition,
  dayPlaceKey,
  deliveriesPartition,
  feedBucket,
  feedHeadKey,
  feedPartition,
  formerLivePostsPartition,
  grantKey,
  idempotencyKey,
  inboundPartition,
  invitationKey,
  type Key,
  keyUseKey,
  linkKey,
  listedKeyPrefix,
  listedPauseKey,
  loginPartition,
  mediaPartition,
  mediaUsesPartition,
  membershipKey,
  membersPartition,
  numbersPartition,
  ownedPartition,
  pauseKey,
  platformAccountPartition,
  postPartition,
  punctualityPartition,
  renditionsPartition,
  replayKey,
  risksPartition,
  searchedPostsPartition,
  webhookEventKey,
  webhookPrefix,
  workspaceKey,
  workspaceList,
} from '../table/keys.ts';
import { queryAll, queryPages } from '../table/query.ts';
import { indexes } from '../table/schema.ts';
import { deleteLivePost } from '../targets/live-posts.ts';
import { concurrentDeletions, deleteFound, deleteItems, keyOf } from './delete-items.ts';
import { readOwned } from './owned.ts';
import { type ErasureRun, OutOfTimeError, requireTime } from './ports.ts';

/**
 * Deletes everything of a closed workspace except its own row. Items to which only another item leads are deleted before that
 * item, so a run that stops anywhere leaves what the next one needs. Idempotent.
 *
 * The rest expires within the grace of 30 days: API keys by their digests, attempts to connect, and events of deleted endpoints.
 * The sweep removes repair tasks: without their rows, they have nothing to do.
 *
 * @throws OutOfTimeError
 */
export async function eraseRows(run: ErasureRun, workspaceId: string, reference: string): Promise<void> {
  await erasePosts(run, workspaceId);
  for (const partition of [searchedPostsPartition(workspaceId), ...allWordPartitions(workspaceId)])
    await deleteFound(run, { partition });
  await eraseRenditions(run, workspaceId);
  await eraseFiles(run, workspaceId, reference);
  await eraseMediaRows(run, workspaceId);
  for (const account of await rowsOf(run, workspaceId, accountPrefix))
    await eraseOfAccount(run, workspaceId, account);
  await eraseOwned(run, workspaceId);
  for (const { id } of await rowsOf(run, workspaceId, webhookPrefix))
    await eraseDeliveries(run, workspaceId, String(id));
  await eraseFeed(run, workspaceId);
  await erasePause(run, { kind: 'workspace', workspaceId });
  await deleteFound(run, { partition: punctualityPartition(workspaceId) });
  await deleteFound(run, { partition: risksPartition(workspaceId) });
  for (const month of keptMonths(run.now()))
    await deleteFound(run, { partition: numbersPartition(workspaceId, month) });
  await eraseMembers(run, workspaceId);
  await deleteFound(run, { partition: auditPartition(workspaceId) });
  const rows = await rowsOf(run, workspaceId);
  const keys = rows.filter(({ sk }) => String(sk).startsWith(listedKeyPrefix));
  await deleteItems(
    run,
    keys.flatMap(({ id }) => [keyUseKey(String(id)), grantKey(String(id))]),
  );
  await deleteItems(
    run,
    rows.map(keyOf).filter(({ sk }) => sk !== 'WORKSPACE'),
  );
}

function rowsOf({ table }: ErasureRun, workspaceId: string, prefix = ''): Promise<Item[]> {
  const partition = workspaceKey(workspaceId).pk;
  return queryAll(table, { partition, ...(prefix !== '' && { sort: { beginsWith: prefix } }) });
}

/** The number of posts that are erased at the same time. */
const concurrentPosts = 5;

/**
 * The maximum number of passes. The index lags behind the table by about a second. If it shows posts for longer, the next run
 * continues.
 */
const maxPasses = 5;

/**
 * Deletes a workspace's posts, with their targets, idempotency records, external ids and places in days of limits, until the
 * index shows none.
 *
 * @throws OutOfTimeError
 */
async function erasePosts(run: ErasureRun, workspaceId: string): Promise<void> {
  const query = { partition: workspaceList(workspaceId), index: indexes.postsNewestFirst };
  for (let pass = 1; pass <= maxPasses; pass += 1) {
    let found = 0;
    for await (const page of queryPages(run.table, query)) {
      requireTime(run);
      found += page.length;
      await mapInBatches(page, concurrentPosts, (post) => erasePost(run, workspaceId, post));
    }
    if (found === 0) return;
  }
  throw new OutOfTimeError('the index still shows posts');
}

/** Deletes a post with its items. The post itself goes last: only it leads to the others. */
async function erasePost(run: ErasureRun, workspaceId: string, post: Item): Promise<void> {
  const { id, idempotencyDigest, externalId } = post;
  const items = await queryAll(run.table, { partition: postPartition(workspaceId, String(id)) });
  const record =
    typeof idempotencyDigest === 'string' ? [idempotencyKey(workspaceId, idempotencyDigest)] : [];
  const entries =
    typeof externalId === 'string'
      ? externalIdKeys({ workspaceId, id: String(id), externalId, externalIdUnique: true })
      : [];
  const [posts, others] = [
    items.filter(({ kind }) => kind === 'post'),
    items.filter(({ kind }) => kind !== 'post'),
  ];
  const places = others.flatMap((item) => placesOf(item, run.now()));
  const livePosts = others.flatMap((item) => {
    const { platform } = item;
    return typeof platform === 'string'
      ? livePostIds(item).map((platformPostId) => ({ platform, platformPostId }))
      : [];
  });
  await mapInBatches(livePosts, concurrentDeletions, (livePost) =>
    deleteLivePost(run.table, livePost, workspaceId),
  );
  await deleteItems(run, [...record, ...entries, ...places, ...others.map(keyOf)]);
  await deleteItems(run, posts.map(keyOf));
}

/** Returns the ids of the posts that a target has made. Reads single attributes, so that no damaged item stops the erasure. */
function livePostIds({ platformPostId, parts }: Item): string[] {
  const ofParts = Array.isArray(parts) ? parts.map((part) => part?.platformPostId) : [];
  return [...new Set([platformPostId, ...ofParts].filter((id) => typeof id === 'string'))];
}

/** A time longer than a place is kept after its day. */
const placesKeptMs = 10 * dayMs;

/**
 * Returns the keys of places that a target may have and that have not expired. The day depends on the platform's time zone, so
 * neighbouring days are tried too. Reads single attributes, so that no damaged item stops the erasure.
 */
function placesOf({ workspaceId, postId, accountId, platform, ...item }: Item, now: number): Key[] {
  const target = {
    workspaceId: String(workspaceId),
    postId: String(postId),
    accountId: String(accountId),
    platform: String(platform),
  };
  const times = [item['scheduledFor'], item['wakeAt'], item['publishedAt']].map((time) =>
    Date.parse(String(time)),
  );
  const days = times
    .filter((timeMs) => timeMs > now - placesKeptMs)
    .flatMap((timeMs) => [-1, 0, 1].map((shift) => dayIn('UTC', timeMs + shift * dayMs)));
  return [...new Set(days)].map((day) => dayPlaceKey(target, day));
}

/**
 * Deletes the records of renditions before their objects, which are found without them: a worker that still makes one finds its
 * record gone, and removes its own object.
 */
async function eraseRenditions(run: ErasureRun, workspaceId: string): Promise<void> {
  const query = { partition: mediaPartition(workspaceId), attributes: ['pk', 'sk'] };
  for await (const page of queryPages(run.table, query))
    for (const { sk } of page)
      await deleteFound(run, { partition: renditionsPartition(workspaceId, String(sk)) });
}

/**
 * Removes every object of a workspace, with or without a record, and its cached copies.
 *
 * @param reference names the invalidation, so that a repeated run creates no second one
 * @throws OutOfTimeError
 */
async function eraseFiles(run: ErasureRun, workspaceId: string, reference: string): Promise<void> {
  const { incoming, media } = objectPrefixesOf(workspaceId);
  // The uploads first: without them, nothing can make public objects again.
  for (const prefix of [incoming, media]) {
    for (;;) {
      requireTime(run);
      const keys = await run.listObjects(prefix);
      if (keys.length === 0) break;
      await mapInBatches(keys, concurrentDeletions, run.removeObject);
    }
  }
  await run.invalidate({ reference, paths: [`/${media}*`] });
}

async function eraseMediaRows(run: ErasureRun, workspaceId: string): Promise<void> {
  await deleteFound(run, { partition: mediaPartition(workspaceId) }, async (files) => {
    for (const { sk } of files)
      await deleteFound(run, { partition: mediaUsesPartition(workspaceId, String(sk)) });
  });
}

/** Deletes the posts, messages and awaited answers of an account, and the entries that find it from its platform. */
async function eraseOfAccount(
  run: ErasureRun,
  workspaceId: string,
  { id, platform, platformAccountId, loginId }: Item,
): Promise<void> {
  const accountId = String(id);
  const partitions = [
    calendarPartition,
    formerLivePostsPartition,
    automationPostsPartition,
    inboundPartition,
    accountNumbersPartition,
  ];
  for (const partitionOf of partitions)
    await deleteFound(run, { partition: partitionOf(workspaceId, accountId) });
  await erasePause(run, { kind: 'account', workspaceId, accountId });
  await eraseEntries(run, workspaceId, platformAccountPartition(String(platform), String(platformAccountId)));
  if (loginId !== undefined)
    await eraseEntries(run, workspaceId, loginPartition(String(platform), String(loginId)));
}

/** Deletes the workspace's entries in a partition that it shares with other workspaces. */
function eraseEntries(run: ErasureRun, workspaceId: string, partition: string): Promise<void> {
  return deleteFound(run, { partition, sort: { beginsWith: `ACCOUNT#${workspaceId}#` } });
}

/** Deletes automations, also earlier deleted ones, their actions and links, and logins. */
async function eraseOwned(run: ErasureRun, workspaceId: string): Promise<void> {
  const { partitions, linkCodes } = await readOwned(run.table, workspaceId);
  for (const code of linkCodes) {
    await deleteItems(run, [linkKey(code)]);
    await deleteFound(run, { partition: clicksPartition(code) });
  }
  for (const partition of partitions) {
    if (partition.startsWith('LOGIN#')) await eraseEntries(run, workspaceId, partition);
    else await deleteFound(run, { partition });
  }
  await deleteFound(run, { partition: automationsPartition(workspaceId) });
  await deleteFound(run, { partition: ownedPartition(workspaceId) });
}

/** Deletes the members, and the entries that find the workspace from persons and addresses. */
async function eraseMembers(run: ErasureRun, workspaceId: string): Promise<void> {
  await deleteFound(run, { partition: membersPartition(workspaceId) }, (items) =>
    deleteItems(
      run,
      items.flatMap(({ personId, email }) => [
        ...(personId === undefined ? [] : [membershipKey(String(personId), workspaceId)]),
        ...(email === undefined ? [] : [invitationKey(addressDigest(String(email)), workspaceId)]),
      ]),
    ),
  );
}

async function eraseDeliveries(run: ErasureRun, workspaceId: string, webhookId: string): Promise<void> {
  await deleteItems(run, [replayKey(workspaceId, webhookId)]);
  await deleteFound(run, { partition: deliveriesPartition(workspaceId, webhookId) }, (deliveries) =>
    deleteItems(
      run,
      deliveries.map(({ eventId }) => webhookEventKey(workspaceId, String(eventId))),
    ),
  );
}

/** Deletes the places of the feed with their events, and last its head, which tells how many there are. */
async function eraseFeed(run: ErasureRun, workspaceId: string): Promise<void> {
  const headKey = feedHeadKey(workspaceId);
  const head = await getItem(run.table, headKey);
  if (head === undefined) return;
  for (let bucket = 0; bucket <= feedBucket(Number(head['sequence'])); bucket += 1) {
    await deleteFound(run, { partition: feedPartition(workspaceId, bucket) }, (places) =>
      deleteItems(
        run,
        places.map(({ eventId }) => webhookEventKey(workspaceId, String(eventId))),
      ),
    );
  }
  await deleteItems(run, [headKey]);
}

/** Deletes a pause with the repair task for its held targets. By now it holds none. */
function erasePause(run: ErasureRun, scope: PauseScope): Promise<void> {
  const text = scopeText(scope);
  const { pk, sk } = repairTaskItem({ kind: 'held targets', scope: text }, run.now(), 0);
  return deleteItems(run, [pauseKey(text), listedPauseKey(text), { pk, sk } as Key]);
}
