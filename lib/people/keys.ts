import type { Permission } from '../access/permissions.ts';
import { minuteMs } from '../kernel/clock.ts';
import { HeraldError, invalidFields } from '../kernel/errors.ts';
import { getItem } from '../table/items.ts';
import { keyUseKey } from '../table/keys.ts';
import type { Table } from '../table/table.ts';
import { isExpired } from '../workspaces/key-limits.ts';
import { type KeyWithUse, listKeysWithUse } from '../workspaces/key-use.ts';
import { createKey, type IssuedKey, revokeKeyById, rotateKey } from '../workspaces/manage-keys.ts';
import type { Operator } from '../workspaces/operator.ts';
import { KeyUse, permissionsOf } from '../workspaces/schemas.ts';
import { type ListedGrant, listGrants } from './grants/list.ts';
import type { IssuedKeyView, KeyView } from './views.ts';

/** The context of a person who views or changes the API keys of a workspace. */
export interface KeysContext extends Operator {
  readonly workspaceId: string;
}

/** Returns all API keys and grants of the workspace, including those that have ended, newest first. Without their values. */
export async function listPanelKeys({ table, workspaceId, now }: KeysContext): Promise<KeyView[]> {
  const keys = await listKeysWithUse(table, workspaceId);
  const grants = await listGrants(table, keys, now);
  return keys
    .filter(({ id, grant }) => !grant || grants.get(id) !== undefined)
    .toSorted((one, other) => (one.id < other.id ? 1 : -1))
    .map((key) => toKeyView(key, now, grants.get(key.id)));
}

/**
 * Issues an API key. Its value is only in the result.
 *
 * @throws HeraldError `invalid`, naming the field of the request; `conflict` if the workspace is to be deleted
 */
export async function createPanelKey(
  context: KeysContext,
  input: {
    readonly name: string;
    readonly permissions?: readonly Permission[] | undefined;
    readonly accountIds?: readonly string[] | undefined;
    readonly expiresAt?: string | undefined;
  },
): Promise<IssuedKeyView> {
  const { workspaceId } = context;
  const issued = await namingFields(() => createKey(context, { workspaceId, ...input }));
  return issuedView(issued, undefined, context.now);
}

/**
 * Replaces the value of an API key. The new value is only in the result.
 *
 * @throws HeraldError `not_found`; `invalid`; `conflict` if it is revoked, or has expired and gets no new expiry
 */
export async function rotatePanelKey(
  context: KeysContext,
  input: {
    readonly keyId: string;
    readonly overlapMinutes: number;
    readonly expiresAt?: string | undefined;
  },
): Promise<IssuedKeyView> {
  const { table, workspaceId } = context;
  const { keyId, overlapMinutes, expiresAt } = input;
  const issued = await namingFields(() =>
    rotateKey(context, { workspaceId, keyId, overlapMs: overlapMinutes * minuteMs, expiresAt }),
  );
  return issuedView(issued, await lastUseOf(table, keyId), context.now);
}

/** Revokes an API key permanently. Idempotent. @throws HeraldError `not_found` */
export async function revokePanelKey(context: KeysContext, keyId: string): Promise<void> {
  await revokeKeyById(context, { workspaceId: context.workspaceId, keyId });
}

async function lastUseOf(table: Table, keyId: string): Promise<string | undefined> {
  const item = await getItem(table, keyUseKey(keyId));
  return item && KeyUse.parse(item).day;
}

function issuedView({ key, apiKey }: IssuedKey, lastUsedAt: string | undefined, now: number): IssuedKeyView {
  return { key: toKeyView({ ...key, ...(lastUsedAt !== undefined && { lastUsedAt }) }, now), apiKey };
}

function toKeyView(key: KeyWithUse, now: number, grant?: ListedGrant): KeyView {
  const { previousUntil } = key;
  const revokedAt = key.revokedAt ?? grant?.endedAt;
  const isRevoked = revokedAt !== undefined || (grant !== undefined && grant.view.end !== null);
  const isOldValid =
    revokedAt === undefined && previousUntil !== undefined && Date.parse(previousUntil) > now;
  return {
    id: key.id,
    name: key.name,
    lastFour: key.lastFour ?? null,
    permissions: permissionsOf(key) ?? null,
    accountIds: key.accountIds ?? null,
    status: isRevoked ? 'revoked' : isExpired(key, now) ? 'expired' : 'active',
    expiresAt: key.expiresAt ?? null,
    revokedAt: revokedAt ?? null,
    previousUntil: isOldValid ? previousUntil : null,
    createdAt: key.createdAt,
    createdBy: key.createdBy ?? null,
    lastUsedOn: key.lastUsedAt ?? null,
    grant: grant?.view ?? null,
  };
}

/** The fields of the panel's requests, by the options of the admin command, which the rules of keys name. */
const fieldOf: Readonly<Record<string, string>> = {
  accounts: 'accountIds',
  expires: 'expiresAt',
  overlap: 'overlapMinutes',
};

/** Renames fields in errors to the names of the request. */
export async function namingFields<Result>(change: () => Promise<Result>): Promise<Result> {
  try {
    return await change();
  } catch (error) {
    if (!(error instanceof HeraldError) || error.problems.length === 0) throw error;
    throw invalidFields(
      error.problems.map((each) => ({ ...each, field: fieldOf[each.field] ?? each.field })),
    );
  }
}
