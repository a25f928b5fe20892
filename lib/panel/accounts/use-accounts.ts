import type { listAccountsOperation } from '../../accounts/operations.ts';
import { useGet } from '../api/hooks.ts';
import { type Account, sortAccounts } from './account.ts';

/** All connected accounts of the workspace. */
export const useAccounts = () => useGet<typeof listAccountsOperation>('/v1/accounts');

/** The connected accounts by id, in the order in which they are offered; `undefined` until they are read. */
export function useAccountsById(): ReadonlyMap<string, Account> | undefined {
  const { data } = useAccounts();
  return data && new Map(sortAccounts(data.accounts).map((account) => [account.id, account]));
}
