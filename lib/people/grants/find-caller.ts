import type { Table } from '../../table/table.ts';
import type { Caller } from '../../workspaces/schemas.ts';
import { findGrant } from './store.ts';
import { type GrantToken, grantTokenDigest } from './tokens.ts';

/**
 * Returns the caller behind an access token, who expires with it, and may have expired.
 *
 * @param token of the kind `access`
 * @returns `undefined` if the grant has ended, or if this is none of its last two access tokens
 */
export async function findGrantCaller(
  table: Table,
  token: GrantToken,
  now: number,
): Promise<Caller | undefined> {
  const found = await findGrant(table, token, now);
  const digest = grantTokenDigest(token);
  const valid = found?.grant.access?.find((each) => each.digest === digest);
  return found && valid && { ...found.caller, expiresAt: valid.until };
}
