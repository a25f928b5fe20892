import { toTimestamp } from '../kernel/clock.ts';
import { HeraldError, invalidField, notFound } from '../kernel/errors.ts';
import { newId, randomToken } from '../kernel/ids.ts';
import type { Table } from '../table/table.ts';
import { apiKeyDigest, generateApiKey } from './api-key.ts';
import { type Caller, defaultStorageQuotaBytes, type ListedKey, type Workspace } from './schemas.ts';
import {
  changeRedirectHosts,
  changeStorageQuota,
  getWorkspace,
  insertKey,
  insertWorkspace,
  listKeys,
  replaceKey,
  revokeKey,
} from './store.ts';

/** What the operator's commands on workspaces and API keys receive. No API route uses them. */
export interface Operator {
  readonly table: Table;
  /** Epoch milliseconds. */
  readonly now: number;
}

/** Creates a workspace. Names need not be unique; ids are. */
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
 * Issues an API key. The key itself is returned here and stored nowhere.
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
    ...suspensionOf(workspace),
  });
  return { key, apiKey };
}

/**
 * Revokes an API key permanently. Warm functions may accept it for up to 30 seconds more.
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

/**
 * Replaces an API key with a new one. Its id, its name and what belongs to it (its rhythms) stay. Warm functions may
 * accept the old key for up to 30 seconds more.
 *
 * @throws HeraldError `not_found`; `conflict` if the key is revoked, or was rotated at the same time
 */
export async function rotateKey(
  { table }: Operator,
  input: { workspaceId: string; keyId: string },
): Promise<{ key: ListedKey; apiKey: string }> {
  const workspace = await getWorkspace(table, input.workspaceId);
  const key = (await listKeys(table, workspace.id)).find(({ id }) => id === input.keyId);
  if (!key) throw notFound('key');
  if (key.revokedAt !== undefined)
    throw new HeraldError('conflict', 'key: it is revoked; create another with `key create`');
  const apiKey = generateApiKey();
  const rotated = { ...key, digest: apiKeyDigest(apiKey) };
  await replaceKey(table, key, rotated, {
    workspaceId: workspace.id,
    keyId: key.id,
    cursorSecret: workspace.cursorSecret,
    ...suspensionOf(workspace),
  });
  return { key: rotated, apiKey };
}

/** What a key must carry so that the suspension of its workspace counts for it too. */
function suspensionOf({ suspendedAt }: Workspace): Pick<Caller, 'suspendedAt'> {
  return suspendedAt === undefined ? {} : { suspendedAt };
}

/**
 * Sets a workspace's storage quota. If more is already stored, it stays, but nothing can be added.
 *
 * @throws HeraldError `not_found`; `invalid` if the quota is not a whole number of bytes, 0 or more
 */
export async function setStorageQuota(
  { table }: Operator,
  input: { workspaceId: string; storageQuotaBytes: number },
): Promise<Workspace> {
  const { storageQuotaBytes } = input;
  if (!Number.isSafeInteger(storageQuotaBytes) || storageQuotaBytes < 0)
    throw invalidField('quota', 'must be a size, such as 500MB, 10GB or a number of bytes');
  return changeStorageQuota(table, input.workspaceId, storageQuotaBytes);
}

/**
 * Sets the hosts that the `redirectUrl` of a workspace's connections may have, instead of those that were set before.
 *
 * @param input.hosts host names, without scheme and port, in any case; empty allows every host again
 * @throws HeraldError `not_found`; `invalid` if a text is not a host name, or there are too many
 */
export async function setRedirectHosts(
  { table }: Operator,
  input: { workspaceId: string; hosts: readonly string[] },
): Promise<Workspace> {
  const hosts = [...new Set(input.hosts.map(normalizeHost))];
  if (hosts.length > maxRedirectHosts)
    throw invalidField('host', `there may be at most ${maxRedirectHosts} hosts`);
  return changeRedirectHosts(table, input.workspaceId, hosts);
}

const maxRedirectHosts = 50;

/** The host as `URL` writes it: lower case, and `xn--…` for other scripts. */
function normalizeHost(host: string): string {
  const url = URL.parse(`https://${host}/`);
  if (
    url === null ||
    url.port !== '' ||
    url.href !== `https://${url.hostname}/` ||
    /[/:@?#\\]/.test(host.replace(/^\[.*\]$/, ''))
  )
    throw invalidField(
      'host',
      `"${host}" must be a host name without scheme, port and path, such as app.example.com`,
    );
  return url.hostname;
}

function requireName(name: string): string {
  const trimmed = name.trim();
  if (trimmed.length === 0 || trimmed.length > 100)
    throw invalidField('name', 'must have 1 to 100 characters');
  return trimmed;
}
