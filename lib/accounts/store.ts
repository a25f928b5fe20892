import { toTimestamp } from '../kernel/clock.ts';
import { requireMove } from '../kernel/life-cycle.ts';
import type { Measurement } from '../metrics/measurements.ts';
import { Platform } from '../platforms/contract/names.ts';
import { absent, anyOf, type Condition, differentFrom, either, present } from '../table/condition.ts';
import { getItem, updateItem } from '../table/items.ts';
import { accountKey, accountPrefix, workspaceKey } from '../table/keys.ts';
import { queryAll, queryPage } from '../table/query.ts';
import { readableItems } from '../table/readable.ts';
import type { Table } from '../table/table.ts';
import { removed } from '../table/update.ts';
import { type NoticeDecision, noticeKeys } from './notice-times.ts';
import { Account, type AccountStatus, accountLifeCycle, accountState } from './schemas.ts';

type Item = Readonly<Record<string, unknown>>;

/**
 * Returns the item of an account. Free-form JSON is stored as text, because DynamoDB cannot hold all valid JSON (depth, empty
 * keys, exponents).
 */
export function accountItem(account: Account): Record<string, unknown> {
  return {
    ...accountKey(account.workspaceId, account.id),
    kind: 'account',
    ...account,
    meta: JSON.stringify(account.meta),
    ...(account.defaultOptions && { defaultOptions: JSON.stringify(account.defaultOptions) }),
  };
}

export function accountFromItem({ meta, defaultOptions, ...item }: Item): Account {
  return Account.parse({
    ...item,
    meta: JSON.parse(String(meta ?? '{}')),
    ...(defaultOptions !== undefined && { defaultOptions: JSON.parse(String(defaultOptions)) }),
  });
}

/** Returns the account, connected or not; `undefined` if the workspace never had it. */
export async function findAccount(
  table: Table,
  workspaceId: string,
  accountId: string,
): Promise<Account | undefined> {
  const item = await getItem(table, accountKey(workspaceId, accountId));
  return item && accountFromItem(item);
}

export interface AccountPage {
  readonly accounts: Account[];
  /** The last account read, if there may be more. */
  readonly lastAccountId: string | undefined;
}

/**
 * Returns one page of a workspace's connected accounts, ordered by id.
 *
 * @param limit the number of accounts to read; accounts that do not match and disconnected accounts are read but not returned
 */
export async function queryAccounts(
  table: Table,
  workspaceId: string,
  options: {
    platform?: string | undefined;
    externalId?: string | undefined;
    limit?: number | undefined;
    afterAccountId?: string | undefined;
  },
): Promise<AccountPage> {
  const { platform, externalId, limit, afterAccountId } = options;
  const { items, lastKey } = await queryPage(table, {
    partition: workspaceKey(workspaceId).pk,
    sort: { beginsWith: accountPrefix },
    filter: { disconnectedAt: absent, ...(platform && { platform }), ...(externalId && { externalId }) },
    limit,
    after: afterAccountId ? accountKey(workspaceId, afterAccountId) : undefined,
  });
  return {
    accounts: readableItems(table, items, accountFromItem),
    lastAccountId: lastKey && String(lastKey['sk']).slice(accountPrefix.length),
  };
}

/** Returns the ids of the connected accounts with an external id. Reads all accounts of the workspace, a request for each megabyte. */
export async function findAccountIds(
  table: Table,
  workspaceId: string,
  externalId: string,
): Promise<string[]> {
  const items = await queryAll(table, {
    partition: workspaceKey(workspaceId).pk,
    sort: { beginsWith: accountPrefix },
    filter: { disconnectedAt: absent, externalId },
    attributes: ['sk'],
  });
  return items.map(({ sk }) => String(sk).slice(accountPrefix.length));
}

/**
 * Marks a connected account as unable to publish. Returns false if it already has this status or is disconnected.
 *
 * @param account as read before its token was refused; an account connected again since then is left alone
 * @param reason the platform's message and what Herald was doing, shown to users
 * @param now epoch milliseconds
 * @returns true if this call changed the account
 */
export async function markAccount(
  table: Table,
  account: Account,
  status: 'expired' | 'error',
  reason: string,
  now: number,
): Promise<boolean> {
  if (account.disconnectedAt !== undefined) return false;
  const set = { statusMessage: reason, statusSince: toTimestamp(now) };
  return setStatus(table, account, status, set, { status: differentFrom(status) });
}

/**
 * Marks an account as `ok` because a platform call for it has succeeded. Changes nothing if the account was marked again since it
 * was read.
 *
 * @returns true if this call changed the account
 */
export async function clearMark(table: Table, account: Account): Promise<boolean> {
  if (account.disconnectedAt !== undefined || account.status === 'ok') return false;
  const { status, statusSince = absent } = account;
  return setStatus(table, account, 'ok', { ...unmarked, ...dueAgain(account) }, { status, statusSince });
}

/** Makes the account due again. An expired account gets no notices, so a notice may be due when it works again. */
function dueAgain({ platform, reconnectBy }: Account): Item {
  return reconnectBy === undefined ? {} : { ...noticeKeys(platform, reconnectBy) };
}

