import { HeraldError, notFound } from '../kernel/errors.ts';
import { absent, present, unconditionally } from '../table/condition.ts';
import { getItem, type Item, updateItem } from '../table/items.ts';
import {
  directoryKey,
  directoryPartition,
  type ItemKind,
  keyDigestKey,
  listedKeyKey,
  listedKeyPrefix,
  workspaceKey,
} from '../table/keys.ts';
import { queryAll } from '../table/query.ts';
import { readableItems } from '../table/readable.ts';
import type { Table } from '../table/table.ts';
import {
  checkPart,
  deletePart,
  putPart,
  type TransactionItems,
  transact,
  updatePart,
} from '../table/transaction.ts';
import { ifAbsent, plus, removed } from '../table/update.ts';
import { Caller, ListedKey, Workspace, WorkspaceState } from './schemas.ts';

/** Stores a new workspace and its entry in the directory. */
export async function insertWorkspace(table: Table, workspace: Workspace): Promise<void> {
  const entry = { id: workspace.id, name: workspace.name };
  const outcome = await transact(table, [
    putNew(table, { ...workspaceKey(workspace.id), ...kind('workspace'), ...workspace }),
    putNew(table, { ...directoryKey(workspace.id), ...kind('directoryEntry'), ...entry }),
  ]);
  if (!outcome.committed) throw new Error(`workspace ${workspace.id} already exists`);
}

/** A workspace as the directory shows it to operators. */
export interface ListedWorkspace {
  readonly id: string;
  readonly name: string;
  readonly state: WorkspaceState;
  /** When its erasure begins, if it is to be deleted. */
  readonly deleteAfter?: string;
}

/** Every workspace, for operators. */
export async function listWorkspaces(table: Table): Promise<ListedWorkspace[]> {
  const items = await queryPrefix(table, directoryPartition, 'WORKSPACE#');
  return items.map(({ id, name, state, deleteAfter }) => ({
    id: String(id),
    name: String(name),
    state: WorkspaceState.parse(state ?? 'active'),
    ...(deleteAfter !== undefined && { deleteAfter: String(deleteAfter) }),
  }));
}

/** @throws HeraldError `not_found` */
export async function getWorkspace(table: Table, workspaceId: string): Promise<Workspace> {
  const item = await getItem(table, workspaceKey(workspaceId));
  if (!item) throw notFound('workspace');
  return Workspace.parse(item);
}

/**
 * Stores an API key twice: in its workspace's list, and under its digest for the look-up of every request.
 *
 * @throws HeraldError `conflict` if the suspension of the workspace has changed since it was read
 */
export async function insertKey(table: Table, key: ListedKey, caller: Caller): Promise<void> {
  const outcome = await transact(table, [
    putNew(table, { ...listedKeyKey(key.workspaceId, key.id), ...kind('workspaceKey'), ...key }),
    putNew(table, { ...keyDigestKey(key.digest), ...kind('key'), ...caller }),
    suspensionCheck(table, key.workspaceId, caller.suspendedAt),
  ]);
  if (outcome.committed) return;
  if (outcome.failedIndex === 2) throw suspendedMeanwhile();
  throw new Error('this API key already exists');
}

/** The suspension of the workspace has begun or ended since it was read, or its erasure has begun. */
const suspendedMeanwhile = () =>
  new HeraldError(
    'conflict',
    'workspace: it was suspended or resumed at the same time, or is being erased; try again',
  );

/**
 * Part of a transaction that stores a key: cancels it if the suspension of the workspace has changed since it was read, so
 * that no key escapes it. A workspace that is being erased gets no key.
 */
function suspensionCheck(
  table: Table,
  workspaceId: string,
  suspendedAt: string | undefined,
): TransactionItems[number] {
  return checkPart(table, workspaceKey(workspaceId), {
    pk: present,
    suspendedAt: suspendedAt ?? absent,
    erasingSince: absent,
  });
}

