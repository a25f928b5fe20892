import { toTimestamp } from '../kernel/clock.ts';
import { invalidField, notFound } from '../kernel/errors.ts';
import { newId, randomToken } from '../kernel/ids.ts';
import type { Table } from '../table/table.ts';
import { apiKeyDigest, generateApiKey } from './api-key.ts';
import { defaultStorageQuotaBytes, type ListedKey, type Workspace } from './schemas.ts';
import { getWorkspace, insertKey, insertWorkspace, listKeys, revokeKey } from './store.ts';

/** What an operator does to workspaces and keys. No API route leads here. */
export interface Operator {
  readonly table: Table;
  /** Epoch milliseconds. */
  readonly now: number;
}

/** Opens a workspace. Names need not be unique: people recognise them, ids tell them apart. */
export async function createWorkspace(
  { table, now }: Operator,
  input: { name: string; storageQuotaBytes?: number },
): Promise<Workspace> {
  const name = requireName(input.name);
  const storageQuotaBytes = input.storageQuotaBytes ?? defaultStorageQuotaBytes;
  const workspace: Workspace = {
    id: newId(now),
    name,
    createdAt: toTimestamp(now),
    storageQuotaBytes,
    storageFreeBytes: storageQuotaBytes,
    cursorSecret: randomToken(32),
  };
  await insertWorkspace(table, workspace);
  return workspace;
}

/**
 * Issues a key. The key itself is in the answer and nowhere else.
 *
 * @throws HeraldError `not_found` for an unknown workspace
 */
export async function createKey(
  { table, now }: Operator,
  input: { workspaceId: string; name: string },
): Promise<{ key: ListedKey; apiKey: string }> {
  const name = requireName(input.name);
  const workspace = await getWorkspace(table, input.workspaceId);
  const apiKey = generateApiKey();
  const key: ListedKey = {
    id: newId(now),
    workspaceId: workspace.id,
    name,
    digest: apiKeyDigest(apiKey),
    createdAt: toTimestamp(now),
  };
  await insertKey(table, key, {
    workspaceId: workspace.id,
    keyId: key.id,
    cursorSecret: workspace.cursorSecret,
  });
  return { key, apiKey };
}

/**
 * Revokes a key for good. Warm functions may still know it for up to 30 seconds.
 *
 * @throws HeraldError `not_found`
 */
export async function revokeKeyById(
  { table, now }: Operator,
  input: { workspaceId: string; keyId: string },
): Promise<void> {
  const key = (await listKeys(table, input.workspaceId)).find(({ id }) => id === input.keyId);
  if (!key) throw notFound('key');
  await revokeKey(table, key, toTimestamp(now));
}

function requireName(name: string): string {
  const trimmed = name.trim();
  if (trimmed.length === 0 || trimmed.length > 100)
    throw invalidField('name', 'must have 1 to 100 characters');
  return trimmed;
}
