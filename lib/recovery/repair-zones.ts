import { storedTimezone } from '../kernel/time-zone.ts';
import { getItem, type Item, updateItem } from '../table/items.ts';
import { calendarPartition, type Key, postKey, rhythmPrefix, workspaceKey } from '../table/keys.ts';
import { queryAll } from '../table/query.ts';
import type { Table } from '../table/table.ts';

/**
 * Replaces a time zone in an item that earlier releases accepted by the one that is meant. Any other item stays as it is.
 *
 * @returns 1 if it was replaced, otherwise 0
 */
async function repairZone(table: Table, key: Key, item: Item | undefined): Promise<number> {
  const { timezone } = item ?? {};
  if (typeof timezone !== 'string' || storedTimezone(timezone) === timezone) return 0;
  const change = { set: { timezone: storedTimezone(timezone) }, if: { timezone } };
  // If somebody has changed the zone in the meantime, it is one that is accepted today.
  const { written } = await updateItem(table, key, change);
  return written ? 1 : 0;
}

/** Repairs the time zone of a post. */
export async function repairPostZone(table: Table, workspaceId: string, postId: string): Promise<number> {
  const key = postKey(workspaceId, postId);
  return repairZone(table, key, await getItem(table, key));
}

/** Repairs the time zones of a workspace, and of the rhythms of its accounts. */
export async function repairOwnZones(
  table: Table,
  workspaceId: string,
  accountIds: readonly string[],
): Promise<number> {
  const key = workspaceKey(workspaceId);
  let count = await repairZone(table, key, await getItem(table, key));
  for (const accountId of accountIds) {
    const partition = calendarPartition(workspaceId, accountId);
    const rhythms = await queryAll(table, { partition, sort: { beginsWith: rhythmPrefix } });
    for (const rhythm of rhythms)
      count += await repairZone(table, { pk: partition, sk: String(rhythm['sk']) }, rhythm);
  }
  return count;
}