/** All API keys of a workspace, including revoked ones. */
export async function listKeys(table: Table, workspaceId: string): Promise<ListedKey[]> {
  const items = await queryPrefix(table, workspaceKey(workspaceId).pk, listedKeyPrefix);
  return readableItems(table, items, (item) => ListedKey.parse(item));
}

/**
 * The workspace and key that a digest belongs to; `undefined` if no such key was issued or it was revoked. The read is
 * eventually consistent: a change is visible within about a second. Warm functions cache the result for longer than that.
 */
export async function findCaller(table: Table, digest: string): Promise<Caller | undefined> {
  const item = await getItem(table, keyDigestKey(digest), { isEventual: true });
  return item && Caller.parse(item);
}

/**
 * Deletes a key's digest and marks the key as revoked in the list. Idempotent: the first time of revocation stays.
 *
 * @throws HeraldError `not_found` if the workspace has no such key
 */
export async function revokeKey(table: Table, key: ListedKey, revokedAt: string): Promise<void> {
  const outcome = await transact(table, [
    updatePart(table, listedKeyKey(key.workspaceId, key.id), {
      set: { revokedAt: ifAbsent(revokedAt) },
      if: { pk: present },
    }),
    deletePart(table, keyDigestKey(key.digest), unconditionally),
  ]);
  if (!outcome.committed) throw notFound('key');
}

/**
 * Replaces a key's digest in one transaction, so that exactly one digest is valid at any moment.
 *
 * @throws HeraldError `conflict` if the key or the suspension of the workspace has changed since it was read
 */
export async function replaceKey(
  table: Table,
  before: ListedKey,
  after: ListedKey,
  caller: Caller,
): Promise<void> {
  const outcome = await transact(table, [
    updatePart(table, listedKeyKey(before.workspaceId, before.id), {
      set: { digest: after.digest },
      if: { digest: before.digest, revokedAt: absent },
    }),
    deletePart(table, keyDigestKey(before.digest), unconditionally),
    putNew(table, { ...keyDigestKey(after.digest), ...kind('key'), ...caller }),
    suspensionCheck(table, before.workspaceId, caller.suspendedAt),
  ]);
  if (outcome.committed) return;
  if (outcome.failedIndex === 3) throw suspendedMeanwhile();
  throw new HeraldError('conflict', 'key: another request changed it at the same time; try again');
}

/**
 * Changes the quota and the free storage by the same difference. Safe to run while uploads are granted: no grant is lost
 * or counted twice.
 *
 * @throws HeraldError `not_found`; `conflict` if another request changed the quota at the same time
 */
export async function changeStorageQuota(
  table: Table,
  workspaceId: string,
  quotaBytes: number,
): Promise<Workspace> {
  const { storageQuotaBytes: beforeBytes } = await getWorkspace(table, workspaceId);
  const { written, item } = await updateItem(table, workspaceKey(workspaceId), {
    set: { storageQuotaBytes: quotaBytes, storageFreeBytes: plus(quotaBytes - beforeBytes) },
    if: { storageQuotaBytes: beforeBytes },
  });
  if (!written)
    throw new HeraldError('conflict', 'quota: another request changed it at the same time; try again');
  return Workspace.parse(item);
}

/**
 * Overwrites the hosts that redirects may lead to. The last of two concurrent changes stays.
 *
 * @param hosts empty allows every host
 * @throws HeraldError `not_found`
 */
export async function changeRedirectHosts(
  table: Table,
  workspaceId: string,
  hosts: readonly string[],
): Promise<Workspace> {
  const { written, item } = await updateItem(table, workspaceKey(workspaceId), {
    set: { redirectHosts: hosts.length === 0 ? removed : hosts },
    if: { pk: present },
  });
  if (!written) throw notFound('workspace');
  return Workspace.parse(item);
}

const kind = (name: ItemKind) => ({ kind: name });

const putNew = (table: Table, item: Item) => putPart(table, item, { pk: absent });

function queryPrefix(table: Table, partition: string, prefix: string): Promise<Item[]> {
  return queryAll(table, { partition, sort: { beginsWith: prefix } });
}
