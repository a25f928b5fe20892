import type { Context } from '../api-contract/context.ts';
import { auditPart } from '../audit/record.ts';
import { countPlanned } from '../calendar/read.ts';
import { secondMs } from '../kernel/clock.ts';
import { notFound } from '../kernel/errors.ts';
import type { PlatformAuthorization } from '../platforms/contract/authorization.ts';
import type { Platform } from '../platforms/contract/names.ts';
import type { PlatformTools } from '../platforms/contract/tools.ts';
import { endConnection, isAuthorizationInUse } from './connection-store.ts';
import { getAccount } from './read.ts';
import type { Account } from './schemas.ts';
import { findTokens, openTokens, type StoredTokens } from './tokens/store.ts';
import type { Vault } from './vault.ts';

export interface DisconnectContext extends Context {
  readonly vault: Vault;
  readonly sleep: (milliseconds: number) => Promise<void>;
  readonly authorizationFor: (platform: Platform) => PlatformAuthorization | undefined;
  readonly toolsFor: (platform: Platform) => Promise<PlatformTools>;
  /** Tells operators that a revocation failed. Never receives a token. */
  readonly report: (message: string, error: unknown) => void;
}

/** Bounds the time a user waits if the platform hangs. */
const longestRevocationMs = 10 * secondMs;

/**
 * Disconnects an account. Also revokes the authorization at the platform if possible; if that fails, the account is
 * disconnected anyway.
 *
 * @returns how many scheduled targets will fail unless the account is connected again before their time
 * @throws HeraldError `not_found` as {@link getAccount}
 */
export async function disconnectAccount(
  context: DisconnectContext,
  accountId: string,
): Promise<{ scheduledTargets: number }> {
  const { table, workspaceId, now, report } = context;
  const account = await getAccount(context, accountId);
  const stored = await findTokens(table, account);
  const audit = [auditPart(context, account.id)];
  if (!(await endConnection(table, account, now, audit))) throw notFound('account');
  const [scheduledTargets] = await Promise.all([
    countPlanned(table, workspaceId, account.id, now),
    revoke(context, account, stored).catch((error: unknown) =>
      report('the authorization was not revoked', error),
    ),
  ]);
  return { scheduledTargets };
}

/** Revoking ends every connection of the login, so it is skipped if any workspace still uses the login. */
async function revoke(
  { table, vault, sleep, authorizationFor, toolsFor }: DisconnectContext,
  account: Account,
  stored: StoredTokens | undefined,
): Promise<void> {
  const authorization = authorizationFor(account.platform);
  if (!authorization?.revoke || !stored || (await isAuthorizationInUse(table, account))) return;
  const [tokens, tools] = await Promise.all([
    openTokens(vault, account, stored.ciphertext),
    toolsFor(account.platform),
  ]);
  const tooLate = sleep(longestRevocationMs).then(() => {
    throw new Error('the platform did not answer in time');
  });
  await Promise.race([authorization.revoke(tokens, tools, account.loginId), tooLate]);
}
