import type { listKeysOperation } from '../../../../people/operations.ts';
import { useGet } from '../../../api/hooks.ts';
import { Button } from '../../../components/button.tsx';
import { CodeBlock } from '../../../components/code-block.tsx';
import { EmptyState } from '../../../components/empty-state.tsx';
import { ErrorState } from '../../../components/error-state.tsx';
import { SearchField } from '../../../components/search-field.tsx';
import { Select } from '../../../components/select.tsx';
import { Skeleton } from '../../../components/skeleton.tsx';
import { Table } from '../../../components/table.tsx';
import { useCurl } from '../../../curl.ts';
import { type Filters, useFilters } from '../../../use-filters.ts';
import { words } from '../../../words/words.ts';
import { useAccountNames } from '../account-names.tsx';
import classes from '../developers.module.css';
import { type Key, useActorName } from '../names.ts';
import { keyColumns } from './key-columns.tsx';
import { findKeys } from './key-facts.ts';
import type { KeyMenuProps } from './key-menu.tsx';
import { requestFor } from './request-for.ts';

const filterFrom = 2;

type KeyListProps = Pick<KeyMenuProps, 'onOpen'>;

/** The keys that the filters leave, or what to do where there are none. */
export function KeyList({ onOpen }: KeyListProps) {
  const { data, error, isPending, isFetching, refetch } = useGet<typeof listKeysOperation>('/panel/keys');
  const filters = useFilters(['q', 'status']);
  const { q, status } = filters.values;
  const all = data?.keys;
  const found = findKeys(all ?? [], { words: q, status });
  if (isPending) return <Skeleton rows={4} />;
  if (all === undefined)
    return <ErrorState error={error as Error} onRetry={() => void refetch()} isRetrying={isFetching} />;
  if (all.length === 0) return <NoKeys />;
  return (
    <>
      {all.length >= filterFrom && <KeyFilters filters={filters} found={found.length} />}
      {found.length === 0 ? (
        <EmptyState
          icon="search"
          title={words.keysTab.noneFound.title}
          action={<Button onPress={filters.clear}>{words.keysTab.noneFound.clear}</Button>}
        >
          <p>{words.keysTab.noneFound.text}</p>
        </EmptyState>
      ) : (
        <KeyTable all={all} found={found} onOpen={onOpen} />
      )}
    </>
  );
}

function NoKeys() {
  const curl = useCurl();
  return (
    <>
      <EmptyState icon="key" title={words.keysTab.empty.title}>
        <p>{words.keysTab.empty.text}</p>
      </EmptyState>
      <CodeBlock
        label={words.developersPage.curl.label}
        code={curl(requestFor(null))}
        copyLabel={words.developersPage.curl.copy}
      />
    </>
  );
}

interface KeyFiltersProps {
  filters: Filters<'q' | 'status'>;
  found: number;
}

function KeyFilters({ filters: { values, set }, found }: KeyFiltersProps) {
  return (
    <search className={classes.filters}>
      <SearchField label={words.keysTab.search} value={values.q} onChange={(words) => set({ q: words })} />
      <Select
        label={words.keysTab.filter}
        isLabelHidden
        choices={Object.entries(words.keysTab.filters).map(([id, name]) => ({ id, name }))}
        selectedKey={values.status in words.keysTab.filters ? values.status : ''}
        onSelectionChange={(id) => set({ status: String(id) })}
      />
      <p className={classes.note} role="status">
        {words.keysTab.found(found)}
      </p>
    </search>
  );
}

interface KeyTableProps extends KeyListProps {
  all: readonly Key[];
  found: readonly Key[];
}

function KeyTable({ all, found, onOpen }: KeyTableProps) {
  const actorName = useActorName(all);
  const accountNames = useAccountNames();
  const columns = keyColumns({ actorName, accountNames, now: Date.now(), onOpen });
  return (
    <Table
      label={words.keysTab.label}
      columns={columns}
      rows={found}
      idOf={({ id }) => id}
      isFaded={({ status }) => status === 'revoked'}
    />
  );
}
