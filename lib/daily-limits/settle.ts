import { absent } from '../table/condition.ts';
import { deleteItem, getItem } from '../table/items.ts';
import { dayPlaceKey, targetKey } from '../table/keys.ts';
import type { Table } from '../table/table.ts';
import { checkPart, putPart, transact } from '../table/transaction.ts';
import { targetFromItem } from '../targets/item.ts';
import { placeItem, placeOf } from './place.ts';

/** A target and the day on which it has or had a place. */
export interface PlaceName {
  readonly workspaceId: string;
  readonly postId: string;
  readonly accountId: string;
  readonly platform: string;
  /** The date `YYYY-MM-DD` in the limit's time zone. */
  readonly day: string;
  readonly timeZone: string;
}

/** The number of attempts if the target changes while its place is written. */
const maxAttempts = 6;

/**
 * Writes or removes the place of a target in one day, according to the target's present state. Idempotent, and safe
 * however late or often it is called:
 * - A place is written in one transaction with a check that the target is still as it was read.
 * - A place is removed only if it is still the one that was read before the target. If the target returned to this day
 *   in the meantime, its new place stays.
 * - A used place stays used, even if the target is moved or deleted: the platform has counted it.
 *
 * @throws Error if the target changed at each attempt
 */
export async function settlePlace(table: Table, name: PlaceName): Promise<void> {
  const { workspaceId, postId, accountId, platform, day, timeZone } = name;
  const placeKey = dayPlaceKey(name, day);
  const key = targetKey(workspaceId, postId, accountId);
  for (let attempt = 1; attempt <= maxAttempts; attempt += 1) {
    const stored = await getItem(table, placeKey);
    const item = await getItem(table, key);
    const target = item && targetFromItem(item);
    const place = target?.platform === platform ? placeOf(target, timeZone) : undefined;
    if (!item || !target || place?.day !== day) {
      const isPlanned = stored !== undefined && stored['isUsed'] !== true;
      if (isPlanned) await deleteItem(table, placeKey, { writeId: stored['writeId'] });
      return;
    }
    const isUsed = place.isUsed || stored?.['isUsed'] === true;
    const { status, wakeNumber, scheduledFor = absent, writeId = absent } = item;
    const outcome = await transact(table, [
      checkPart(table, key, { status, wakeNumber, scheduledFor, writeId }),
      putPart(
        table,
        placeItem(target, { ...place, isUsed }),
        stored ? { writeId: stored['writeId'] } : { pk: absent },
      ),
    ]);
    if (outcome.committed) return;
  }
  throw new Error(`a destination of post ${postId} changed while its place was written`);
}
