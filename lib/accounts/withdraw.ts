import { toTimestamp } from '../kernel/clock.ts';
import { requireMove } from '../kernel/life-cycle.ts';
import { absent, unconditionally } from '../table/condition.ts';
import { accountKey, loginPartition, tokensKey } from '../table/keys.ts';
import { forgetOwnedPart } from '../table/owned-names.ts';
import type { Table } from '../table/table.ts';
import { deletePart, transact, updatePart } from '../table/transaction.ts';
import { removed } from '../table/update.ts';
import { entryDeletions, erasedProfile, forgettingNumbers } from './connection-store.ts';
import { type Account, accountLifeCycle, accountState } from './schemas.ts';

/**
 * Ends an account's authorization because its owner has withdrawn it at the platform: marks the account as `expired` and deletes
 * its tokens. An account that has already expired keeps its time, so there is no second event.
 *
 * @param account a connected account, as just read
 * @param reason the owner's action, shown to users
 * @param now epoch milliseconds
 * @returns false if the account has changed since it was read; nothing was written then
 */
export async function endAuthorization(
  table: Table,
  account: Account,
  reason: string,
  now: number,
): Promise<boolean> {
  const { workspaceId, id, connectedAt, status } = account;
  requireMove('account', accountLifeCycle, accountState(account), 'expired');
  const isNew = status !== 'expired';
  const { committed } = await transact(table, [
    updatePart(table, accountKey(workspaceId, id), {
      set: {
        status: 'expired',
        statusMessage: reason,
        ...(isNew && { statusSince: toTimestamp(now) }),
        reconnectBy: removed,
        dueShard: removed,
        dueAt: removed,
      },
      if: { connectedAt, status, disconnectedAt: absent },
    }),
    deletePart(table, tokensKey(workspaceId, id), unconditionally),
  ]);
  return committed;
}

/**
 * Erases the platform's data about an account and its owner. The account keeps its id, its status and the client's own id, so
 * that clients recognize it and can have it connected again. Also forgets the note about its login: see {@link forgetOwnedPart}.
 *
 * @param account a connected account, as just read
 * @param now epoch milliseconds
 * @returns false if the account has changed since it was read; nothing was written then
 */
export async function eraseAccount(table: Table, account: Account, now: number): Promise<boolean> {
  const { workspaceId, id, platform, loginId, connectedAt, externalId } = account;
  const { committed } = await transact(table, [
    updatePart(table, accountKey(workspaceId, id), {
      set: { ...erasedProfile, externalId },
      if: { connectedAt, disconnectedAt: absent },
    }),
    ...entryDeletions(table, account),
    forgettingNumbers(table, account, now),
    ...(loginId === undefined
      ? []
      : [forgetOwnedPart(table, workspaceId, loginPartition(platform, loginId))]),
  ]);
  return committed;
}
