import { auditPart } from '../audit/record.ts';
import { toTimestamp } from '../kernel/clock.ts';
import { invalidField } from '../kernel/errors.ts';
import { newId, randomToken } from '../kernel/ids.ts';
import { isReadable, unreadableProblem } from '../kernel/readable-names.ts';
import { inWorkspace, type Operator } from './operator.ts';
import { isNameOfPlatform, platformNameProblem } from './platform-names.ts';
import { defaultStorageQuotaBytes, type Workspace } from './schemas.ts';
import { changeRedirectHosts, changeStorageQuota, getWorkspace, insertWorkspace } from './store.ts';

/** Creates a workspace. Names need not be unique. */
export async function createWorkspace(
  operator: Operator,
  input: { name: string; storageQuotaBytes?: number },
): Promise<Workspace> {
  const { table, now } = operator;
  const name = requireWorkspaceName(input.name);
  const storageQuotaBytes = input.storageQuotaBytes ?? defaultStorageQuotaBytes;
  const workspace: Workspace = {
    id: newId(now),
    name,
    createdAt: toTimestamp(now),
    storageQuotaBytes,
    storageFreeBytes: storageQuotaBytes,
    cursorSecret: randomToken(32),
  };
  await insertWorkspace(table, workspace, auditPart(inWorkspace(operator, workspace.id), workspace));
  return workspace;
}

/**
 * Sets a workspace's storage quota. If more is already stored, it stays, but nothing can be added.
 *
 * @throws HeraldError `not_found`; `invalid` if the quota is not a whole number of bytes, 0 or more
 */
export async function setStorageQuota(
  operator: Operator,
  { workspaceId, storageQuotaBytes }: { workspaceId: string; storageQuotaBytes: number },
): Promise<Workspace> {
  if (!Number.isSafeInteger(storageQuotaBytes) || storageQuotaBytes < 0)
    throw invalidField('quota', 'must be a size, such as 500MB, 10GB or a number of bytes');
  const before = await getWorkspace(operator.table, workspaceId);
  const audit = auditPart(inWorkspace(operator, workspaceId), before);
  return changeStorageQuota(operator.table, workspaceId, storageQuotaBytes, audit);
}

/**
 * Sets the hosts that are allowed in the `redirectUrl` of a workspace's connections, and replaces those that were set before.
 *
 * @param input.hosts host names, without scheme and port, in any case; empty allows every host again
 * @throws HeraldError `not_found`; `invalid` if a text is not a host name, or there are too many
 */
export async function setRedirectHosts(
  operator: Operator,
  { workspaceId, hosts: given }: { workspaceId: string; hosts: readonly string[] },
): Promise<Workspace> {
  const hosts = [...new Set(given.map(normalizeHost))];
  if (hosts.length > maxRedirectHosts)
    throw invalidField('host', `there may be at most ${maxRedirectHosts} hosts`);
  const before = await getWorkspace(operator.table, workspaceId);
  const audit = auditPart(inWorkspace(operator, workspaceId), before);
  return changeRedirectHosts(operator.table, workspaceId, hosts, audit);
}

const maxRedirectHosts = 50;

/** Returns the host as `URL` writes it: lower case, and `xn--…` for other scripts. */
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

/** @throws HeraldError `invalid` if the name, without surrounding spaces, is empty, too long or not readable */
export function requireName(name: string): string {
  const trimmed = name.trim();
  if (trimmed.length === 0 || trimmed.length > 100)
    throw invalidField('name', 'must have 1 to 100 characters');
  if (!isReadable(trimmed)) throw invalidField('name', unreadableProblem);
  return trimmed;
}

/** @throws HeraldError `invalid` as {@link requireName}, and for the name of a platform */
export function requireWorkspaceName(name: string): string {
  const required = requireName(name);
  if (isNameOfPlatform(required)) throw invalidField('name', platformNameProblem);
  return required;
}
