import type { UseQueryResult } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useDeferredValue, useState } from 'react';
import type { listAccountsOperation } from '../../../accounts/operations.ts';
import type { Platform } from '../../../platforms/contract/names.ts';
import {
  type Account,
  type Condition,
  conditionOf,
  handleOf,
  nameOf,
  needsReconnecting,
  reconnectByOf,
  sortAccounts,
} from '../../accounts/account.ts';
import { AccountState } from '../../accounts/account-state.tsx';
import { ConnectDialog } from '../../accounts/connect-dialog.tsx';
import { PlatformMark } from '../../accounts/platform-mark.tsx';
import { platformOf, platformTitles } from '../../accounts/platforms.ts';
import { useGet } from '../../api/hooks.ts';
import { Button } from '../../components/button.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { Filter, FilterBar } from '../../components/filter-bar.tsx';
import { Muted, Row, Stack } from '../../components/layout.tsx';
import { Notice } from '../../components/notice.tsx';
import { Page } from '../../components/page.tsx';
import { Reading } from '../../components/reading.tsx';
import { type Column, Table } from '../../components/table.tsx';
import { Time } from '../../components/time.tsx';
import { useCommands } from '../../shortcuts.ts';
import { useTyped } from '../../use-filters.ts';
import { words } from '../../words/words.ts';
import { useWorkspace } from '../../workspace.tsx';
import classes from './page.module.css';
import { type Upcoming, useUpcoming } from './upcoming.ts';

const { list, connect } = words.accountsPage;
const titles = list.columns;

/** A list of 2,000 accounts has more than a megabyte. */
const manyAccounts = 500;
const manyEveryMs = 60_000;
const hourMs = 3_600_000;
const states = ['attention', 'expired', 'error', 'expiring', 'ok'] as const;
const stateOf = (text: unknown) => states.find((each) => each === text);

/** The connected accounts, and connecting more. */
export function AccountsPage() {
  const { name } = useWorkspace();
  /** Open for a new account, or for one that is connected again. */
  const [connecting, setConnecting] = useState<'new' | Account>();
  useCommands([
    {
      name: connect.action,
      icon: 'plus',
      group: 'page',
      keys: 'n',
      run: () => setConnecting('new'),
    },
  ]);
  return (
    <Page
      title={words.accountsPage.title}
      of={name}
      lead={words.accountsPage.lead}
      actions={
        <Button variant="primary" icon="plus" onPress={() => setConnecting('new')}>
          {connect.action}
        </Button>
      }
    >
      <AccountList onConnect={() => setConnecting('new')} onReconnect={setConnecting} />
      <ConnectDialog
        isOpen={connecting !== undefined}
        account={connecting === 'new' ? undefined : connecting}
        onClose={() => setConnecting(undefined)}
      />
    </Page>
  );
}

interface ListProps {
  onConnect: () => void;
  onReconnect: (account: Account) => void;
}

function AccountList({ onConnect, onReconnect }: ListProps) {
  const accounts = useGet<typeof listAccountsOperation>('/v1/accounts', undefined, {
    refetchEveryMs: (read) => ((read?.accounts.length ?? 0) > manyAccounts ? manyEveryMs : 15_000),
  });
  const upcoming = useUpcoming();
  // Conditions change by the hour. A time that moves with each read would show all rows anew.
  const hour = Math.floor(Date.now() / hourMs);
  const rows = rowsOf(accounts.data?.accounts ?? [], upcoming.data, hour * hourMs);
  const { filters, setText, change, isFiltered } = useFilters();
  const wanted = useDeferredValue(filters);
  const shown = filterRows(rows, wanted);

  if (!accounts.data) return <Reading of={accounts} rows={6} />;
  if (rows.length === 0)
    return (
      <EmptyState
        icon="accounts"
        title={list.emptyTitle}
        action={
          <Button variant="primary" icon="plus" onPress={onConnect}>
            {connect.action}
          </Button>
        }
      >
        <p>{list.emptyText}</p>
      </EmptyState>
    );
  const attention = rows.filter(({ condition }) => needsAttention(condition)).length;
  return (
    <Stack>
      {accounts.isError && <ErrorNotice error={accounts.error} title={list.stale} />}
      {attention > 0 && filters.state === undefined && (
        <Notice
          tone="warn"
          title={list.needYou(attention)}
          actions={
            <Button size="small" onPress={() => change({ state: 'attention' })}>
              {list.showThem}
            </Button>
          }
        >
          {list.needYouText}
        </Notice>
      )}
      <FilterBar
        search={{ label: list.search, text: filters.text, onText: setText, command: list.searchCommand }}
        count={list.shown(shown.length, rows.length)}
      >
        <Filter
          label={list.platform}
          all={list.anyPlatform}
          names={platformTitles}
          value={filters.platform ?? ''}
          onChange={(platform) => change({ platform: platformOf(platform) })}
        />
        <Filter
          label={list.state}
          all={list.anyState}
          names={{ attention: list.attention, ...words.account.conditions }}
          value={filters.state ?? ''}
          onChange={(state) => change({ state: stateOf(state) })}
        />
      </FilterBar>
      {shown.length === 0 ? (
        <EmptyState
          icon="search"
          title={list.noMatchTitle}
          action={
            isFiltered && (
              <Button onPress={() => change({ text: '', platform: undefined, state: undefined })}>
                {list.clearFilters}
              </Button>
            )
          }
        >
          <p>{list.noMatchText}</p>
        </EmptyState>
      ) : (
        <AccountTable rows={shown} upcoming={upcoming} onReconnect={onReconnect} />
      )}
    </Stack>
  );
}

