import { toTimestamp } from '../../kernel/clock.ts';
import type { ItemChange } from '../../table/stream.ts';
import type { Table } from '../../table/table.ts';
import type { TransactionItems } from '../../table/transaction.ts';
import type { Media } from '../schemas.ts';
import { importPart } from '../store.ts';
import { mediaFromItem } from '../stored-media.ts';
import { isImporting } from './open-import.ts';
import type { ImportMessage } from './schemas.ts';
import { firstMessageMs, postFollowsMs } from './times.ts';

/** Returns the time at which the sweep finds a new import that lost its message. @param now epoch milliseconds */
export const firstSweepAt = (now: number): string => toTimestamp(now + firstMessageMs);

/**
 * Makes the write of a record that does not fit into the transaction of its post. No worker fetches the file until the
 * sweep has found the post.
 *
 * @param now epoch milliseconds
 */
export function awaitingPart(table: Table, media: Media, now: number): TransactionItems[number] {
  const progress = media.import && { import: { ...media.import, awaitsPost: true } };
  return importPart(table, { ...media, ...progress }, toTimestamp(now + postFollowsMs));
}

/**
 * Returns the message for a committed change if it stored a new import. Pure.
 *
 * @throws ZodError if the record cannot be read
 */
export function importMessageOf({
  before,
  after,
}: Pick<ItemChange, 'before' | 'after'>): ImportMessage | undefined {
  if (before || after?.['kind'] !== 'media') return undefined;
  const media = mediaFromItem(after);
  if (!isImporting(media) || media.import.awaitsPost) return undefined;
  return { workspaceId: media.workspaceId, mediaId: media.id };
}
