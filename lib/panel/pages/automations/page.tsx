import { useNavigate } from '@tanstack/react-router';
import { useDeferredValue, useState } from 'react';
import { nameOf } from '../../accounts/account.ts';
import { useAccounts, useAccountsById } from '../../accounts/use-accounts.ts';
import { Button } from '../../components/button.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { ErrorState } from '../../components/error-state.tsx';
import { Filter, FilterBar } from '../../components/filter-bar.tsx';
import { Muted, Stack } from '../../components/layout.tsx';
import { ButtonLink } from '../../components/link.tsx';
import { LoadMore } from '../../components/load-more.tsx';
import { Page } from '../../components/page.tsx';
import { Skeleton } from '../../components/skeleton.tsx';
import { useCommands } from '../../shortcuts.ts';
import { useFilters, useTyped } from '../../use-filters.ts';
import { words } from '../../words/words.ts';
import { useWorkspace } from '../../workspace.tsx';
import { AutomationTable } from './automation-table.tsx';
import { DeleteDialog } from './delete-dialog.tsx';
import { filterRows, isState, type Row } from './rows.ts';
import { titleOf } from './titles.ts';
import { useAutomations, useLivePosts } from './use-automations.ts';

const texts = words.automationsPage.list;

/** The automations of the workspace, with what each has done. */
export function AutomationsPage() {
  const { name } = useWorkspace();
  const navigate = useNavigate();
  const create = () => void navigate({ to: '/automations/new' });
  useCommands([{ name: words.automationsPage.create, icon: 'plus', group: 'page', keys: 'n', run: create }]);
  return (
    <Page
      title={words.automationsPage.title}
      of={name}
      lead={words.automationsPage.lead}
      actions={
        <ButtonLink to="/automations/new" variant="primary" icon="plus">
          {words.automationsPage.create}
        </ButtonLink>
      }
    >
      <AutomationList />
    </Page>
  );
}

function AutomationList() {
  const { pages, automations, isReading } = useAutomations();
  const accounts = useAccountsById();
  const postOf = useLivePosts();
  const [removed, setRemoved] = useState<Row>();
  const { values, set, clear } = useFilters(['q', 'account', 'state']);
  const [text, setText] = useTyped(values.q, (q) => set({ q }));
  const wanted = useDeferredValue(text);
  const rows = (automations ?? []).map((automation): Row => {
    const live = postOf(automation.accountId, automation.platformPostId);
    const account = accounts?.get(automation.accountId);
    return {
      automation,
      live,
      account,
      areAccountsRead: accounts !== undefined,
      title: titleOf(automation, live?.post),
    };
  });
  const { account, state } = values;
  const accountNames = Object.fromEntries(
    rows.flatMap(({ account }) => (account ? [[account.id, nameOf(account)]] : [])),
  );
  const shown = filterRows(rows, { text: wanted, account, state: isState(state) ? state : undefined });
  if (automations === undefined)
    return pages.error ? (
      <ErrorState error={pages.error} onRetry={() => void pages.refetch()} isRetrying={pages.isFetching} />
    ) : (
      <Skeleton rows={6} />
    );
  if (rows.length === 0) return <NoAutomations />;
  return (
    <Stack>
      {pages.isError && !pages.isFetchNextPageError && (
        <ErrorNotice error={pages.error} title={texts.stale} />
      )}
      <FilterBar
        search={{ label: texts.search, text, onText: setText, command: texts.searchCommand }}
        count={texts.shown(shown.length, rows.length)}
      >
        <Filter
          label={texts.account}
          all={texts.anyAccount}
          names={accountNames}
          value={values.account}
          onChange={(account) => set({ account })}
        />
        <Filter
          label={texts.state}
          all={texts.anyState}
          names={words.automationsPage.states}
          value={values.state}
          onChange={(state) => set({ state })}
        />
      </FilterBar>
      {shown.length === 0 ? (
        <EmptyState
          icon="search"
          title={texts.noMatchTitle}
          action={
            <Button
              onPress={() => {
                setText('');
                clear();
              }}
            >
              {texts.clearFilters}
            </Button>
          }
        >
          <p>{texts.noMatchText}</p>
        </EmptyState>
      ) : (
        <AutomationTable rows={shown} onRemove={setRemoved} />
      )}
      {isReading ? (
        <Muted role="status">{texts.reading}</Muted>
      ) : (
        <>
          {pages.hasNextPage && <Muted>{texts.partial}</Muted>}
          <LoadMore pages={pages} />
        </>
      )}
      <DeleteDialog
        automation={removed && { id: removed.automation.id, title: removed.title }}
        onClose={() => setRemoved(undefined)}
      />
    </Stack>
  );
}

/** What the next step is depends on whether an account can do it. */
function NoAutomations() {
  const { data } = useAccounts();
  const hasAccount = data?.accounts.some(({ capabilities }) => capabilities.includes('comments')) ?? true;
  return (
    <EmptyState
      icon="automations"
      title={texts.emptyTitle}
      action={
        hasAccount ? (
          <ButtonLink to="/automations/new" variant="primary" icon="plus">
            {words.automationsPage.create}
          </ButtonLink>
        ) : (
          <ButtonLink to="/accounts" variant="primary" icon="accounts">
            {texts.connect}
          </ButtonLink>
        )
      }
    >
      <p>{texts.emptyText}</p>
      {!hasAccount && <p>{texts.noAccountText}</p>}
    </EmptyState>
  );
}
