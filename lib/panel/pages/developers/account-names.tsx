import { nameOf } from '../../accounts/account.ts';
import { useAccounts } from '../../accounts/use-accounts.ts';
import { words } from '../../words/words.ts';
import classes from './developers.module.css';

const shownAtMost = 3;

/** What each account is called, by its id; `undefined` until they are read. */
export function useAccountNames(): ReadonlyMap<string, string> | undefined {
  const { data } = useAccounts();
  return data && new Map(data.accounts.map((account) => [account.id, nameOf(account)]));
}

interface AccountNamesProps {
  ids: readonly string[] | null;
  names: ReadonlyMap<string, string> | undefined;
}

/** Names the accounts that a key or an endpoint is limited to. */
export function AccountNames({ ids, names }: AccountNamesProps) {
  if (ids === null) return words.developersPage.accounts.all;
  const shown = ids.slice(0, shownAtMost);
  const others = ids.length - shown.length;
  return (
    <>
      {shown.map((id, place) => (
        <span key={id}>
          {place > 0 && ', '}
          <bdi className={classes.clipped}>
            {names ? (names.get(id) ?? words.developersPage.accounts.disconnected) : '…'}
          </bdi>
        </span>
      ))}
      {others > 0 && ` ${words.developersPage.accounts.more(others)}`}
    </>
  );
}
