import classes from './developers.module.css';
import { accountName, useAccounts } from './names.ts';
import { strings } from './strings.ts';

const shownAtMost = 3;

/** Names the accounts that a key or an endpoint is limited to. */
export function AccountNames({ ids }: { readonly ids: readonly string[] | null }) {
  const { data } = useAccounts();
  if (ids === null) return strings.accounts.all;
  const known = new Map(data?.accounts.map((account) => [account.id, accountName(account)]));
  const names = ids.slice(0, shownAtMost).map((id) => ({
    id,
    name: known.get(id) ?? (data ? strings.accounts.disconnected : '…'),
  }));
  const others = ids.length - names.length;
  return (
    <>
      {names.map(({ id, name }, place) => (
        <span key={id}>
          {place > 0 && ', '}
          <bdi className={classes['clipped']}>{name}</bdi>
        </span>
      ))}
      {others > 0 && ` ${strings.accounts.more(others)}`}
    </>
  );
}