const unmarked: Item = { statusMessage: null, statusSince: removed };

/**
 * Marks an account as `ok` after its tokens were refreshed, and records what the new tokens allow.
 *
 * @param renewed the granted scopes and the end of the authorization, absent if it need not end
 */
export function markRefreshed(
  table: Table,
  account: Account,
  { scopes, reconnectBy }: { readonly scopes: readonly string[]; readonly reconnectBy?: string | undefined },
): Promise<boolean> {
  const isOutdated = reconnectBy === undefined ? present : anyOf(absent, differentFrom(reconnectBy));
  const neverDue: Condition = { dueAt: absent, expiringNotice: absent };
  const marked = {
    [either]: [
      { status: differentFrom('ok') },
      { reconnectBy: isOutdated },
      { scopes: anyOf(absent, differentFrom(scopes)) },
      ...(reconnectBy === undefined ? [] : [neverDue]),
    ],
  };
  const set = { ...unmarked, ...endOf(account, reconnectBy), scopes };
  return setStatus(table, account, 'ok', set, marked);
}

/** Records in advance when an account's access ends, if its tokens can no longer be renewed. */
export function recordAccessEnd(table: Table, account: Account, reconnectBy: string): Promise<boolean> {
  const isOutdated = anyOf(absent, differentFrom(reconnectBy));
  return change(table, account, endOf(account, reconnectBy), { reconnectBy: isOutdated });
}

/** Returns the fields for the end of an account's access, if there is one, and the time of its notices. */
function endOf({ platform }: Account, reconnectBy: string | undefined): Item {
  if (reconnectBy === undefined) return { reconnectBy: removed, dueShard: removed, dueAt: removed };
  return { reconnectBy, ...noticeKeys(platform, reconnectBy) };
}

/** True if an earlier release stored the end of an account's access without the time of a notice. */
export function lacksNoticeKeys({ reconnectBy, dueAt, expiringNotice }: Account, now: number): boolean {
  if (reconnectBy === undefined || dueAt !== undefined || expiringNotice !== undefined) return false;
  return Date.parse(reconnectBy) > now;
}

/** Makes the notices of an account due if {@link lacksNoticeKeys} is true. */
export async function restoreNoticeKeys(table: Table, account: Account, now: number): Promise<void> {
  const { platform, reconnectBy } = account;
  if (reconnectBy === undefined || !lacksNoticeKeys(account, now)) return;
  const unchanged = { reconnectBy, dueAt: absent, expiringNotice: absent };
  await change(table, account, { ...noticeKeys(platform, reconnectBy) }, unchanged);
}

/**
 * Records a notice that access ends, if one is due, and the time of the next one. Does nothing if anything that the decision
 * depends on has changed since the account was read.
 *
 * @param account as read from the index `overdue`
 * @returns true if this call changed the account
 */
export async function recordNotice(
  table: Table,
  account: Account,
  { days, next }: NoticeDecision,
): Promise<boolean> {
  const { workspaceId, id, connectedAt, status, dueAt = absent } = account;
  const { reconnectBy = absent, disconnectedAt = absent } = account;
  const { written } = await updateItem(table, accountKey(workspaceId, id), {
    set: {
      ...(days !== undefined && { expiringNotice: { days, reconnectBy } }),
      dueShard: next?.dueShard ?? removed,
      dueAt: next?.dueAt ?? removed,
    },
    if: { connectedAt, disconnectedAt, status, reconnectBy, dueAt },
  });
  return written;
}

/**
 * Replaces parts of the account's `meta`, which the platform reports, if they have changed.
 *
 * @param account as just read. The later of two concurrent changes wins: the platform reported both
 * @returns true if this call changed the account
 */
export async function renewMeta(table: Table, account: Account, parts: Account['meta']): Promise<boolean> {
  const meta = JSON.stringify({ ...account.meta, ...parts });
  if (meta === JSON.stringify(account.meta)) return false;
  return change(table, account, { meta }, {});
}

function setStatus(
  table: Table,
  account: Account,
  status: AccountStatus,
  set: Item,
  condition: Condition,
): Promise<boolean> {
  requireMove('account', accountLifeCycle, accountState(account), status);
  return change(table, account, { status, ...set }, condition);
}

/** Changes a connected account, unless it was connected again or disconnected since it was read. */
async function change(
  table: Table,
  { workspaceId, id, connectedAt }: Account,
  set: Item,
  condition: Condition,
): Promise<boolean> {
  const { written } = await updateItem(table, accountKey(workspaceId, id), {
    set,
    if: { connectedAt, disconnectedAt: absent, ...condition },
  });
  return written;
}

/** Returns a measurement if a committed change marked an account as expired. Pure. */
export function measurementsOfAccount(change: {
  readonly before: Item | undefined;
  readonly after: Item | undefined;
}): Measurement[] {
  const { before, after } = change;
  if (after?.['kind'] !== 'account' || after['status'] !== 'expired') return [];
  if (before === undefined || before['status'] === 'expired') return [];
  return [{ name: 'AccountsExpired', value: 1, platform: Platform.parse(after['platform']) }];
}
