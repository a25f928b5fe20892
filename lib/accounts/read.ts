import type { Context } from '../api-contract/context.ts';
import { notFound } from '../kernel/errors.ts';
import { isId } from '../kernel/ids.ts';
import type { StageFeatures } from '../platforms/contract/features.ts';
import { openCursor, sealCursor } from '../table/cursor.ts';
import { type AccountView, toAccountView } from './schemas.ts';
import { findAccount, queryAccounts } from './store.ts';

export interface AccountsContext extends Context {
  /** The features that the operator has enabled. */
  readonly stageFeatures: StageFeatures;
}

/** @throws HeraldError `not_found`, also for disconnected and foreign accounts */
export async function readAccount(context: AccountsContext, accountId: string): Promise<AccountView> {
  const account = isId(accountId)
    ? await findAccount(context.table, context.workspaceId, accountId)
    : undefined;
  if (!account || account.disconnectedAt) throw notFound('account');
  return toAccountView(account, context.stageFeatures);
}

/** How many accounts are connected. */
export async function countAccounts({ table, workspaceId }: Context): Promise<number> {
  let count = 0;
  let afterAccountId: string | undefined;
  do {
    const page = await queryAccounts(table, workspaceId, { afterAccountId });
    count += page.accounts.length;
    afterAccountId = page.lastAccountId;
  } while (afterAccountId !== undefined);
  return count;
}

/** Returns all connected accounts, or one page of them if `limit` is given. */
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
    accounts.push(...page.accounts.map((account) => toAccountView(account, context.stageFeatures)));
    afterAccountId = page.lastAccountId;
  } while (afterAccountId && query.limit === undefined);
  return { accounts, nextCursor: afterAccountId ? sealCursor(scope, afterAccountId) : null };
}
