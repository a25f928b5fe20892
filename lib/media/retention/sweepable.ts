import { dayMs, toTimestamp } from '../../kernel/clock.ts';
import { type Item, updateItem } from '../../table/items.ts';
import type { Key } from '../../table/keys.ts';
import type { Table } from '../../table/table.ts';
import { Media } from '../schemas.ts';
import { shownMediaFromItem } from '../stored-media.ts';

/** The fields of a file that the sweep reads. It does not need the probe, so an invalid one does no harm. */
const SweptMedia = Media.omit({ probe: true });

/** The time for which a record that cannot be read is left alone, so that operators get one alarm a day. */
const damagedWaitMs = dayMs;

/**
 * Reads a file that is due. A record that cannot be read may be from a newer release, so it is left alone for a day,
 * unless the file was deleted.
 *
 * @param nowMs epoch milliseconds
 * @throws ZodError if the record cannot be read
 */
export async function sweepable(table: Table, key: Key, item: Item, nowMs: number): Promise<Media> {
  const { success, data, error } = SweptMedia.safeParse(item);
  if (success) return data;
  const media = shownMediaFromItem(item, table);
  if (media?.removedAt !== undefined) return media;
  const dueAt = toTimestamp(nowMs + damagedWaitMs);
  await updateItem(table, key, { set: { dueAt }, if: { dueAt: String(item['dueAt']) } });
  throw error;
}
