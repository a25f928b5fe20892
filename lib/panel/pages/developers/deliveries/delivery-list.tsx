import type { MouseEvent } from 'react';
import { Button } from '../../../components/button.tsx';
import { EmptyState } from '../../../components/empty-state.tsx';
import { ErrorNotice } from '../../../components/error-notice.tsx';
import { ErrorState } from '../../../components/error-state.tsx';
import { Skeleton } from '../../../components/skeleton.tsx';
import { Table } from '../../../components/table.tsx';
import { Time } from '../../../components/time.tsx';
import { words } from '../../../words/words.ts';
import common from '../developers.module.css';
import type { Endpoint } from '../endpoints/endpoint.ts';
import classes from './deliveries.module.css';
import { deliveryColumns } from './delivery-columns.tsx';
import { DeliveryDialog } from './delivery-dialog.tsx';
import { NoDeliveries } from './no-deliveries.tsx';
import { useDeliveries } from './use-deliveries.ts';
import { useOpenDelivery } from './use-open-delivery.ts';
import type { DeliveryFilters } from './wanted.ts';

interface DeliveryListProps {
  filters: DeliveryFilters;
  endpoints: readonly Endpoint[];
  isFiltered: boolean;
  onClear: () => void;
}

/** The deliveries that fit, and the one that the URL opens. */
export function DeliveryList({ filters, endpoints, isFiltered, onClear }: DeliveryListProps) {
  const list = useDeliveries(filters);
  const { shown, hrefOf, open, close } = useOpenDelivery(filters);
  const urls = new Map(endpoints.map(({ id, url }) => [id, url]));
  const columns = deliveryColumns({ urls, hrefOf });
  const openInPlace = (event: MouseEvent) => {
    const link = (event.target as Element).closest<HTMLElement>('[data-delivery]');
    const isPlain =
      event.button === 0 && !event.ctrlKey && !event.metaKey && !event.shiftKey && !event.altKey;
    if (!link || !isPlain) return;
    event.preventDefault();
    open(link.dataset['delivery'] ?? '');
  };
  return (
    <>
      {/* biome-ignore lint/a11y: the links in the table are what is clicked; the columns stay the same when filters change */}
      <div onClick={openInPlace} className={common.tab}>
        <List list={list} columns={columns} endpoints={endpoints} isFiltered={isFiltered} onClear={onClear} />
      </div>
      {shown && (
        <DeliveryDialog
          key={shown.id}
          {...shown}
          known={list.found.find(({ id }) => id === shown.id)}
          endpoint={endpoints.find(({ id }) => id === shown.webhookId)}
          onClose={close}
        />
      )}
    </>
  );
}

interface ListProps extends Omit<DeliveryListProps, 'filters'> {
  list: ReturnType<typeof useDeliveries>;
  columns: ReturnType<typeof deliveryColumns>;
}

function List({ list, columns, endpoints, isFiltered, onClear }: ListProps) {
  const { pages, found, hasMore, isSearching } = list;
  if (pages.isPending) return <Skeleton rows={6} />;
  if (pages.data === undefined)
    return (
      <ErrorState error={pages.error} onRetry={() => void pages.refetch()} isRetrying={pages.isFetching} />
    );
  if (found.length === 0 && !hasMore && !isFiltered) return <NoDeliveries endpoints={endpoints} />;
  return (
    <>
      {found.length > 0 && (
        <Table label={words.deliveriesTab.label} columns={columns} rows={found} idOf={({ id }) => id} />
      )}
      {found.length === 0 && isSearching && <Skeleton rows={6} />}
      {found.length === 0 && !isSearching && (
        <EmptyState
          icon="search"
          title={words.deliveriesTab.noneFound.title}
          action={<Button onPress={onClear}>{words.deliveriesTab.filters.clear}</Button>}
        >
          <p>{hasMore ? words.deliveriesTab.noneFound.searchedText : words.deliveriesTab.noneFound.text}</p>
        </EmptyState>
      )}
      <ListEnd list={list} />
    </>
  );
}

/** How far the list goes, and the way on. */
function ListEnd({ list }: { list: ReturnType<typeof useDeliveries> }) {
  const { pages, found, isNarrow, hasMore, isSearching, searchedTo, more } = list;
  const goOn = isNarrow ? words.deliveriesTab.searchOn : words.shared.actions.loadMore;
  return (
    <div className={classes.end}>
      <p role="status" className={common.note}>
        {isSearching ? words.deliveriesTab.searching : words.deliveriesTab.found(found.length, hasMore)}
      </p>
      {hasMore && searchedTo !== undefined && (
        <p className={common.note}>
          {isNarrow ? words.deliveriesTab.searchedTo : words.deliveriesTab.shownTo} <Time at={searchedTo} />
        </p>
      )}
      {pages.isFetchNextPageError && <ErrorNotice error={pages.error} />}
      {hasMore && (
        <Button onPress={more} isPending={isSearching}>
          {pages.isFetchNextPageError ? words.shared.actions.retry : goOn}
        </Button>
      )}
    </div>
  );
}
