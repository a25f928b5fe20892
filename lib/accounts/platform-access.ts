import { HeraldError } from '../kernel/errors.ts';
import { PlatformError } from '../platforms/contract/errors.ts';
import type { Platform } from '../platforms/contract/names.ts';
import type { PlatformTools } from '../platforms/contract/tools.ts';
import type { Table } from '../table/table.ts';
import type { Account } from './schemas.ts';
import { findTokens, openTokens } from './tokens/store.ts';
import type { Vault } from './vault.ts';

export interface PlatformAccess {
  readonly table: Table;
  readonly vault: Vault;
  readonly toolsFor: (platform: Platform) => Promise<PlatformTools>;
}

/** The suggested wait of a client if the platform names no time, in seconds. */
const usualWaitSeconds = 10;

/**
 * Calls a platform with the account's stored token, for a request to the API. Does not renew the token, which would need the
 * right to seal tokens: the sweep renews tokens long before they expire. Never marks the account.
 *
 * @param field the field of the request that names the account
 * @throws HeraldError `not_found` or `invalid` with the platform's message if it refuses the request, `conflict` if the account
 *   must be connected again, `unavailable` if the platform does not answer
 */
export async function withAccess<T>(
  { table, vault, toolsFor }: PlatformAccess,
  account: Account,
  field: string,
  call: (accessToken: string, tools: PlatformTools) => Promise<T>,
): Promise<T> {
  const stored = await findTokens(table, account);
  if (!stored) throw mustReconnect(field, 'it has no access token');
  const [tokens, tools] = await Promise.all([
    openTokens(vault, account, stored.ciphertext),
    toolsFor(account.platform),
  ]);
  try {
    return await call(tokens.accessToken, tools);
  } catch (error) {
    throw error instanceof PlatformError ? errorFor(error, account.platform, field) : error;
  }
}

function errorFor(error: PlatformError, platform: Platform, field: string): HeraldError {
  switch (error.remedy) {
    case 'rejected':
      return new HeraldError(error.status === 404 ? 'not_found' : 'platform_rejected', error.message, {
        cause: error,
      });
    case 'reauthorise':
    case 'restricted':
      return mustReconnect(field, error.message);
    case 'retry':
    case 'unknown':
      return new HeraldError(
        'platform_unavailable',
        `${platform} does not answer at the moment; try again later`,
        {
          cause: error,
          retryAfterSeconds: Math.ceil(error.retryAfterSeconds ?? usualWaitSeconds),
        },
      );
  }
}

function mustReconnect(field: string, reason: string): HeraldError {
  return new HeraldError('account_expired', `${field}: connect the account again first: ${reason}`, {
    param: field,
  });
}
