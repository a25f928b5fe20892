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

/** When the sweep finds a new import whose message was lost. @param now epoch milliseconds */
export const firstSweepAt = (now: number): string => toTimestamp(now + firstMessageMs);

/**
 * The write of a record that does not fit into the transaction of its post. Nothing fetches the file until the sweep has
 * found the post.
 *
 * @param now epoch milliseconds
 */
export function awaitingPart(table: Table, media: Media, now: number): TransactionItems[number] {
  const progress = media.import && { import: { ...media.import, awaitsPost: true } };
  return importPart(table, { ...media, ...progress }, toTimestamp(now + postFollowsMs));
}

/**
 * The message that a committed change sets off: that of a new import. Pure.
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
