import { unconditionally } from './condition.ts';
import { ownedNameKey } from './keys.ts';
import type { Table } from './table.ts';
import { type TransactionItems, updatePart } from './transaction.ts';

/**
 * Part of a transaction: notes that a partition belongs to a workspace although its key does not name the workspace. It must be
 * in the transaction that writes the partition's first item, so that the workspace's erasure finds the partition even if
 * nothing else leads to it any more. Idempotent; never removed before the erasure.
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
