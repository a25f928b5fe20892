import { absent, present } from '../table/condition.ts';
import { workspaceKey } from '../table/keys.ts';
import type { Table } from '../table/table.ts';
import { type TransactionItems, updatePart } from '../table/transaction.ts';
import type { Caller, ListedKey, Workspace } from './schemas.ts';

/*
 * A request reads one item about its caller, the look-up item of its key. So the workspace's fields that requests need are copied
 * to the look-up items of all of its keys. A transaction that issues a key is conditional on the copied values, and adds 1 to the
 * workspace's `keyChanges`. A change of the workspace reaches every copy in one of two ways:
 * - one transaction changes all (`rate-limits.ts`), conditional on `keyChanges`, so that it has seen every key;
 * - the workspace is changed first, and then the copies of the keys that exist by then (`suspension.ts`).
 */

/** Returns the fields that are copied from the workspace. */
const copied = ({ ratePerMinute, suspendedAt }: Workspace) => ({ ratePerMinute, suspendedAt });

/** Returns the look-up item of a key, with the copies of its workspace. Pure. */
export function callerOf(workspace: Workspace, key: ListedKey): Caller {
  const { permissions, laterPermissions, accountIds, expiresAt, ratePerMinute, grant } = key;
  return {
    workspaceId: workspace.id,
    keyId: key.id,
    cursorSecret: workspace.cursorSecret,
    permissions,
    laterPermissions,
    accountIds,
    expiresAt,
    ratePerMinute,
    workspaceRatePerMinute: workspace.ratePerMinute,
    suspendedAt: workspace.suspendedAt,
    grant,
  };
}

/**
 * Returns the part of a transaction that stores a look-up item. It holds only if the workspace still has the copied values, and
 * is not to be deleted.
 *
 * @param workspace as it was read for {@link callerOf}
 */
export function issuePart(table: Table, workspace: Workspace): TransactionItems[number] {
  const unchanged = Object.entries(copied(workspace)).map(([name, value]) => [name, value ?? absent]);
  return updatePart(table, workspaceKey(workspace.id), {
    add: { keyChanges: 1 },
    if: { pk: present, deleteAfter: absent, ...Object.fromEntries(unchanged) },
  });
}
