import { batchGet } from '../../table/batch-get.ts';
import { grantKey, membershipKey } from '../../table/keys.ts';
import type { Table } from '../../table/table.ts';
import type { KeyWithUse } from '../../workspaces/key-use.ts';
import type { KeyGrant } from '../../workspaces/schemas.ts';
import { hostOf } from './client-document.ts';
import { Grant } from './schemas.ts';
import { isStillGiven } from './store.ts';
import type { GrantView } from './views.ts';

/** A grant as the list of keys shows it. */
export interface ListedGrant {
  readonly view: GrantView;
  /** The time at which it ended by itself, if it has a time. */
  readonly endedAt?: string;
}

/**
 * Returns the grants among the keys of a workspace, by key id. Those whose client never redeemed its code, and cannot any more, are
 * `undefined`: they gave nobody anything. So are those that have expired without ever being used, once their tokens are deleted.
 */
export async function listGrants(
  table: Table,
  keys: readonly KeyWithUse[],
  now: number,
): Promise<ReadonlyMap<string, ListedGrant | undefined>> {
  const given = keys.flatMap((key) => (key.grant ? [{ ...key, grant: key.grant }] : []));
  const ofPerson = ({ workspaceId, grant }: KeyWithUse & { grant: KeyGrant }) =>
    membershipKey(grant.personId, workspaceId);
  const found = await batchGet(
    table,
    given.flatMap((key) => [grantKey(key.id), ofPerson(key)]),
  );
  return new Map(
    given.map((key) => {
      const { clientId } = key.grant;
      const item = found.get(grantKey(key.id));
      // One that a later release has stored must not take the whole list away.
      const stored = Grant.safeParse(item).data;
      if (stored && isAbandoned(stored, now)) return [key.id, undefined] as const;
      // The time to live has removed its codes and tokens after its expiry.
      if (item === undefined && key.lastUsedAt === undefined) return [key.id, undefined] as const;
      const end =
        stored?.ended?.by ?? (isStillGiven(key.grant, found.get(ofPerson(key))) ? null : 'person left');
      const view = { clientId, clientHost: hostOf(clientId), end } as const;
      return [key.id, { view, ...(stored?.ended && { endedAt: stored.ended.at }) }] as const;
    }),
  );
}

const isAbandoned = ({ refreshDigest, ended, code }: Grant, now: number): boolean =>
  refreshDigest === undefined && !ended && Date.parse(code.until) <= now;
