import type { UseQueryResult } from '@tanstack/react-query';
import { useMemo } from 'react';
import { type Account, handleOf, nameOf, needsReconnecting, reconnectByOf } from '../../accounts/account.ts';
import { AccountState } from '../../accounts/account-state.tsx';
import { PlatformMark } from '../../accounts/platform-mark.tsx';
import { platformTitles } from '../../accounts/platforms.ts';
import { Button } from '../../components/button.tsx';
import { type Column, Table } from '../../components/table.tsx';
import { Time } from '../../components/time.tsx';
import { words } from '../../words/words.ts';
import classes from './account-table.module.css';
import type { AccountRow } from './rows.ts';
import type { Upcoming } from './upcoming.ts';

interface AccountTableProps {
  rows: readonly AccountRow[];
  upcoming: Pick<UseQueryResult<Upcoming>, 'data' | 'isError'>;
  onReconnect: (account: Account) => void;
}

const { columns: titles } = words.accountsPage.list;

/** The accounts, with what a person has to know about each at a glance. */
export function AccountTable({ rows, upcoming: { data, isError }, onReconnect }: AccountTableProps) {
  const isComplete = data?.isComplete;
  const readUntil = data?.readUntil;
  // Rows are shown anew if the columns change.
  const columns = useMemo((): readonly Column<AccountRow>[] => {
    const next = ({ next: at }: AccountRow) => {
      if (at !== undefined) return <Time at={at} isRelative />;
      if (isComplete) return <Minor>{words.accountsPage.list.nothingPlanned}</Minor>;
      if (readUntil !== undefined)
        return (
          <Minor>
            {words.accountsPage.list.nothingBefore} <Time at={readUntil} format="date" />
          </Minor>
        );
      return isError ? <Minor>{words.accountsPage.list.notKnown}</Minor> : <Minor>…</Minor>;
    };
    return [
      { id: 'account', title: titles.account, width: 'minmax(0, 1.5fr)', isRowHeader: true, cell: Name },
      {
        id: 'state',
        title: titles.state,
        width: 'minmax(0, 1.6fr)',
        cell: (row) => <State {...row} onReconnect={onReconnect} />,
      },
      { id: 'next', title: titles.next, width: '10.5rem', cell: next },
      { id: 'features', title: titles.features, width: 'minmax(0, 0.9fr)', cell: Features },
    ];
  }, [isComplete, readUntil, isError, onReconnect]);
  return (
    <Table
      label={words.accountsPage.list.label}
      columns={columns}
      rows={rows}
      idOf={({ account }) => account.id}
    />
  );
}

function Name({ account }: AccountRow) {
  const handle = handleOf(account);
  return (
    <div className={classes.name}>
      <PlatformMark platform={account.platform} />
      <div className={classes.names}>
        {/* Links of the router follow each change of the address, which the search causes while somebody types. */}
        <a href={`/accounts/${account.id}`} className={classes.link}>
          <bdi>{nameOf(account)}</bdi>
        </a>
        <p className={classes.minor}>
          {platformTitles[account.platform]}
          {handle && (
            <>
              {' · '}
              <bdi>{handle}</bdi>
            </>
          )}
        </p>
      </div>
    </div>
  );
}

interface StateProps extends AccountRow {
  onReconnect: (account: Account) => void;
}

function State({ account, condition, onReconnect }: StateProps) {
  const { statusMessage, statusSince } = account;
  const by = reconnectByOf(account);
  const isFailing = condition === 'expired' || condition === 'error';
  return (
    <div className={classes.state}>
      <AccountState condition={condition} />
      {isFailing && (
        <p className={classes.reason}>
          <bdi>{statusMessage ?? words.accountsPage.list.noReason}</bdi>
        </p>
      )}
      {isFailing && statusSince !== null && (
        <p className={classes.minor}>
          {words.accountsPage.list.since} <Time at={statusSince} format="date" />
        </p>
      )}
      {by !== undefined && condition !== 'expired' && (
        <p className={condition === 'expiring' ? classes.soon : classes.minor}>
          {titles.reconnectBy} <Time at={by} format="date" />
        </p>
      )}
      {needsReconnecting(condition) && (
        <Button
          size="small"
          icon="refresh"
          onPress={() => onReconnect(account)}
          aria-label={words.accountsPage.connect.reconnectTitle(nameOf(account))}
        >
          {words.accountsPage.connect.reconnect}
        </Button>
      )}
    </div>
  );
}

function Features({ account: { capabilities } }: AccountRow) {
  const names = capabilities.map((each) => words.accountsPage.features[each] ?? each);
  return (
    <span className={classes.minor}>
      {names.map((name, place) => (place === 0 ? name : name.toLocaleLowerCase())).join(', ')}
    </span>
  );
}

function Minor({ children }: { children: React.ReactNode }) {
  return <span className={classes.minor}>{children}</span>;
}
