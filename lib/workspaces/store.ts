import { HeraldError, notFound } from '../kernel/errors.ts';
import { absent, type Condition, present, unconditionally } from '../table/condition.ts';
import { getItem, type Item } from '../table/items.ts';
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
import { deletePart, putPart, type TransactionItems, transact, updatePart } from '../table/transaction.ts';
import { ifAbsent, plus, removed } from '../table/update.ts';
import { callerOf, issuePart } from './key-copies.ts';
import { Caller, ListedKey, Workspace, WorkspaceState } from './schemas.ts';

/** The entry of the audit log that is stored together with a change. */
type AuditPart = TransactionItems[number];

/** Stores a new workspace and its entry in the directory. */
export async function insertWorkspace(table: Table, workspace: Workspace, audit: AuditPart): Promise<void> {
  const entry = { id: workspace.id, name: workspace.name };
  const outcome = await transact(table, [
    putNew(table, { ...workspaceKey(workspace.id), ...kind('workspace'), ...workspace }),
    putNew(table, { ...directoryKey(workspace.id), ...kind('directoryEntry'), ...entry }),
    audit,
  ]);
  if (!outcome.committed) throw new Error(`workspace ${workspace.id} already exists`);
}

/** A workspace in the directory, for operators. */
export interface ListedWorkspace {
  readonly id: string;
  readonly name: string;
  readonly state: WorkspaceState;
  /** The beginning of its erasure, if it is to be deleted. */
  readonly deleteAfter?: string;
}

/** Returns every workspace, for operators. */
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
 * Returns a workspace for a change by an operator. During its erasure nothing may be added: nobody would remove it.
 *
 * @throws HeraldError `not_found`; `conflict` if the workspace is being erased
 */
export async function getChangeableWorkspace(table: Table, workspaceId: string): Promise<Workspace> {
  const workspace = await getWorkspace(table, workspaceId);
  const { erasingSince } = workspace;
  if (erasingSince !== undefined)
    throw new HeraldError(
      'conflict',
      `workspace: its erasure began at ${erasingSince}; it cannot be changed`,
    );
  return workspace;
}

/**
 * Stores an API key twice: in its workspace's list, and under its digest for the look-up of every request.
 *
 * @param further parts that are stored with it
 * @throws HeraldError `conflict` if the workspace is to be deleted, or if a copied value has changed since it was read
 */
export async function insertKey(
  table: Table,
  workspace: Workspace,
  key: ListedKey,
  audit: AuditPart,
  further: TransactionItems = [],
): Promise<void> {
  const outcome = await transact(table, [
    issuePart(table, workspace),
    putNew(table, { ...listedKeyKey(key.workspaceId, key.id), ...kind('workspaceKey'), ...key }),
    putNew(table, lookUpItem(workspace, key)),
    ...further,
    audit,
  ]);
  if (outcome.committed) return;
  if (outcome.failedIndex === 0) throw changedMeanwhile();
  throw new Error('this API key already exists');
}

const changedMeanwhile = () =>
  new HeraldError(
    'conflict',
    'workspace: it is to be deleted (resume it first), or was changed at the same time (try again)',
  );

/** Returns the item that requests look up under the key's digest. Every place that stores a key builds the item here. */
function lookUpItem(workspace: Workspace, key: ListedKey): Item {
  return { ...keyDigestKey(key.digest), ...kind('key'), ...callerOf(workspace, key) };
}

/**
 * Returns the digests under which requests find the key: one, and during the overlap of a rotation two. A change of the looked-up
 * data must reach all of them.
 */
export function digestsOf({ digest, previousDigest }: ListedKey): readonly string[] {
  return previousDigest === undefined ? [digest] : [digest, previousDigest];
}

/** Returns {@link digestsOf} without a previous one after its overlap: its item may have expired, and is refused anyway. */
export function validDigests(key: ListedKey, now: number): readonly string[] {
  const isOver = key.previousUntil !== undefined && Date.parse(key.previousUntil) <= now;
  return isOver ? [key.digest] : digestsOf(key);
}

/** @returns the API key, even if it is revoked; `undefined` if the workspace never had it */
export async function findKey(
  table: Table,
  workspaceId: string,
  keyId: string,
): Promise<ListedKey | undefined> {
  const item = await getItem(table, listedKeyKey(workspaceId, keyId));
  return item && ListedKey.parse(item);
}

/** Returns all API keys of a workspace, including revoked ones. */
export async function listKeys(table: Table, workspaceId: string): Promise<ListedKey[]> {
  const items = await queryPrefix(table, workspaceKey(workspaceId).pk, listedKeyPrefix);
  return readableItems(table, items, (item) => ListedKey.parse(item));
}

/**
 * Returns the workspace and key of a digest; `undefined` if no such key was issued or it was revoked. The read is eventually
 * consistent: a change is visible within about a second. Warm functions cache the result for longer than that.
 */
export async function findCaller(table: Table, digest: string): Promise<Caller | undefined> {
  const item = await getItem(table, keyDigestKey(digest), { isEventual: true });
  return item && Caller.parse(item);
}

