import { absent, anyOf, atLeast, atMost, present } from '../table/condition.ts';
import { workspaceKey } from '../table/keys.ts';
import type { Table } from '../table/table.ts';
import { type TransactionItems, type TransactionOutcome, updatePart } from '../table/transaction.ts';
import { plus } from '../table/update.ts';
import { maxOpenImports } from './imports/open-import.ts';

/** The share of a workspace that files take. Negative numbers give it back, for which there is always room. */
export interface WorkspaceShare {
  /** The bytes of the storage quota. */
  readonly bytes: number;
  /** The number of open imports. */
  readonly imports: number;
}

/**
 * Makes the write of the workspace that takes a share, for the transaction that writes the files' records. One item
 * holds both counts, so that no transaction needs two writes for them.
 *
 * @param options.mayExceed true to take the share even if there is no room for it
 * @param options.leastFreeBytes the number of bytes of the quota that must be free, if the share is smaller
 */
export function sharePart(
  table: Pick<Table, 'name'>,
  workspaceId: string,
  { bytes, imports }: WorkspaceShare,
  {
    mayExceed = false,
    leastFreeBytes = 0,
  }: { readonly mayExceed?: boolean; readonly leastFreeBytes?: number } = {},
): TransactionItems[number] {
  const neededBytes = mayExceed ? 0 : Math.max(bytes, leastFreeBytes);
  const update = {
    set: { storageFreeBytes: plus(-bytes) },
    // The workspaces of earlier releases do not have this number.
    ...(imports !== 0 && { add: { openImports: imports } }),
    if: {
      pk: present,
      ...(neededBytes > 0 && { storageFreeBytes: atLeast(neededBytes) }),
      ...(imports > 0 && !mayExceed && { openImports: anyOf(absent, atMost(maxOpenImports - imports)) }),
    },
  };
  return updatePart(table, workspaceKey(workspaceId), update, { returnOld: true });
}

/**
 * Returns the number of imports that were open when a transaction that only takes imports was refused because of that number.
 * Other parts of the transaction may fail too: the first one that fails is the reason, so put {@link sharePart} last.
 *
 * @returns `undefined` if it was committed, or refused for another reason
 */
export function openImportsAtRefusal(outcome: TransactionOutcome): number | undefined {
  if (outcome.committed || outcome.oldItem?.['kind'] !== 'workspace') return undefined;
  return Number(outcome.oldItem['openImports'] ?? 0);
}
