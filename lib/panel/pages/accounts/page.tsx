import { useNavigate, useSearch } from '@tanstack/react-router';
import { useDeferredValue, useState } from 'react';
import type { listAccountsOperation } from '../../../accounts/operations.ts';
import type { Account } from '../../accounts/account.ts';
import { platformOf, platformTitles } from '../../accounts/platforms.ts';
import { useGet } from '../../api/hooks.ts';
import { Button } from '../../components/button.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { ErrorState } from '../../components/error-state.tsx';
import { Filter, FilterBar } from '../../components/filter-bar.tsx';
import { Stack } from '../../components/layout.tsx';
import { Notice } from '../../components/notice.tsx';
import { Page } from '../../components/page.tsx';
import { Skeleton } from '../../components/skeleton.tsx';
import { useCommands } from '../../shortcuts.ts';
import { useTyped } from '../../use-filters.ts';
import { words } from '../../words/words.ts';
import { useWorkspace } from '../../workspace.tsx';
import { AccountTable } from './account-table.tsx';
import { ConnectDialog } from './connect-dialog.tsx';
import { filterRows, needsAttention, rowsOf } from './rows.ts';
import { useUpcoming } from './upcoming.ts';

const { list, connect } = words.accountsPage;
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

  if (accounts.isPending) return <Skeleton rows={6} />;
  if (!accounts.data)
    return (
      <ErrorState
        error={accounts.error}
        onRetry={() => void accounts.refetch()}
        isRetrying={accounts.isFetching}
      />
    );
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
