import { referenceTo } from '../access/actor.ts';
import { auditPart } from '../audit/record.ts';
import { toTimestamp } from '../kernel/clock.ts';
import { HeraldError, notFound } from '../kernel/errors.ts';
import { newId } from '../kernel/ids.ts';
import { apiKeyDigest, generateApiKey, lastFourOf } from './api-key.ts';
import {
  isExpired,
  type RequestedLimits,
  validateExpiry,
  validateLimits,
  validateOverlap,
} from './key-limits.ts';
import { requireName } from './manage.ts';
import { inWorkspace, type Operator } from './operator.ts';
import type { ListedKey } from './schemas.ts';
import { findKey, getChangeableWorkspace, getWorkspace, insertKey, replaceKey, revokeKey } from './store.ts';

/** A new key. The key itself is returned once and stored nowhere. */
export interface IssuedKey {
  readonly key: ListedKey;
  readonly apiKey: string;
}

/**
 * Issues an API key.
 *
 * @param input.accountIds at most 100 connected accounts of the workspace
 * @param input.expiresAt at most 5 years ahead
 * @throws HeraldError `not_found` for an unknown workspace; `invalid` for a name or limit that is not allowed; `conflict` if the
 *   limits of the workspace were changed at the same time
 */
export async function createKey(
  operator: Operator,
  { workspaceId, name: givenName, ...limits }: { workspaceId: string; name: string } & RequestedLimits,
): Promise<IssuedKey> {
  const name = requireName(givenName);
  const workspace = await getWorkspace(operator.table, workspaceId);
  const apiKey = generateApiKey();
  const key: ListedKey = {
    id: newId(operator.now),
    workspaceId: workspace.id,
    name,
    digest: apiKeyDigest(apiKey),
    lastFour: lastFourOf(apiKey),
    ...(await validateLimits(operator, workspace.id, limits)),
    createdAt: toTimestamp(operator.now),
    createdBy: referenceTo(operator.actor),
  };
  await insertKey(operator.table, workspace, key, auditPart(inWorkspace(operator, workspace.id), key));
  return { key, apiKey };
}

/**
 * Revokes an API key permanently, together with a previous value that is still valid after a rotation. Warm functions may accept
 * it for up to 30 seconds more. Idempotent: the first time of revocation stays.
 *
 * @returns the time of revocation, and true for `isRepeated` if it was revoked before
 * @throws HeraldError `not_found`; `conflict` if others keep changing the key at the same time, or the workspace is being erased
 */
export async function revokeKeyById(
  operator: Operator,
  { workspaceId, keyId }: { workspaceId: string; keyId: string },
): Promise<{ readonly revokedAt: string; readonly isRepeated: boolean }> {
  const now = toTimestamp(operator.now);
  for (let attempt = 1; attempt <= maxAttempts; attempt += 1) {
    const key = await findKey(operator.table, workspaceId, keyId);
    if (!key) throw notFound('key');
    await getChangeableWorkspace(operator.table, workspaceId);
    const { revokedAt = now } = key;
    const audit = auditPart(inWorkspace(operator, workspaceId), key);
    if (await revokeKey(operator.table, key, now, audit))
      return { revokedAt, isRepeated: key.revokedAt !== undefined };
  }
  throw conflict('others change it at the same time; try again');
}

/** The number of tries if somebody rotates the key each time between reading and revoking it. */
const maxAttempts = 5;

/**
 * Replaces an API key with a new one. Its id, name, limits and rhythms stay. During the overlap the old value is accepted too; a
 * value that an earlier rotation left valid is not. Without an overlap, warm functions may accept the old value for up to 30
 * seconds more.
 *
 * @param input.overlapMs the time for which the old value stays valid, at most 7 days, and never past its expiry or the new one;
 *   default: none
 * @param input.expiresAt a new expiry, at most 5 years ahead; default: the expiry stays
 * @throws HeraldError `not_found`; `invalid`; `conflict` if the key is revoked, was rotated at the same time, or has expired and
 *   gets no new expiry
 */
export async function rotateKey(
  operator: Operator,
  input: {
    workspaceId: string;
    keyId: string;
    overlapMs?: number | undefined;
    expiresAt?: string | undefined;
  },
): Promise<IssuedKey> {
  const { table, now } = operator;
  const overlapMs = validateOverlap(input.overlapMs ?? 0);
  const expiresAt = input.expiresAt === undefined ? undefined : validateExpiry(input.expiresAt, now);
  const workspace = await getWorkspace(table, input.workspaceId);
  const before = await findKey(table, workspace.id, input.keyId);
  if (!before) throw notFound('key');
  if (before.revokedAt !== undefined) throw conflict('it is revoked; create another');
  if (before.grant) throw conflict('the tokens of a connected client replace themselves');
  if (expiresAt === undefined && isExpired(before, now))
    throw conflict(`it expired at ${before.expiresAt}; give it a new expiry`);
  const { previousDigest: _digest, previousUntil: _until, ...kept } = before;
  const apiKey = generateApiKey();
  const after: ListedKey = {
    ...kept,
    digest: apiKeyDigest(apiKey),
    lastFour: lastFourOf(apiKey),
    ...(expiresAt !== undefined && { expiresAt }),
    ...(overlapMs > 0 &&
      !isExpired(before, now) && {
        previousDigest: before.digest,
        previousUntil: earliest(toTimestamp(now + overlapMs), before.expiresAt, expiresAt),
      }),
  };
  await replaceKey(table, workspace, before, after, auditPart(inWorkspace(operator, workspace.id), before));
  return { key: after, apiKey };
}

const conflict = (message: string) => new HeraldError('conflict', `key: ${message}`);

/** Returns the earliest timestamp. Text order is time order. */
const earliest = (first: string, ...others: readonly (string | undefined)[]): string =>
  others.reduce((least: string, each) => (each !== undefined && each < least ? each : least), first);
