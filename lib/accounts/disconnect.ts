import { seesAccount } from '../access/actor.ts';
import type { Context } from '../api-contract/context.ts';
import { auditPart } from '../audit/record.ts';
import { countPlanned } from '../calendar/read.ts';
import { notFound } from '../kernel/errors.ts';
import type { Platform } from '../platforms/contract/names.ts';
import type { Table } from '../table/table.ts';
import {
  endConnection,
  forgettingNumbers,
  isAuthorizationInUse,
  otherAccountsOfLogin,
} from './connection-store.ts';
import { getAccount } from './read.ts';
import { type RevocationPorts, revokeAuthorization } from './revoke.ts';
import { type Account, accountSubject } from './schemas.ts';
import { findTokens, type StoredTokens } from './tokens/store.ts';

export interface DisconnectContext extends Context, RevocationPorts {
  /** Tells operators that a revocation failed. Never receives a token. */
  readonly report: (message: string, error: unknown) => void;
  readonly countWaitingSteps: CountWaitingSteps;
}

/** The scheduled work of a disconnected account. It fails unless the account is connected again in time. */
interface PlannedUses {
  readonly scheduledTargets: number;
  /** The number of waiting chain steps. They become posts once the scheduled post that they follow is live. */
  readonly waitingChainSteps: number;
}

/** Counts the waiting chain steps that go to an account. Passed as an argument because `lib/accounts` must not import `lib/posts`. */
type CountWaitingSteps = (table: Table, workspaceId: string, accountId: string) => Promise<number>;

/**
 * Disconnects an account. Also revokes the authorization at the platform if possible; if that fails, the account is disconnected
 * anyway.
 *
 * @returns the planned uses that will fail unless the account is connected again in time
 * @throws HeraldError `not_found` as {@link getAccount}
 */
export async function disconnectAccount(context: DisconnectContext, accountId: string): Promise<PlannedUses> {
  const { table, workspaceId, now, report, countWaitingSteps } = context;
  const account = await getAccount(context, accountId);
  const stored = await findTokens(table, account);
  const more = [forgettingNumbers(table, account, now), auditPart(context, accountSubject(account))];
  if (!(await endConnection(table, account, now, more))) throw notFound('account');
  const [scheduledTargets, waitingChainSteps] = await Promise.all([
    countPlanned(table, workspaceId, account.id, now),
    countWaitingSteps(table, workspaceId, account.id),
    revoke(context, account, stored).catch((error: unknown) =>
      report('the authorization was not revoked', error),
    ),
  ]);
  return { scheduledTargets, waitingChainSteps };
}

/** Revokes the authorization unless any workspace still uses the login: revoking ends every connection of the login. */
async function revoke(
  context: DisconnectContext,
  account: Account,
  stored: StoredTokens | undefined,
): Promise<void> {
  if (!context.authorizationFor(account.platform)?.revoke || !stored) return;
  if (await isAuthorizationInUse(context.table, account)) return;
  await revokeAuthorization(context, account, stored);
}

interface PreviewContext extends Context, Pick<RevocationPorts, 'authorizationFor'> {
  /** Counts the active automations of an account. */
  readonly countAutomations: (table: Table, workspaceId: string, accountId: string) => Promise<number>;
  readonly countWaitingSteps: CountWaitingSteps;
}

/** The effects that disconnecting an account would have now. */
interface DisconnectPreview extends PlannedUses {
  readonly activeAutomations: number;
  /** True if Herald would revoke the authorization at the platform. */
  readonly revokesAccess: boolean;
  /** The other connected accounts of the same login that the actor may use. They stay connected. */
  readonly accountsOfSameLogin: readonly {
    readonly id: string;
    readonly platform: Platform;
    readonly username: string | null;
    readonly displayName: string | null;
  }[];
}

/**
 * Returns what `disconnectAccount` would do to an account. Changes nothing.
 *
 * @throws HeraldError `not_found` as {@link getAccount}
 */
export async function previewDisconnect(
  context: PreviewContext,
  accountId: string,
): Promise<DisconnectPreview> {
  const { table, workspaceId, actor, now, authorizationFor, countAutomations, countWaitingSteps } = context;
  const account = await getAccount(context, accountId);
  const canRevoke = authorizationFor(account.platform)?.revoke !== undefined;
  const [scheduledTargets, waitingChainSteps, activeAutomations, tokens, others, isUsedElsewhere] =
    await Promise.all([
      countPlanned(table, workspaceId, account.id, now),
      countWaitingSteps(table, workspaceId, account.id),
      countAutomations(table, workspaceId, account.id),
      findTokens(table, account),
      otherAccountsOfLogin(table, account),
      canRevoke && isAuthorizationInUse(table, account, workspaceId),
    ]);
  return {
    scheduledTargets,
    waitingChainSteps,
    activeAutomations,
    revokesAccess: canRevoke && tokens !== undefined && others.length === 0 && !isUsedElsewhere,
    accountsOfSameLogin: others
      .filter(({ id }) => seesAccount(actor, id))
      .map(({ id, platform, username, displayName }) => ({ id, platform, username, displayName })),
  };
}
