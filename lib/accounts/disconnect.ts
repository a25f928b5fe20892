import type { Context } from '../api-contract/context.ts';
import { auditPart } from '../audit/record.ts';
import { countPlanned } from '../calendar/read.ts';
import { notFound } from '../kernel/errors.ts';
import { endConnection, isAuthorizationInUse } from './connection-store.ts';
import { getAccount } from './read.ts';
import { type RevocationPorts, revokeAuthorization } from './revoke.ts';
import type { Account } from './schemas.ts';
import { findTokens, type StoredTokens } from './tokens/store.ts';

export interface DisconnectContext extends Context, RevocationPorts {
  /** Tells operators that a revocation failed. Never receives a token. */
  readonly report: (message: string, error: unknown) => void;
}

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
  context: DisconnectContext,
  account: Account,
  stored: StoredTokens | undefined,
): Promise<void> {
  if (!context.authorizationFor(account.platform)?.revoke || !stored) return;
  if (await isAuthorizationInUse(context.table, account)) return;
  await revokeAuthorization(context, account, stored);
}
