import { useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import type { testWebhookOperation } from '../../../webhooks/deliveries/operations.ts';
import { useSend } from '../../api/hooks.ts';
import { Button } from '../../components/button.tsx';
import { CodeBlock } from '../../components/code-block.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { Filter, FilterBar } from '../../components/filter-bar.tsx';
import { Muted, Row, Stack } from '../../components/layout.tsx';
import { ButtonLink } from '../../components/link.tsx';
import { Reading } from '../../components/reading.tsx';
import { Select } from '../../components/select.tsx';
import { Skeleton } from '../../components/skeleton.tsx';
import { type Column, Table } from '../../components/table.tsx';
import { TextField } from '../../components/text-field.tsx';
import { Time } from '../../components/time.tsx';
import { useCurl } from '../../curl.ts';
import { type Filters, useFilters } from '../../use-filters.ts';
import { words } from '../../words/words.ts';
import { useWorkspace } from '../../workspace.tsx';
import { type DeliveryFilters, filterNames, useDeliveries } from './deliveries.ts';
import {
  AttemptResult,
  type Delivery,
  DeliveryStatus,
  deliveryPaths,
  idInUrl,
  openParameter,
} from './delivery.tsx';
import { DeliveryDialog } from './delivery-dialog.tsx';
import classes from './developers.module.css';
import { type Endpoint, useEndpoints } from './endpoint.ts';
import { EndpointUrl } from './parts.tsx';
import { RedeliverDialog } from './redeliver-dialog.tsx';

/** The deliveries to all endpoints in the last 30 days. */
export default function DeliveriesTab() {
  const endpoints = useEndpoints();
  const filters = useFilters(filterNames);
  const key = JSON.stringify(filters.values);
  const wanted = JSON.parse(key) as DeliveryFilters;
  return (
    <Reading of={endpoints} rows={6}>
      {({ webhooks }) =>
        webhooks.length === 0 ? (
          <NoEndpoints />
        ) : (
          <Stack gap={5}>
            <Row gap={6} align="start" isSpread>
              <DeliveryFilterBar filters={filters} endpoints={webhooks} />
              <RedeliverButton endpoint={webhooks.find(({ id }) => id === wanted.endpoint)} />
            </Row>
            <DeliveryList
              key={key}
              filters={wanted}
              endpoints={webhooks}
              isFiltered={filters.isAny}
              onClear={filters.clear}
            />
          </Stack>
        )
      }
    </Reading>
  );
}

function NoEndpoints() {
  const texts = words.deliveriesTab.noEndpoint;
  return (
    <EmptyState
      icon="webhook"
      title={texts.title}
      action={
        <ButtonLink to="/developers/{-$tab}" params={{ tab: 'endpoints' }} icon="arrow">
          {texts.action}
        </ButtonLink>
      }
    >
      <p>{texts.text}</p>
    </EmptyState>
  );
}

interface DeliveryFilterBarProps {
  filters: Filters<(typeof filterNames)[number]>;
  endpoints: readonly Endpoint[];
}

const filterTexts = words.deliveriesTab.filters;

/** The filters of the deliveries. */
function DeliveryFilterBar({ filters, endpoints }: DeliveryFilterBarProps) {
  const { values, set, clear, isAny } = filters;
  return (
    <FilterBar>
      <Filter
        label={filterTexts.status}
        all={filterTexts.anyStatus}
        names={words.deliveriesTab.statuses}
        value={values.status}
        onChange={(status) => set({ status })}
      />
      <Filter
        label={filterTexts.type}
        all={filterTexts.anyType}
        names={Object.fromEntries(Object.keys(words.endpointsTab.descriptions).map((type) => [type, type]))}
        value={values.type}
        onChange={(type) => set({ type })}
      />
      <Filter
        label={filterTexts.endpoint}
        all={filterTexts.anyEndpoint}
        names={Object.fromEntries(endpoints.map(({ id, url }) => [id, url]))}
        value={values.endpoint}
        onChange={(endpoint) => set({ endpoint })}
      />
      <Filter
        label={filterTexts.period}
        names={filterTexts.periods}
        value={values.period}
        onChange={(period) => set({ period, from: '', to: '' })}
      />
      {values.period === 'days' && <Days from={values.from} to={values.to} onChange={set} />}
      {isAny && (
        <Button variant="quiet" icon="cross" onPress={clear}>
          {filterTexts.clear}
        </Button>
      )}
    </FilterBar>
  );
}

interface DaysProps {
  from: string;
  to: string;
  onChange: (days: { from?: string; to?: string }) => void;
}

function Days({ from, to, onChange }: DaysProps) {
  const { timezone } = useWorkspace();
  return (
    <Row as="fieldset" align="start" aria-label={filterTexts.zone(timezone)}>
      <TextField
        label={filterTexts.from(timezone)}
        type="date"
        value={from}
        onChange={(day) => onChange({ from: day })}
      />
      <TextField
        label={filterTexts.to(timezone)}
        type="date"
        value={to}
        onChange={(day) => onChange({ to: day })}
      />
    </Row>
  );
}

interface DeliveryListProps {
  filters: DeliveryFilters;
  endpoints: readonly Endpoint[];
  isFiltered: boolean;
  onClear: () => void;
}

/** The deliveries that fit, and the one that the URL opens. */
function DeliveryList({ filters, endpoints, isFiltered, onClear }: DeliveryListProps) {
  const list = useDeliveries(filters);
  const { shown, hrefOf, open, close } = useOpenDelivery(filters);
  const urls = new Map(endpoints.map(({ id, url }) => [id, url]));
  const columns = deliveryColumns({ urls, hrefOf, onOpen: open });
  return (
    <>
      <Stack gap={5}>
        <List list={list} columns={columns} endpoints={endpoints} isFiltered={isFiltered} onClear={onClear} />
      </Stack>
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
  if (pages.data === undefined) return <Reading of={pages} rows={6} />;
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

/** Says how far the list goes, and reads on. */
function ListEnd({ list }: { list: ReturnType<typeof useDeliveries> }) {
  const { pages, found, isNarrow, hasMore, isSearching, searchedTo, more } = list;
  const goOn = isNarrow ? words.deliveriesTab.searchOn : words.shared.actions.loadMore;
  return (
    <div className={classes.listEnd}>
      <Muted role="status">
        {isSearching ? words.deliveriesTab.searching : words.deliveriesTab.found(found.length, hasMore)}
      </Muted>
      {hasMore && searchedTo !== undefined && (
        <Muted>
          {isNarrow ? words.deliveriesTab.searchedTo : words.deliveriesTab.shownTo} <Time at={searchedTo} />
        </Muted>
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

interface Context {
  /** The URL of an endpoint by its id. */
  urls: ReadonlyMap<string, string>;
  hrefOf: (delivery: Delivery) => string;
  onOpen: (delivery: Delivery) => void;
}

/** Returns the columns of the list. */
function deliveryColumns({ urls, hrefOf, onOpen }: Context): readonly Column<Delivery>[] {
  const titles = words.deliveriesTab.columns;
  return [
    {
      id: 'event',
      title: titles.event,
      width: 'minmax(0, 1.1fr)',
      isRowHeader: true,
      cell: (delivery) => (
        <a
          className={classes.rowLink}
          href={hrefOf(delivery)}
          aria-haspopup="dialog"
          onClick={(event) => {
            // The page stays where it is, unless the person wants another tab.
            if (event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
            event.preventDefault();
            onOpen(delivery);
          }}
        >
          {delivery.type}
        </a>
      ),
    },
    {
      id: 'endpoint',
      title: titles.endpoint,
      width: 'minmax(0, 1.2fr)',
      cell: ({ webhookId }) => {
        const url = urls.get(webhookId);
        return url === undefined ? words.deliveriesTab.deletedEndpoint : <EndpointUrl url={url} isClamped />;
      },
    },
    { id: 'when', title: titles.when, cell: ({ createdAt }) => <Time at={createdAt} /> },
    {
      id: 'result',
      title: titles.result,
      width: 'minmax(0, 1.4fr)',
      cell: (delivery) => <LastAttempt delivery={delivery} />,
    },
    {
      id: 'status',
      title: titles.status,
      width: '6.5rem',
      cell: ({ status }) => <DeliveryStatus status={status} />,
    },
  ];
}

function LastAttempt({ delivery: { attempts, nextAttemptAt } }: { delivery: Delivery }) {
  const last = attempts.at(-1);
  return (
    <div className={classes.lines}>
      {last === undefined ? (
        <Muted as="span" size="m">
          {words.deliveriesTab.noAttempt}
        </Muted>
      ) : (
        <AttemptResult attempt={last} count={attempts.length} />
      )}
      {nextAttemptAt !== null && attempts.length > 0 && (
        <Muted as="span">
          {words.deliveriesTab.nextAt} <Time at={nextAttemptAt} />
        </Muted>
      )}
    </div>
  );
}

/** Offers a test event, if nothing was delivered yet. */
function NoDeliveries({ endpoints }: { endpoints: readonly Endpoint[] }) {
  const active = endpoints.filter(({ isActive }) => isActive);
  const [chosen, setChosen] = useState(active[0]?.id);
  const test = useSend<typeof testWebhookOperation>('POST', '/v1/webhooks/{id}/test', deliveryPaths);
  const curl = useCurl();
  const id = active.some((each) => each.id === chosen) ? chosen : active[0]?.id;
  const texts = words.deliveriesTab.empty;
  return (
    <>
      <EmptyState
        icon="webhook"
        title={texts.title}
        action={
          id !== undefined && (
            <div className={classes.offer}>
              {active.length > 1 && (
                <Select
                  label={words.deliveriesTab.columns.endpoint}
                  isLabelHidden
                  choices={active.map(({ id, url }) => ({ id, name: url }))}
                  selectedKey={id}
                  onSelectionChange={(each) => setChosen(String(each))}
                />
              )}
              <Button
                variant="primary"
                isPending={test.isPending}
                onPress={() => test.mutate({ path: { id } })}
              >
                {texts.action}
              </Button>
            </div>
          )
        }
      >
        <p>{texts.text}</p>
      </EmptyState>
      {test.error && <ErrorNotice error={test.error} />}
      <CodeBlock
        label={words.developersPage.curl.label}
        code={curl({ method: 'POST', path: `/v1/webhooks/${id ?? endpoints[0]?.id}/test` })}
        copyLabel={words.developersPage.curl.copy}
      />
    </>
  );
}

/** Offers to send again what has failed, if one endpoint is chosen. */
function RedeliverButton({ endpoint }: { endpoint: Endpoint | undefined }) {
  const [isOpen, setOpen] = useState(false);
  if (!endpoint?.isActive) return null;
  return (
    <>
      <Button icon="refresh" onPress={() => setOpen(true)}>
        {words.deliveriesTab.redeliverAll}
      </Button>
      {isOpen && <RedeliverDialog endpoint={endpoint} onClose={() => setOpen(false)} />}
    </>
  );
}

/** The delivery that is open. It is in the URL beside the filters, so that a link opens it. */
function useOpenDelivery(filters: DeliveryFilters) {
  const search = useSearch({ strict: false }) as Readonly<Record<string, unknown>>;
  const navigate = useNavigate();
  const kept = Object.fromEntries(Object.entries(filters).filter(([, value]) => value !== ''));
  const value = search[openParameter];
  const [webhookId = '', id = ''] = typeof value === 'string' ? value.split('.') : [];
  const go = (next: Readonly<Record<string, string>>, replace: boolean) =>
    void navigate({ to: '.', search: next as never, replace, resetScroll: false });
  const hrefOf = (delivery: Pick<Delivery, 'webhookId' | 'id'>) =>
    `?${new URLSearchParams({ ...kept, [openParameter]: idInUrl(delivery) })}`;
  return {
    shown: id === '' ? undefined : { webhookId, id },
    hrefOf,
    open: (delivery: Delivery) => go({ ...kept, [openParameter]: idInUrl(delivery) }, false),
    close: () => go(kept, true),
  };
}
