import { type AuditedAct, auditPart } from '../../audit/record.ts';
import { toTimestamp } from '../../kernel/clock.ts';
import { batchGet } from '../../table/batch-get.ts';
import { absent } from '../../table/condition.ts';
import { getItem } from '../../table/items.ts';
import { grantKey, keyDigestKey, membershipKey } from '../../table/keys.ts';
import type { Table } from '../../table/table.ts';
import { putPart, type TransactionItems, transact, updatePart } from '../../table/transaction.ts';
import { Caller, type KeyGrant } from '../../workspaces/schemas.ts';
import { secondsOf } from '../../workspaces/store.ts';
import { Membership } from '../schemas.ts';
import { Grant, type GrantEnd } from './schemas.ts';
import { familyDigest, type GrantToken } from './tokens.ts';

/** A grant with the limits that its client has. */
export interface FoundGrant {
  readonly caller: Caller & { readonly grant: KeyGrant };
  readonly grant: Grant;
}

/** Returns the part of a transaction that stores a new grant. */
export function putGrantPart(table: Table, grant: Grant, expiresAt: string): TransactionItems[number] {
  const expiresAtSeconds = secondsOf(expiresAt);
  return putPart(
    table,
    { ...grantKey(grant.keyId), kind: 'grant', ...grant, expiresAtSeconds },
    { pk: absent },
  );
}

/**
 * Returns the grant to which a code or token belongs, whatever its own half. Strongly consistent, because clients use tokens at
 * once.
 *
 * @returns `undefined` if there is none, somebody has revoked it, it has ended or expired, or the person who gave it is no longer
 *   an owner of the workspace by the same membership
 */
export async function findGrant(
  table: Table,
  { family }: GrantToken,
  now: number,
): Promise<FoundGrant | undefined> {
  const item = await getItem(table, keyDigestKey(familyDigest(family)));
  const caller = item && Caller.parse(item);
  if (!caller?.grant || (caller.expiresAt !== undefined && Date.parse(caller.expiresAt) <= now))
    return undefined;
  const { keyId, workspaceId, grant: given } = caller;
  const ofPerson = membershipKey(given.personId, workspaceId);
  const found = await batchGet(table, [grantKey(keyId), ofPerson]);
  const stored = found.get(grantKey(keyId));
  const grant = stored && Grant.parse(stored);
  if (!grant || grant.ended || !isStillGiven(given, found.get(ofPerson))) return undefined;
  return { caller: { ...caller, grant: given }, grant };
}

/**
 * True if the membership on which a grant rests is the same, with the role that giving access needs. A person who was removed and
 * has joined again has another.
 */
export function isStillGiven({ memberId }: KeyGrant, item: unknown): boolean {
  if (item === undefined) return false;
  const membership = Membership.parse(item);
  return membership.memberId === memberId && membership.role === 'owner';
}

type Change = Partial<Pick<Grant, 'refreshDigest' | 'before' | 'access' | 'ended'>>;

/** Changes a grant unless it has changed since it was read. @returns true if it did */
export async function changeGrant(
  table: Table,
  { keyId, version }: Grant,
  change: Change,
  further: TransactionItems = [],
): Promise<boolean> {
  const { committed } = await transact(table, [
    updatePart(table, grantKey(keyId), { set: { ...change, version: version + 1 }, if: { version } }),
    ...further,
  ]);
  return committed;
}

/** Ends a grant for good, with an entry of the audit log. @returns false if it has changed since it was read */
export function endGrant(
  act: Omit<AuditedAct, 'actor' | 'verb' | 'workspaceId'>,
  { caller, grant }: FoundGrant,
  by: GrantEnd,
): Promise<boolean> {
  const { workspaceId, keyId, grant: given } = caller;
  const revoked = { ...act, workspaceId, actor: { kind: 'key', id: keyId }, verb: 'key.revoke' } as const;
  return changeGrant(act.table, grant, { ended: { at: toTimestamp(act.now), by } }, [
    auditPart(revoked, { id: keyId, name: given.clientName }, notes[by]),
  ]);
}

const notes: Readonly<Record<GrantEnd, string>> = {
  'code reused': 'an authorization code was presented again',
  'token reused': 'a refresh token was presented again',
  client: 'the client gave the access back',
};
