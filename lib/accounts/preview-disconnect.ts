import { seesAccount } from '../access/actor.ts';
import type { Context } from '../api-contract/context.ts';
import { countPlanned } from '../calendar/read.ts';
import type { Platform } from '../platforms/contract/names.ts';
import type { Table } from '../table/table.ts';
import { isAuthorizationInUse, otherAccountsOfLogin } from './connection-store.ts';
import type { CountWaitingSteps, PlannedUses } from './disconnect.ts';
import { getAccount } from './read.ts';
import type { RevocationPorts } from './revoke.ts';
import { findTokens } from './tokens/store.ts';

export interface PreviewContext extends Context, Pick<RevocationPorts, 'authorizationFor'> {
  /** Counts the active automations of an account. */
  readonly countAutomations: (table: Table, workspaceId: string, accountId: string) => Promise<number>;
  readonly countWaitingSteps: CountWaitingSteps;
}

/** The effects that disconnecting an account would have now. */
export interface DisconnectPreview extends PlannedUses {
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