/** The filters, which the URL has too: it follows what is typed a moment later. */
function useFilters() {
  const { q = '', platform, status } = useSearch({ from: '/shell/accounts' });
  const navigate = useNavigate({ from: '/accounts' });
  const [text, setText] = useTyped(
    q,
    (typed) => void navigate({ search: (before) => ({ ...before, q: typed || undefined }), replace: true }),
  );
  const filters = { text, platform: platformOf(platform), state: stateOf(status) };
  const change = (changes: Partial<typeof filters>) => {
    const next = { ...filters, ...changes };
    setText(next.text);
    void navigate({
      search: { q: next.text || undefined, platform: next.platform, status: next.state },
      replace: true,
    });
  };
  const isFiltered = text.trim() !== '' || filters.platform !== undefined || filters.state !== undefined;
  return { filters, setText, change, isFiltered };
}

interface AccountTableProps {
  rows: readonly AccountRow[];
  upcoming: Pick<UseQueryResult<Upcoming>, 'data' | 'isError'>;
  onReconnect: (account: Account) => void;
}

/** The accounts, with what a person has to know about each at a glance. */
function AccountTable({ rows, upcoming: { data, isError }, onReconnect }: AccountTableProps) {
  const { isComplete, readUntil } = data ?? {};
  const next = ({ next: at }: AccountRow) => {
    if (at !== undefined) return <Time at={at} isRelative />;
    if (isComplete) return <Muted as="span">{list.nothingPlanned}</Muted>;
    if (readUntil !== undefined)
      return (
        <Muted as="span">
          {list.nothingBefore} <Time at={readUntil} format="date" />
        </Muted>
      );
    return isError ? <Muted as="span">{list.notKnown}</Muted> : <Muted as="span">…</Muted>;
  };
  const columns: readonly Column<AccountRow>[] = [
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
  return <Table label={list.label} columns={columns} rows={rows} idOf={({ account }) => account.id} />;
}

function Name({ account }: AccountRow) {
  const handle = handleOf(account);
  return (
    <Row gap={3} isOneLine>
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
    </Row>
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
    <Stack gap={1} align="start">
      <AccountState condition={condition} />
      {isFailing && (
        <p className={classes.reason}>
          <bdi>{statusMessage ?? list.noReason}</bdi>
        </p>
      )}
      {isFailing && statusSince !== null && (
        <p className={classes.minor}>
          {list.since} <Time at={statusSince} format="date" />
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
          aria-label={connect.reconnectTitle(nameOf(account))}
        >
          {connect.reconnect}
        </Button>
      )}
    </Stack>
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

/** An account as the list shows it. */
interface AccountRow {
  readonly account: Account;
  readonly condition: Condition;
  /** The time of its next post. `undefined`: none is known. */
  readonly next: string | undefined;
}

/** The filters of the list. */
interface Filters {
  readonly text: string;
  readonly platform: Platform | undefined;
  readonly state: Condition | 'attention' | undefined;
}

const urgency: Readonly<Record<Condition, number>> = { expired: 0, error: 1, expiring: 2, ok: 3 };

/** Returns true if somebody has to do something about it. */
const needsAttention = (condition: Condition): boolean => condition !== 'ok';

/** Returns the rows: accounts that need a person first, then by platform and name. Pure. @param now epoch milliseconds */
function rowsOf(accounts: readonly Account[], upcoming: Upcoming | undefined, now: number): AccountRow[] {
  return sortAccounts(accounts)
    .map((account) => ({
      account,
      condition: conditionOf(account, now),
      next: upcoming?.nextByAccount[account.id],
    }))
    .sort((left, right) => urgency[left.condition] - urgency[right.condition]);
}

/** The rows that pass all filters. Each word must be a part of a name, an id, the platform or the state. Pure. */
function filterRows(rows: readonly AccountRow[], { text, platform, state }: Filters): readonly AccountRow[] {
  const wanted = plain(text).split(/\s+/).filter(Boolean);
  if (wanted.length === 0 && platform === undefined && state === undefined) return rows;
  return rows.filter(
    (row) =>
      (platform === undefined || row.account.platform === platform) &&
      (state === undefined ||
        (state === 'attention' ? needsAttention(row.condition) : row.condition === state)) &&
      (wanted.length === 0 || hasWords(row, wanted)),
  );
}

/** The words of rows that were searched once. Lists are shown more often than searched. */
const knownWords = new WeakMap<AccountRow, string>();

function hasWords(row: AccountRow, wanted: readonly string[]): boolean {
  const words = knownWords.get(row) ?? wordsOf(row);
  knownWords.set(row, words);
  return wanted.every((word) => words.includes(word));
}

/** Returns the searchable text of a row: in lower case and without accents. */
function wordsOf({ account, condition }: AccountRow): string {
  const { id, platform, username, displayName, externalId } = account;
  const texts = [
    nameOf(account),
    displayName,
    username,
    handleOf(account),
    platformTitles[platform],
    externalId,
    id,
    words.account.conditions[condition],
  ];
  return plain(texts.filter((text) => text !== null && text !== undefined).join('\n'));
}

const plain = (text: string): string => text.normalize('NFKD').replace(/\p{M}/gu, '').toLocaleLowerCase();
