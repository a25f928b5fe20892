import { endConnection, isAuthorizationInUse } from '../accounts/connection-store.ts';
import { revokeAuthorization } from '../accounts/revoke.ts';
import type { Account } from '../accounts/schemas.ts';
import { accountFromItem } from '../accounts/store.ts';
import { findTokens } from '../accounts/tokens/store.ts';
import { dayMs } from '../kernel/clock.ts';
import { addressDigest } from '../people/email-address.ts';
import { queryMembers } from '../people/members/store.ts';
import { PlatformError } from '../platforms/contract/errors.ts';
import { present } from '../table/condition.ts';
import { updateItem } from '../table/items.ts';
import { accountPrefix, invitationKey, linkKey, webhookPrefix, workspaceKey } from '../table/keys.ts';
import { queryAll } from '../table/query.ts';
import type { Workspace } from '../workspaces/schemas.ts';
import { deleteItems, keyOf } from './delete-items.ts';
import { readOwned } from './owned.ts';
import { type ErasureRun, requireTime } from './ports.ts';

/** The time for which the revocation of an account is tried. After that, its tokens are deleted without it. */
const revocationTriedMs = 3 * dayMs;

/**
 * Ends everything through which somebody can write to a workspace: its links, endpoints, invitations and connected accounts. Its
 * keys have been refused since the suspension and have expired. Idempotent.
 *
 * @returns the number of accounts that could not be revoked yet
 * @throws OutOfTimeError
 */
export async function closeWorkspace(run: ErasureRun, workspace: Workspace): Promise<number> {
  await deleteLinks(run, workspace.id);
  await silenceEndpoints(run, workspace.id);
  await withdrawInvitations(run, workspace.id);
  return revokeAccounts(run, workspace);
}

/**
 * Deletes the links before their clicks: a warm function that still knows a link counts one more click, which would bring the
 * clicks back.
 */
async function deleteLinks(run: ErasureRun, workspaceId: string): Promise<void> {
  const { linkCodes } = await readOwned(run.table, workspaceId);
  await deleteItems(run, [...linkCodes].map(linkKey));
}

/** Deactivates the endpoints, so that the changes that follow create no events. */
async function silenceEndpoints(run: ErasureRun, workspaceId: string): Promise<void> {
  for (const endpoint of await rowsOf(run, workspaceId, webhookPrefix)) {
    requireTime(run);
    await updateItem(run.table, keyOf(endpoint), { set: { isActive: false }, if: { pk: present } });
  }
}

/** Withdraws the invitations. Nobody can join any more, so the members that are read later are complete. */
async function withdrawInvitations(run: ErasureRun, workspaceId: string): Promise<void> {
  const members = await queryMembers(run.table, workspaceId);
  await deleteItems(
    run,
    members.map(({ email }) => invitationKey(addressDigest(String(email)), workspaceId)),
  );
}

async function revokeAccounts(run: ErasureRun, workspace: Workspace): Promise<number> {
  const revokedLogins = new Set<string>();
  const mayGiveUp = run.now() >= Date.parse(workspace.erasingSince ?? '') + revocationTriedMs;
  let waiting = 0;
  for (const item of await rowsOf(run, workspace.id, accountPrefix)) {
    requireTime(run);
    try {
      const account = accountFromItem(item);
      if (account.disconnectedAt !== undefined) continue;
      const isRevoked = await revokeAccount(run, account, revokedLogins).catch((error: unknown) => {
        reportFailure(run, item, error, mayGiveUp);
        return false;
      });
      const isEnded = (isRevoked || mayGiveUp) && (await endConnection(run.table, account, run.now()));
      // It may have been connected again since it was read.
      if (!isEnded) waiting += 1;
    } catch (error) {
      reportFailure(run, item, error, mayGiveUp);
      if (!mayGiveUp) waiting += 1;
    }
  }
  return waiting;
}

/**
 * Revokes an account at its platform while its tokens still exist, so that a failure can be retried. Revoking ends every
 * connection of the login, so it is done once per login, and not if another workspace uses the login.
 *
 * @returns true if the account is revoked or there is nothing to revoke
 */
async function revokeAccount(
  run: ErasureRun,
  account: Account,
  revokedLogins: Set<string>,
): Promise<boolean> {
  const login = `${account.platform}#${account.loginId ?? account.platformAccountId}`;
  const stored = await findTokens(run.table, account);
  const isDone = revokedLogins.has(login) || !stored;
  if (isDone || (await isAuthorizationInUse(run.table, account, account.workspaceId))) return true;
  try {
    await revokeAuthorization(run, account, stored);
  } catch (error) {
    // The platform has ended the authorization already.
    if (!(error instanceof PlatformError) || error.remedy !== 'reauthorise') throw error;
  }
  revokedLogins.add(login);
  return true;
}

function reportFailure(run: ErasureRun, item: object, error: unknown, mayGiveUp: boolean): void {
  const { pk, sk } = keyOf(item as Record<string, unknown>);
  const what = mayGiveUp ? 'and is given up: its tokens are deleted without it' : 'and is tried again';
  run.report(`erasing a workspace: the authorization of ${pk} ${sk} was not revoked, ${what}`, error);
}

function rowsOf({ table }: ErasureRun, workspaceId: string, prefix: string) {
  return queryAll(table, { partition: workspaceKey(workspaceId).pk, sort: { beginsWith: prefix } });
}
