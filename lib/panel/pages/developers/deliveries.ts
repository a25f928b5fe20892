import { useEffect, useState } from 'react';
import type {
  listAllDeliveriesOperation,
  listDeliveriesOperation,
} from '../../../webhooks/deliveries/operations.ts';
import { usePages } from '../../api/hooks.ts';
import { addDays, startOfDay } from '../../time.ts';
import { useWorkspace } from '../../workspace.tsx';
import { type Delivery, isMoving } from './delivery.tsx';

/** The number of deliveries to find before the person is asked whether to go on, and the requests that may take. */
const step = { found: 100, requests: 10 };
const minuteMs = 60_000;

/**
 * Reads the deliveries that fit, newest event first. The API filters by status and endpoint; the rest is filtered here, so it may take
 * several pages to find some.
 */
export function useDeliveries(filters: DeliveryFilters) {
  const { timezone } = useWorkspace();
  const [limits, setLimits] = useState(step);
  const { status, endpoint, type, period } = filters;
  /** True if deliveries are left out here: then the list has what was found so far. */
  const isNarrow = type !== '' || period !== '';
  const query = {
    ...(status !== '' && { status: status as Delivery['status'] }),
    limit: isNarrow ? '500' : '100',
  };
  const refetchEveryMs = (page: { readonly deliveries: readonly Delivery[] } | undefined) =>
    page?.deliveries.some((each) => isMoving(each, Date.now())) ? 5_000 : 15_000;
  const all = usePages<typeof listAllDeliveriesOperation>(
    '/v1/deliveries',
    { query },
    { isEnabled: endpoint === '', refetchEveryMs },
  );
  const one = usePages<typeof listDeliveriesOperation>(
    '/v1/webhooks/{id}/deliveries',
    { path: { id: endpoint }, query },
    { isEnabled: endpoint !== '', refetchEveryMs },
  );
  const pages = endpoint === '' ? all : one;
  const minute = Math.floor(Date.now() / minuteMs);
  const span = spanOf(filters, timezone, minute * minuteMs);
  const read = pages.data?.pages.flatMap(({ deliveries }) => deliveries) ?? [];
  const found = read.filter((each) => isWanted(each, filters, span));

  const last = read.at(-1);
  const hasMore = pages.hasNextPage && (last === undefined || Date.parse(last.createdAt) >= span.fromMs);
  const requests = pages.data?.pages.length ?? 0;
  const goesOn =
    hasMore &&
    requests > 0 &&
    requests < limits.requests &&
    found.length < limits.found &&
    !pages.isFetchNextPageError;
  const { isFetching, fetchNextPage } = pages;
  useEffect(() => {
    if (goesOn && !isFetching) void fetchNextPage();
  }, [goesOn, isFetching, fetchNextPage]);
  const more = () => {
    setLimits({ found: found.length + step.found, requests: requests + step.requests });
    if (pages.isFetchNextPageError) void fetchNextPage();
  };
  return {
    pages,
    found,
    isNarrow,
    hasMore,
    isSearching: goesOn || pages.isFetchingNextPage,
    searchedTo: last?.createdAt,
    more,
  };
}

export const filterNames = ['status', 'type', 'endpoint', 'period', 'from', 'to'] as const;
export type DeliveryFilters = Readonly<Record<(typeof filterNames)[number], string>>;

const hourMs = 3_600_000;
const periodsMs: Readonly<Record<string, number>> = { '1h': hourMs, '24h': 24 * hourMs, '7d': 168 * hourMs };
const day = /^\d{4}-\d\d-\d\d$/;

/** A span of time, without its end. Epoch milliseconds. */
interface Span {
  readonly fromMs: number;
  readonly toMs: number;
}

/**
 * The time that the filters allow.
 *
 * @param now epoch milliseconds
 */
export function spanOf({ period, from, to }: DeliveryFilters, timeZone: string, now: number): Span {
  const lastMs = periodsMs[period];
  if (lastMs !== undefined) return { fromMs: now - lastMs, toMs: Infinity };
  const isDays = period === 'days';
  return {
    fromMs: isDays && day.test(from) ? startOfDay(from, timeZone).getTime() : -Infinity,
    toMs: isDays && day.test(to) ? startOfDay(addDays(to, 1), timeZone).getTime() : Infinity,
  };
}

/** Returns true if a delivery fits the filters that the API lacks. */
export function isWanted(delivery: Delivery, { type }: DeliveryFilters, { fromMs, toMs }: Span): boolean {
  const at = Date.parse(delivery.createdAt);
  return (type === '' || delivery.type === type) && at >= fromMs && at < toMs;
}
