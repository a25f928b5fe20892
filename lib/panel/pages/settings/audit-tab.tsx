import { useEffect, useState } from 'react';
import type { listAuditOperation } from '../../../audit/operations.ts';
import { usePages } from '../../api/hooks.ts';
import { Button } from '../../components/button.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { ErrorState } from '../../components/error-state.tsx';
import { LoadMore } from '../../components/load-more.tsx';
import { Skeleton } from '../../components/skeleton.tsx';
import { Spinner } from '../../components/spinner.tsx';
import { Table } from '../../components/table.tsx';
import { useFilters } from '../../use-filters.ts';
import { words } from '../../words/words.ts';
import { useWorkspace } from '../../workspace.tsx';
import { useActors } from './audit/actors.ts';
import classes from './audit/audit.module.css';
import { auditColumns } from './audit/columns.tsx';
import { AuditFilters, filterNames } from './audit/filters.tsx';
import { rangeOf } from './audit/range.ts';
import { isAuditVerb } from './audit/verbs.ts';

const texts = words.settingsPage.audit;
const perPage = '100';
/** A filtered page may be empty although more follow: it goes on by itself this often, then asks. */
const searchedPages = 10;

/** Who changed what, newest first. Only owners come here. */
export default function AuditTab() {
  const { timezone } = useWorkspace();
  const filters = useFilters(filterNames);
  const { values } = filters;
  const range = rangeOf(values, timezone);
  const pages = usePages<typeof listAuditOperation>(
    '/v1/audit',
    {
      query: {
        limit: perPage,
        ...(values.actor !== '' && { actor: values.actor }),
        ...(isAuditVerb(values.verb) && { verb: values.verb }),
        ...range,
      },
    },
    { isEnabled: range !== undefined },
  );
  const actors = useActors();
  const entries = pages.data?.pages.flatMap(({ entries }) => entries) ?? [];
  const columns = auditColumns(actors);
  return (
    <div className={classes.tab}>
      <p className={classes.lead}>{texts.lead}</p>
      <AuditFilters filters={filters} actors={actors} entries={entries} />
      {range !== undefined &&
        (pages.data === undefined ? (
          pages.error ? (
            <ErrorState
              error={pages.error}
              onRetry={() => void pages.refetch()}
              isRetrying={pages.isFetching}
            />
          ) : (
            <Skeleton rows={8} />
          )
        ) : entries.length === 0 ? (
          <NoEntries pages={pages} isFiltered={filters.isAny} onClear={filters.clear} />
        ) : (
          <div>
            <Table label={texts.label} columns={columns} rows={entries} idOf={({ id }) => id} />
            <LoadMore pages={pages} />
            <p role="status" className={classes.shown}>
              {pages.hasNextPage ? texts.shownSoFar(entries.length) : texts.shown(entries.length)}
            </p>
          </div>
        ))}
    </div>
  );
}

interface NoEntriesProps {
  pages: ReturnType<typeof usePages<typeof listAuditOperation>>;
  isFiltered: boolean;
  onClear: () => void;
}

/** Nothing at all, nothing that fits, or nothing yet: then it goes on to older entries. */
function NoEntries({ pages, isFiltered, onClear }: NoEntriesProps) {
  const [allowed, setAllowed] = useState(searchedPages);
  const { data, hasNextPage, isFetching, isFetchNextPageError, fetchNextPage } = pages;
  const searched = data?.pages.length ?? 0;
  const goesOn = hasNextPage && searched < allowed && !isFetchNextPageError;
  useEffect(() => {
    if (goesOn && !isFetching) void fetchNextPage();
  }, [goesOn, isFetching, fetchNextPage]);
  const clear = <Button onPress={onClear}>{texts.clear}</Button>;
  if (goesOn)
    return (
      <p role="status" className={classes.searching}>
        <Spinner /> {texts.searching}
      </p>
    );
  if (isFetchNextPageError && pages.error)
    return <ErrorState error={pages.error} onRetry={() => void fetchNextPage()} isRetrying={isFetching} />;
  if (hasNextPage)
    return (
      <EmptyState
        icon="search"
        title={texts.noneYetTitle}
        action={
          <>
            <Button onPress={() => setAllowed(searched + searchedPages)}>{texts.searchOlder}</Button>
            {clear}
          </>
        }
      >
        <p>{texts.noneYetText}</p>
      </EmptyState>
    );
  if (isFiltered)
    return (
      <EmptyState icon="search" title={texts.noneTitle} action={clear}>
        <p>{texts.noneText}</p>
      </EmptyState>
    );
  return (
    <EmptyState icon="clock" title={texts.emptyTitle}>
      <p>{texts.emptyText}</p>
    </EmptyState>
  );
}
