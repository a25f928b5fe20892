import { seesAccount } from '../access/actor.ts';
import type { Context } from '../api-contract/context.ts';
import { notFound } from '../kernel/errors.ts';
import { isId } from '../kernel/ids.ts';
import type { StageFeatures } from '../platforms/contract/features.ts';
import { openCursor, sealCursor } from '../table/cursor.ts';
import { type Account, type AccountView, toAccountView } from './schemas.ts';
import { findAccount, queryAccounts } from './store.ts';

export interface AccountsContext extends Context {
  /** The features that the operator has enabled. */
  readonly stageFeatures: StageFeatures;
}

/** Returns the account, connected or not; `undefined` if it is unknown, foreign or not one of the actor's accounts. */
export async function findOwnAccount(context: Context, accountId: string): Promise<Account | undefined> {
  const { table, workspaceId, actor } = context;
  if (!isId(accountId) || !seesAccount(actor, accountId)) return undefined;
  return findAccount(table, workspaceId, accountId);
}

/**
 * Returns a connected account. Every operation on one account gets it from here.
 *
 * @throws HeraldError `not_found`, also for disconnected and foreign accounts, and for those that the actor may not use
 */
export async function getAccount(context: Context, accountId: string): Promise<Account> {
  const account = await findOwnAccount(context, accountId);
  if (!account || account.disconnectedAt) throw notFound('account');
  return account;
}

/** @throws HeraldError `not_found` as {@link getAccount} */
export async function readAccount(context: AccountsContext, accountId: string): Promise<AccountView> {
  return toAccountView(await getAccount(context, accountId), context.stageFeatures);
}

/** Counts the connected accounts that the actor may use. */
export async function countAccounts({ table, workspaceId, actor }: Context): Promise<number> {
  let count = 0;
  let afterAccountId: string | undefined;
  do {
    const page = await queryAccounts(table, workspaceId, { afterAccountId });
    count += page.accounts.filter(({ id }) => seesAccount(actor, id)).length;
    afterAccountId = page.lastAccountId;
  } while (afterAccountId !== undefined);
  return count;
}

/**
 * Returns all connected accounts that the actor may use, or one page of them if `limit` is given. Other accounts are read but not
 * returned, so a page may be shorter than `limit`.
 */
export async function listAccounts(
  context: AccountsContext,
  query: {
    platform?: string | undefined;
    externalId?: string | undefined;
    limit?: number | undefined;
    cursor?: string | undefined;
  },
): Promise<{ accounts: AccountView[]; nextCursor: string | null }> {
  const { platform, externalId } = query;
  const scope = { secret: context.cursorSecret, listing: 'accounts', filters: { platform, externalId } };
  const accounts: AccountView[] = [];
  let afterAccountId = query.cursor === undefined ? undefined : openCursor(scope, query.cursor);
  do {
    const page = await queryAccounts(context.table, context.workspaceId, { ...query, afterAccountId });
    const visible = page.accounts.filter(({ id }) => seesAccount(context.actor, id));
    accounts.push(...visible.map((account) => toAccountView(account, context.stageFeatures)));
    afterAccountId = page.lastAccountId;
  } while (afterAccountId && query.limit === undefined);
  return { accounts, nextCursor: afterAccountId ? sealCursor(scope, afterAccountId) : null };
}
