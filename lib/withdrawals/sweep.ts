import type { Account } from '../accounts/schemas.ts';
import { findAccount } from '../accounts/store.ts';
import { endAuthorization, eraseAccount } from '../accounts/withdraw.ts';
import { deleteInbound } from '../automations/inbound/store.ts';
import { type Clock, toTimestamp } from '../kernel/clock.ts';
import { workDuePages } from '../overdue/due-pages.ts';
import { platformTitles } from '../platforms/contract/names.ts';
import { unconditionally } from '../table/condition.ts';
import type { Item } from '../table/items.ts';
import { type Key, withdrawalShard } from '../table/keys.ts';
import { forgetOwnedPart, ownedNamePart } from '../table/owned-names.ts';
import { queryAll, queryPages } from '../table/query.ts';
import type { Table } from '../table/table.ts';
import { deletePart, transact } from '../table/transaction.ts';
import { accountLists, isAccountOf } from './owners.ts';
import { Withdrawal } from './schemas.ts';
import { completeWithdrawal, postponeWithdrawal } from './store.ts';

export interface WithdrawalSweepPorts {
  readonly table: Table;
  readonly now: Clock;
  /** Reports a failed request to operators. It is tried again later. */
  readonly report: (key: Key, error: unknown) => void;
}

/**
 * Processes the requests that have arrived since the last sweep, and failed ones that are due again.
 *
 * @param deadlineMs epoch milliseconds after which no page is begun; the next sweep continues
 * @returns the number of completed requests, and of failures
 */
export async function sweepWithdrawals(
  ports: WithdrawalSweepPorts,
  deadlineMs: number,
): Promise<{ done: number; failures: number }> {
  const { table, now, report } = ports;
  const counts = { done: 0, failures: 0 };
  // The end of the range is exclusive, so one millisecond is added to include items that are due now.
  const range = { shards: [withdrawalShard], dueBefore: toTimestamp(now() + 1), deadlineMs };
  await workDuePages(ports, range, async (page) => {
    for (const { key, item } of page) {
      try {
        await runOne(ports, item);
        counts.done += 1;
      } catch (error) {
        counts.failures += 1;
        report(key, error);
      }
    }
  });
  return counts;

  async function runOne(ports: WithdrawalSweepPorts, item: Record<string, unknown>): Promise<void> {
    const withdrawal = Withdrawal.parse(item);
    try {
      await runWithdrawal(ports, withdrawal);
    } catch (error) {
      await postponeWithdrawal(table, withdrawal, now());
      throw error;
    }
  }
}

/**
 * Processes a person's request for all their accounts in every workspace. May run any number of times and stop anywhere: each
 * step leaves what the next run needs to find the rest.
 *
 * @throws the first error, after everything else is done: an account changes at the same time, or cannot be read. The next run
 *   sees its new state
 */
async function runWithdrawal(ports: WithdrawalSweepPorts, withdrawal: Withdrawal): Promise<void> {
  const { platform, userId } = withdrawal;
  if (withdrawal.status === 'complete' || userId === undefined) return;
  const errors: unknown[] = [];
  for (const partition of accountLists(platform, userId)) {
    for await (const entries of queryPages(ports.table, { partition })) {
      for (const entry of entries) {
        await withdrawEntry(ports, { ...withdrawal, userId }, entry).catch((error) => errors.push(error));
      }
    }
    if (withdrawal.request === 'deletion') await noteAgain(ports.table, partition);
  }
  if (errors.length > 0) throw errors[0];
  await completeWithdrawal(ports.table, withdrawal, ports.now());
}

async function withdrawEntry(
  ports: WithdrawalSweepPorts,
  withdrawal: Withdrawal & { readonly userId: string },
  entry: Item,
): Promise<void> {
  const { table } = ports;
  const { platform, userId, request, connectedBy } = withdrawal;
  const account = await findAccount(table, String(entry['workspaceId']), String(entry['accountId']));
  if (account && isAccountOf(account, platform, userId)) {
    // A person who has connected the account again since has changed their mind.
    if (account.connectedAt <= connectedBy) await withdrawAccount(ports, request, account);
    return;
  }
  // This is the entry of an earlier login of the account. It names the person, but finds no account of theirs.
  if (request === 'deletion') {
    const key = { pk: String(entry['pk']), sk: String(entry['sk']) };
    await transact(table, [
      deletePart(table, key, unconditionally),
      forgetOwnedPart(table, String(entry['workspaceId']), key.pk),
    ]);
  }
}

/**
 * Notes a login again for the workspaces that still have accounts of it, because they were connected again since. If the process
 * crashes before this, the next run does it.
 */
async function noteAgain(table: Table, partition: string): Promise<void> {
  if (!partition.startsWith('LOGIN#')) return;
  const left = await queryAll(table, { partition });
  for (const workspaceId of new Set(left.map((entry) => String(entry['workspaceId'])))) {
    await transact(table, [ownedNamePart(table, workspaceId, partition)]);
  }
}

/**
 * Ends the authorization and, if asked, erases the account. Erases last, because the account cannot be found afterwards. The
 * event `account.expired` still shows its name.
 */
async function withdrawAccount(
  { table, now }: WithdrawalSweepPorts,
  request: Withdrawal['request'],
  account: Account,
): Promise<void> {
  const title = platformTitles[account.platform];
  const reason = {
    deauthorize: `its owner has removed this app at ${title}`,
    deletion: `its owner has asked ${title} to have this app delete their data`,
  };
  await unchanged(endAuthorization(table, account, reason[request], now()));
  if (request === 'deauthorize') return;
  await deleteInbound(table, account);
  await unchanged(eraseAccount(table, account, now()));
}

/** @throws if the account was connected again or disconnected since it was read */
async function unchanged(written: Promise<boolean>): Promise<void> {
  if (!(await written)) throw new Error('the account has changed meanwhile: the next run reads it again');
}
