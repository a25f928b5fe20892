import { EmptyState } from '../../components/empty-state.tsx';
import { ErrorState } from '../../components/error-state.tsx';
import { ButtonLink } from '../../components/link.tsx';
import { Skeleton } from '../../components/skeleton.tsx';
import { useFilters } from '../../use-filters.ts';
import { words } from '../../words/words.ts';
import { DeliveryFilterBar } from './deliveries/delivery-filter-bar.tsx';
import { DeliveryList } from './deliveries/delivery-list.tsx';
import { RedeliverButton } from './deliveries/redeliver-button.tsx';
import { type DeliveryFilters, filterNames } from './deliveries/wanted.ts';
import classes from './developers.module.css';
import { useEndpoints } from './endpoints/endpoint.ts';

/** What was sent to all endpoints in the last 30 days. */
export default function DeliveriesTab() {
  const endpoints = useEndpoints();
  const filters = useFilters(filterNames);
  const key = JSON.stringify(filters.values);
  const wanted = JSON.parse(key) as DeliveryFilters;
  if (endpoints.isPending) return <Skeleton rows={6} />;
  if (endpoints.data === undefined)
    return (
      <ErrorState
        error={endpoints.error}
        onRetry={() => void endpoints.refetch()}
        isRetrying={endpoints.isFetching}
      />
    );
  const all = endpoints.data.webhooks;
  if (all.length === 0)
    return (
      <EmptyState
        icon="webhook"
        title={words.deliveriesTab.noEndpoint.title}
        action={
          <ButtonLink to="/developers/{-$tab}" params={{ tab: 'endpoints' }} icon="arrow">
            {words.deliveriesTab.noEndpoint.action}
          </ButtonLink>
        }
      >
        <p>{words.deliveriesTab.noEndpoint.text}</p>
      </EmptyState>
    );
  return (
    <div className={classes.tab}>
      <div className={classes.head}>
        <DeliveryFilterBar filters={filters} endpoints={all} />
        <RedeliverButton endpoint={all.find(({ id }) => id === wanted.endpoint)} />
      </div>
      <DeliveryList
        key={key}
        filters={wanted}
        endpoints={all}
        isFiltered={filters.isAny}
        onClear={filters.clear}
      />
    </div>
  );
}
