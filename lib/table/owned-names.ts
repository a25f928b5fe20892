import { unconditionally } from './condition.ts';
import { ownedNameKey } from './keys.ts';
import type { Table } from './table.ts';
import { deletePart, type TransactionItems, updatePart } from './transaction.ts';

/**
 * Returns the part of a transaction that notes that a partition belongs to a workspace although its key does not name the
 * workspace. It must be in the transaction that writes the partition's first item, so that the workspace's erasure finds the
 * partition even if nothing else leads to it any more. Idempotent. Only {@link forgetOwnedPart} removes it before the erasure.
 *
 * @param partition such as `AUTOMATION#<id>`
 * @param linkCodes the codes of tracked links that belong to it
 */
export function ownedNamePart(
  table: Pick<Table, 'name'>,
  workspaceId: string,
  partition: string,
  linkCodes: readonly string[] = [],
): TransactionItems[number] {
  return updatePart(table, ownedNameKey(workspaceId, partition), {
    set: { kind: 'ownedName' },
    ...(linkCodes.length > 0 && { add: { linkCodes: new Set(linkCodes) } }),
    if: unconditionally,
  });
}

/**
 * Returns the part of a transaction that forgets that note, because the partition's key names a person who has had their data
 * deleted. If the workspace still has items in the partition afterwards, note it again.
 */
export function forgetOwnedPart(
  table: Pick<Table, 'name'>,
  workspaceId: string,
  partition: string,
): TransactionItems[number] {
  return deletePart(table, ownedNameKey(workspaceId, partition), unconditionally);
}
