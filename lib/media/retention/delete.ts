import { accountsOf } from '../../access/actor.ts';
import type { Context } from '../../api-contract/context.ts';
import { auditPart } from '../../audit/record.ts';
import { toTimestamp } from '../../kernel/clock.ts';
import { HeraldError } from '../../kernel/errors.ts';
import type { Table } from '../../table/table.ts';
import type { TransactionItems } from '../../table/transaction.ts';
import { getMedia, type MediaReader } from '../read.ts';
import type { Media } from '../schemas.ts';
import { settleMedia } from '../store.ts';
import { removalSettlesMs } from '../times.ts';
import type { FindMediaUsage } from './usage.ts';

const maxAttempts = 5;

/**
 * Deletes a file. It disappears from the API and frees its quota immediately. The sweep removes the object a minute
 * later, when no request that saw the file can still be running. If such a request stored a post, the sweep restores it.
 *
 * @throws HeraldError `not_found`, also for a foreign file; `conflict` while a scheduled post uses it, or a draft that the actor
 *   does not see
 */
export async function deleteMedia(
  context: MediaReader & {
    readonly findUsage: FindMediaUsage;
    /** Returns true if a draft that the actor does not see uses the file. */
    readonly isInHiddenDraft: (context: Context, media: Media) => Promise<boolean>;
  },
  mediaId: string,
): Promise<void> {
  const { table, actor, now, findUsage } = context;
  for (let attempt = 1; attempt <= maxAttempts; attempt += 1) {
    const media = await getMedia(context, mediaId);
    const { scheduledPostId, isTooMany } = await findUsage(table, media, now);
    if (scheduledPostId !== undefined) {
      // The actor may not have access to the post's accounts, which then do not exist for it.
      const which = accountsOf(actor) === undefined ? `: ${scheduledPostId}` : '';
      throw new HeraldError('media_in_use', `a scheduled post uses the file${which}`);
    }
    if (await context.isInHiddenDraft(context, media))
      throw new HeraldError('media_in_use', 'a draft of another account uses the file');
    if (isTooMany)
      throw new HeraldError(
        'conflict',
        'the file cannot be deleted: more posts have used it than can be checked',
      );
    if (
      await markRemoved(table, media, 'asked', now, [
        auditPart(context, { id: mediaId, name: media.filename }),
      ])
    )
      return;
  }
  throw new HeraldError('changed_concurrently', 'the file is being changed at the same time; try again');
}

/**
 * Marks a file as deleted and returns its bytes to the quota, atomically.
 *
 * @param now epoch milliseconds
 * @param audit the entry of the audit log, if a client asked for it
 * @returns false if the file has changed in the meantime
 */
export async function markRemoved(
  table: Table,
  media: Media,
  removal: 'asked' | 'cleanup',
  now: number,
  audit: TransactionItems = [],
): Promise<boolean> {
  const changes = {
    reservedBytes: 0,
    removedAt: toTimestamp(now),
    removal,
    expiresAtSeconds: null,
    dueAt: toTimestamp(now + removalSettlesMs),
  };
  const outcome = await settleMedia(table, media, changes, { audit });
  return outcome === 'settled';
}
