import { useNavigate } from '@tanstack/react-router';
import { useDeferredValue, useMemo, useRef, useState } from 'react';
import { nameOf } from '../../accounts/account.ts';
import { useAccounts, useAccountsById } from '../../accounts/use-accounts.ts';
import { Button } from '../../components/button.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { ErrorState } from '../../components/error-state.tsx';
import bar from '../../components/filter-bar.module.css';
import { ButtonLink } from '../../components/link.tsx';
import { LoadMore } from '../../components/load-more.tsx';
import { Page } from '../../components/page.tsx';
import { SearchField } from '../../components/search-field.tsx';
import { Select } from '../../components/select.tsx';
import { Skeleton } from '../../components/skeleton.tsx';
import { useCommands } from '../../shortcuts.ts';
import { useFilters, useTyped } from '../../use-filters.ts';
import { words } from '../../words/words.ts';
import { useWorkspace } from '../../workspace.tsx';
import { AutomationTable } from './automation-table.tsx';
import { DeleteDialog } from './delete-dialog.tsx';
import classes from './list.module.css';
import { filterRows, isState, type Row } from './rows.ts';
import { titleOf } from './titles.ts';
import { useAutomations, useLivePosts } from './use-automations.ts';

const texts = words.automationsPage.list;
const any = 'any';

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
  const shown = filterRows(rows, { text: wanted, account, state: isState(state) ? state : undefined });
  if (automations === undefined)
    return pages.error ? (
      <ErrorState error={pages.error} onRetry={() => void pages.refetch()} isRetrying={pages.isFetching} />
    ) : (
      <Skeleton rows={6} />
    );
  if (rows.length === 0) return <NoAutomations />;
  return (
    <div className={bar['list']}>
      {pages.isError && !pages.isFetchNextPageError && (
        <ErrorNotice error={pages.error} title={texts.stale} />
      )}
      <Filters rows={rows} shown={shown.length} text={text} onText={setText} values={values} set={set} />
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
        <p role="status" className={classes['minor']}>
          {texts.reading}
        </p>
      ) : (
        <>
          {pages.hasNextPage && <p className={classes['minor']}>{texts.partial}</p>}
          <LoadMore pages={pages} />
        </>
      )}
      <DeleteDialog
        automation={removed && { id: removed.automation.id, title: removed.title }}
        onClose={() => setRemoved(undefined)}
      />
    </div>
  );
}

interface FiltersProps {
  rows: readonly Row[];
  shown: number;
  text: string;
  onText: (text: string) => void;
  values: Readonly<Record<'account' | 'state', string>>;
  set: (changes: Partial<Record<'account' | 'state', string>>) => void;
}

function Filters({ rows, shown, text, onText, values, set }: FiltersProps) {
  const field = useRef<HTMLInputElement>(null);
  useCommands([
    {
      name: texts.searchCommand,
      icon: 'search',
      group: 'page',
      keys: '/',
      run: () => field.current?.focus(),
    },
  ]);
  const accountChoices = useMemo(() => {
    const known = new Map(rows.flatMap(({ account }) => (account ? [[account.id, nameOf(account)]] : [])));
    return [{ id: any, name: texts.anyAccount }, ...[...known].map(([id, name]) => ({ id, name }))];
  }, [rows]);
  return (
    <search className={bar['filters']} aria-label={texts.search}>
      <div className={bar['search']}>
        <SearchField label={texts.search} value={text} onChange={onText} inputRef={field} />
      </div>
      <Select
        label={texts.account}
        isLabelHidden
        choices={accountChoices}
        value={values.account || any}
        onChange={(key) => set({ account: key === any ? '' : String(key) })}
      />
      <Select
        label={texts.state}
        isLabelHidden
        choices={[
          { id: any, name: texts.anyState },
          { id: 'active', name: words.automationsPage.states.active },
          { id: 'paused', name: words.automationsPage.states.paused },
        ]}
        value={values.state || any}
        onChange={(key) => set({ state: key === any ? '' : String(key) })}
      />
      <p className={bar['count']} role="status">
        {texts.shown(shown, rows.length)}
      </p>
    </search>
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
