import { type Account, conditionOf, reconnectByOf } from '../accounts/account.ts';
import type { ListedTarget } from './post.ts';

type Accounts = ReadonlyMap<string, Account> | undefined;

/** Why a destination will not go out as planned. */
export type Risk = 'disconnected' | 'expired' | 'expiring' | 'restricted';

/**
 * Whether the account of a destination that is still to go out has no access at that time. Pure.
 *
 * @param accounts the connected accounts by id; `undefined` while they are not known
 */
export function riskOf(target: ListedTarget, at: string, accounts: Accounts, now: number): Risk | undefined {
  if (target.status !== 'scheduled' || accounts === undefined) return undefined;
  const account = accounts.get(target.accountId);
  if (account === undefined) return 'disconnected';
  const condition = conditionOf(account, now);
  if (condition === 'expired') return 'expired';
  if (condition === 'error') return 'restricted';
  const by = reconnectByOf(account);
  return by !== undefined && Date.parse(by) <= Date.parse(at) ? 'expiring' : undefined;
}
