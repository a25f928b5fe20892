import type { Context } from '../../api-contract/context.ts';
import { secondMs, toTimestamp } from '../../kernel/clock.ts';
import { HeraldError } from '../../kernel/errors.ts';
import type { Table } from '../../table/table.ts';
import { getMedia } from '../read.ts';
import type { Media } from '../schemas.ts';
import { settleMedia } from '../store.ts';
import type { FindMediaUsage } from './usage.ts';

const mostAttempts = 5;

/** Longer than any request lives that may have read the file's record before it was marked, and be storing a post with it. */
const settledAfterMs = 60 * secondMs;

/**
 * Deletes a file: to every request it is gone at once, and its bytes are free. The sweep removes the object a minute
 * later, when no request that still knew the file can be at work; a post that one of them has stored brings it back.
 *
 * @throws HeraldError `not_found`, for a foreign file too; `conflict` while a scheduled post uses it
 */
export async function deleteMedia(
  context: Context & { readonly findUsage: FindMediaUsage },
  mediaId: string,
): Promise<void> {
  const { table, now, findUsage } = context;
  for (let attempt = 1; attempt <= mostAttempts; attempt += 1) {
    const media = await getMedia(context, mediaId);
    const { scheduledPostId, isTooMany } = await findUsage(table, media, now);
    if (scheduledPostId !== undefined)
      throw new HeraldError('conflict', `a scheduled post uses the file: ${scheduledPostId}`);
    if (isTooMany)
      throw new HeraldError('conflict', 'the file is used by too many posts to tell that none needs it');
    if (await markRemoved(table, media, 'asked', now)) return;
  }
  throw new HeraldError('conflict', 'the file is being changed; try again');
}

/**
 * Marks a file as deleted and gives its bytes back to the quota, both or neither.
 *
 * @param now epoch milliseconds
 * @returns false where the file has changed meanwhile
 */
export async function markRemoved(
  table: Table,
  media: Media,
  removal: 'asked' | 'cleanup',
  now: number,
): Promise<boolean> {
  const outcome = await settleMedia(table, media, {
    reservedBytes: 0,
    removedAt: toTimestamp(now),
    removal,
    expiresAtSeconds: null,
    dueAt: toTimestamp(now + settledAfterMs),
  });
  return outcome === 'settled';
}