/**
 * Deletes a key's digests and marks the key as revoked in the list. The first time of revocation stays.
 *
 * @param key as read; if it was rotated since then, nothing is written
 * @returns true if it is revoked now
 */
export async function revokeKey(
  table: Table,
  key: ListedKey,
  revokedAt: string,
  audit: AuditPart,
): Promise<boolean> {
  const { committed } = await transact(table, [
    updatePart(table, listedKeyKey(key.workspaceId, key.id), {
      set: { revokedAt: ifAbsent(revokedAt) },
      if: asRead(key),
    }),
    ...digestsOf(key).map((digest) => deletePart(table, keyDigestKey(digest), unconditionally)),
    audit,
  ]);
  return committed;
}

/**
 * Replaces a key's digest. In the same transaction the old digest is deleted or, if `after` keeps it as the previous one, gets
 * its end. A digest that an earlier rotation kept is deleted, so that at most two are valid.
 *
 * @throws HeraldError `conflict` as for {@link insertKey}, or if the key has changed since it was read
 */
export async function replaceKey(
  table: Table,
  workspace: Workspace,
  before: ListedKey,
  after: ListedKey,
  audit: AuditPart,
): Promise<void> {
  const { digest, lastFour, expiresAt, previousDigest = removed, previousUntil = removed } = after;
  const until = after.previousDigest === before.digest ? after.previousUntil : undefined;
  const outcome = await transact(table, [
    issuePart(table, workspace),
    updatePart(table, listedKeyKey(before.workspaceId, before.id), {
      set: { digest, lastFour, expiresAt, previousDigest, previousUntil },
      if: { ...asRead(before), ratePerMinute: before.ratePerMinute ?? absent, revokedAt: absent },
    }),
    until !== undefined
      ? updatePart(table, keyDigestKey(before.digest), {
          set: { expiresAt: until, expiresAtSeconds: secondsOf(until) },
          if: { pk: present },
        })
      : deletePart(table, keyDigestKey(before.digest), unconditionally),
    ...(before.previousDigest === undefined
      ? []
      : [deletePart(table, keyDigestKey(before.previousDigest), unconditionally)]),
    putNew(table, lookUpItem(workspace, after)),
    audit,
  ]);
  if (outcome.committed) return;
  if (outcome.failedIndex === 0) throw changedMeanwhile();
  throw new HeraldError('conflict', 'key: another request changed it at the same time; try again');
}

/** Returns the condition that the key has not been rotated since it was read. */
export const asRead = ({ digest, previousDigest }: ListedKey): Condition => ({
  digest,
  previousDigest: previousDigest ?? absent,
});

/** Returns the time to live of an item that is not needed from this time on, in epoch seconds. */
export const secondsOf = (timestamp: string): number => Math.ceil(Date.parse(timestamp) / 1_000);

/**
 * Changes the quota and the free storage by the same difference. Safe to run while uploads are granted: no grant is lost
 * or counted twice.
 *
 * @throws HeraldError `not_found`; `conflict` if another request changed the quota at the same time, or the workspace is being
 *   erased
 */
export async function changeStorageQuota(
  table: Table,
  workspaceId: string,
  quotaBytes: number,
  audit: AuditPart,
): Promise<Workspace> {
  const { storageQuotaBytes: beforeBytes } = await getChangeableWorkspace(table, workspaceId);
  const { committed } = await transact(table, [
    updatePart(table, workspaceKey(workspaceId), {
      set: { storageQuotaBytes: quotaBytes, storageFreeBytes: plus(quotaBytes - beforeBytes) },
      if: { storageQuotaBytes: beforeBytes, erasingSince: absent },
    }),
    audit,
  ]);
  if (!committed)
    throw new HeraldError('conflict', 'quota: another request changed it at the same time; try again');
  return getWorkspace(table, workspaceId);
}

/**
 * Overwrites the hosts to which redirects may lead. The last of two concurrent changes stays.
 *
 * @param hosts empty allows every host
 * @throws HeraldError `not_found`; `conflict` if the workspace is being erased
 */
export async function changeRedirectHosts(
  table: Table,
  workspaceId: string,
  hosts: readonly string[],
  audit: AuditPart,
): Promise<Workspace> {
  await getChangeableWorkspace(table, workspaceId);
  const { committed } = await transact(table, [
    updatePart(table, workspaceKey(workspaceId), {
      set: { redirectHosts: hosts.length === 0 ? removed : hosts },
      if: { pk: present, erasingSince: absent },
    }),
    audit,
  ]);
  if (!committed) throw new HeraldError('conflict', 'workspace: its erasure has just begun');
  return getWorkspace(table, workspaceId);
}

const kind = (name: ItemKind) => ({ kind: name });

const putNew = (table: Table, item: Item) => putPart(table, item, { pk: absent });

function queryPrefix(table: Table, partition: string, prefix: string): Promise<Item[]> {
  return queryAll(table, { partition, sort: { beginsWith: prefix } });
}
