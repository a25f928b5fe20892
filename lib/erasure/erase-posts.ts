import { mapInBatches } from '../kernel/batches.ts';
import { dayMs } from '../kernel/clock.ts';
import { dayIn } from '../kernel/time-zone.ts';
import { externalIdKeys } from '../posts/stored/external-id-items.ts';
import type { Item } from '../table/items.ts';
import { dayPlaceKey, idempotencyKey, type Key, postPartition, workspaceList } from '../table/keys.ts';
import { queryAll, queryPages } from '../table/query.ts';
import { indexes } from '../table/schema.ts';
import { deleteItems, keyOf } from './delete-items.ts';
import { type ErasureRun, OutOfTimeError, requireTime } from './ports.ts';

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
export async function erasePosts(run: ErasureRun, workspaceId: string): Promise<void> {
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
  await deleteItems(run, [...record, ...entries, ...places, ...others.map(keyOf)]);
  await deleteItems(run, posts.map(keyOf));
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
