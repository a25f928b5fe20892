import { useMemo, useState } from 'react';
import type { listKeysOperation } from '../../../people/operations.ts';
import { useGet } from '../../api/hooks.ts';
import { Button } from '../../components/button.tsx';
import { CodeBlock } from '../../components/code-block.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { ErrorState } from '../../components/error-state.tsx';
import { SearchField } from '../../components/search-field.tsx';
import { Select } from '../../components/select.tsx';
import { Skeleton } from '../../components/skeleton.tsx';
import { Table } from '../../components/table.tsx';
import { useCommands } from '../../shortcuts.ts';
import { useCurl } from './curl.ts';
import { CurlDialog } from './curl-dialog.tsx';
import classes from './developers.module.css';
import { keyColumns } from './keys/key-columns.tsx';
import { findKeys } from './keys/key-facts.ts';
import { NewKeyDialog } from './keys/new-key-dialog.tsx';
import { requestFor } from './keys/request-for.ts';
import { RevokeKeyDialog } from './keys/revoke-key-dialog.tsx';
import { RotateKeyDialog } from './keys/rotate-key-dialog.tsx';
import { strings } from './keys/strings.ts';
import { type Key, useActorName } from './names.ts';
import { strings as page } from './strings.ts';
import { useFilters } from './use-filters.ts';

type Open =
  | { readonly kind: 'new' }
  | { readonly kind: 'curl' | 'rotate' | 'revoke'; readonly key: Key }
  | undefined;

/** The API keys of the workspace. */
export default function KeysTab() {
  const [open, setOpen] = useState<Open>();
  const close = () => setOpen(undefined);
  const curl = useCurl();
  const create = () => setOpen({ kind: 'new' });
  useCommands([{ name: strings.create, icon: 'plus', group: 'page', keys: 'n', run: create }]);
  return (
    <div className={classes['tab']}>
      <header className={classes['head']}>
        <p className={classes['lead']}>{strings.lead}</p>
        <Button variant="primary" icon="plus" onPress={create}>
          {strings.create}
        </Button>
      </header>
      <Keys onOpen={(kind, key) => setOpen({ kind, key })} />
      {open?.kind === 'new' && <NewKeyDialog onClose={close} />}
      {open?.kind === 'curl' && (
        <CurlDialog command={curl(requestFor(open.key.permissions))} onClose={close} />
      )}
      {open?.kind === 'rotate' && <RotateKeyDialog apiKey={open.key} onClose={close} />}
      {open?.kind === 'revoke' && <RevokeKeyDialog apiKey={open.key} onClose={close} />}
    </div>
  );
}

const filterFrom = 2;

function Keys({ onOpen }: { readonly onOpen: (kind: 'curl' | 'rotate' | 'revoke', key: Key) => void }) {
  const keys = useGet<typeof listKeysOperation>('/panel/keys');
  const filters = useFilters(['q', 'status']);
  const curl = useCurl();
  if (keys.isPending) return <Skeleton rows={4} />;
  if (keys.data === undefined)
    return <ErrorState error={keys.error} onRetry={() => void keys.refetch()} isRetrying={keys.isFetching} />;
  const all = keys.data.keys;
  if (all.length === 0)
    return (
      <>
        <EmptyState icon="key" title={strings.empty.title}>
          <p>{strings.empty.text}</p>
        </EmptyState>
        <CodeBlock label={page.curl.label} code={curl(requestFor(null))} copyLabel={page.curl.copy} />
      </>
    );
  const { q, status } = filters.values;
  const found = findKeys(all, { words: q, status });
  return (
    <>
      {all.length >= filterFrom && (
        <search className={classes['filters']}>
          <SearchField label={strings.search} value={q} onChange={(words) => filters.set({ q: words })} />
          <Select
            label={strings.filter}
            isLabelHidden
            choices={Object.entries(strings.filters).map(([id, name]) => ({ id, name }))}
            selectedKey={status}
            onSelectionChange={(id) => filters.set({ status: String(id) })}
          />
          <p className={classes['note']} role="status">
            {strings.found(found.length)}
          </p>
        </search>
      )}
      {found.length === 0 ? (
        <EmptyState
          icon="search"
          title={strings.noneFound.title}
          action={<Button onPress={filters.clear}>{strings.noneFound.clear}</Button>}
        >
          <p>{strings.noneFound.text}</p>
        </EmptyState>
      ) : (
        <KeyTable all={all} found={found} onOpen={onOpen} />
      )}
    </>
  );
}

interface KeyTableProps {
  readonly all: readonly Key[];
  readonly found: readonly Key[];
  readonly onOpen: (kind: 'curl' | 'rotate' | 'revoke', key: Key) => void;
}

function KeyTable({ all, found, onOpen }: KeyTableProps) {
  const actorName = useActorName(all);
  const columns = useMemo(
    () =>
      keyColumns({
        actorName,
        now: Date.now(),
        onCurl: (key) => onOpen('curl', key),
        onRotate: (key) => onOpen('rotate', key),
        onRevoke: (key) => onOpen('revoke', key),
      }),
    [actorName, onOpen],
  );
  return (
    <Table
      label={strings.label}
      columns={columns}
      rows={found}
      idOf={({ id }) => id}
      isFaded={({ status }) => status === 'revoked'}
    />
  );
}
