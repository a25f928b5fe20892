import type { Context } from '../../api-contract/context.ts';
import { firstIdAt } from '../../kernel/ids.ts';
import { replyBytes, takeWhileWithin } from '../../kernel/take-while.ts';
import { type CursorScope, openCursor, sealCursor } from '../../table/cursor.ts';
import { deliveriesPartition, deliveryKey } from '../../table/keys.ts';
import { type Page, queryPage } from '../../table/query.ts';
import { readableItems } from '../../table/readable.ts';
import type { Table } from '../../table/table.ts';
import { getWebhook } from '../endpoints/read.ts';
import { queryWebhooks } from '../endpoints/store.ts';
import { Delivery, type DeliveryStatus } from '../schemas.ts';
import { type DeliveryView, toDeliveryView } from '../views.ts';
import { isKept } from './store.ts';

export interface DeliveryPage {
  readonly deliveries: Delivery[];
  /** The last delivery read, if there may be more. */
  readonly lastDeliveryId: string | undefined;
}

type Endpoint = Pick<Delivery, 'workspaceId' | 'webhookId'>;

/**
 * Reads one page of an endpoint's deliveries, newest event first, in one request.
 *
 * @param options.limit the number to read; deliveries with another status count too
 * @param options.now epoch milliseconds; deliveries that have expired by then are left out
 */
export async function queryDeliveries(
  table: Table,
  { workspaceId, webhookId }: Endpoint,
  options: {
    status?: DeliveryStatus | undefined;
    limit: number;
    afterDeliveryId?: string | undefined;
    now: number;
  },
): Promise<DeliveryPage> {
  const { status, limit, afterDeliveryId: id, now } = options;
  const found = await queryPage(table, {
    partition: deliveriesPartition(workspaceId, webhookId),
    filter: status && { status },
    after: id ? deliveryKey({ workspaceId, webhookId, id }) : undefined,
    descending: true,
    limit,
  });
  return deliveryPage(table, found, now);
}

/**
 * Reads one page of the failed deliveries of events since a time, oldest first.
 *
 * @param options.sinceMs epoch milliseconds; a delivery's id begins with its event's time
 */
export async function queryFailedDeliveries(
  table: Table,
  { workspaceId, webhookId }: Endpoint,
  options: { sinceMs: number; afterDeliveryId?: string | undefined; now: number },
): Promise<DeliveryPage> {
  const { sinceMs, afterDeliveryId: id, now } = options;
  const found = await queryPage(table, {
    partition: deliveriesPartition(workspaceId, webhookId),
    sort: { atLeast: firstIdAt(sinceMs) },
    filter: { status: 'failed' },
    after: id ? deliveryKey({ workspaceId, webhookId, id }) : undefined,
  });
  return deliveryPage(table, found, now);
}

/** The minimum number read per endpoint, so that each page has at least this many deliveries if there are more. */
const leastPerEndpoint = 10;

/**
 * The size limit for the deliveries in one reply, below the 6 MB of a synchronous reply (Lambda quotas, "Invocation payload").
 */
const maxResponseBytes = 4_000_000;

/**
 * Returns the delivery logs of all endpoints together, newest event first: at most 20 requests per page, one for each endpoint. A
 * page ends at the newest position up to which all logs have been read, so it may be shorter than `limit`.
 *
 * @throws HeraldError `invalid` for a cursor of another list
 */
export async function listAllDeliveries(
  { table, workspaceId, cursorSecret, now }: Context,
  query: { status?: DeliveryStatus | undefined; limit: number; cursor?: string | undefined },
): Promise<{ deliveries: DeliveryView[]; nextCursor: string | null }> {
  const { status, limit } = query;
  const scope = { secret: cursorSecret, listing: 'all deliveries', filters: { status } };
  const before = query.cursor === undefined ? undefined : openCursor(scope, query.cursor);
  const { webhooks } = await queryWebhooks(table, workspaceId, {});
  // A filter by status leaves most deliveries out, so each log is read further.
  const share = status === undefined ? Math.ceil(limit / webhooks.length) : limit;
  const each = Math.min(limit, Math.max(leastPerEndpoint, share));
  const pages = await Promise.all(
    webhooks.map(async ({ id }) => {
      const found = await queryPage(table, {
        partition: deliveriesPartition(workspaceId, id),
        sort: before === undefined ? undefined : { before },
        filter: status && { status },
        descending: true,
        limit: each,
        isEventual: true,
      });
      return deliveryPage(table, found, now);
    }),
  );
  return mergePages(pages, limit, scope);
}

function mergePages(pages: readonly DeliveryPage[], limit: number, scope: CursorScope) {
  const readTo = pages.flatMap(({ lastDeliveryId }) => lastDeliveryId ?? []);
  const newestEnd = readTo.reduce((newest, id) => (id > newest ? id : newest), '');
  const merged = pages
    .flatMap(({ deliveries }) => deliveries)
    .filter(({ id }) => id >= newestEnd)
    .sort((left, right) => (left.id < right.id ? 1 : -1));
  const deliveries = takeWhileWithin(
    merged.slice(0, limit).map(toDeliveryView),
    maxResponseBytes,
    replyBytes,
  );
  const last = merged.length > deliveries.length ? deliveries.at(-1)?.id : newestEnd;
  return { deliveries: [...deliveries], nextCursor: last ? sealCursor(scope, last) : null };
}

const deliveryPage = (table: Table, { items, lastKey }: Page, now: number): DeliveryPage => ({
  deliveries: readableItems(table, items, (item) => Delivery.parse(item)).filter((delivery) =>
    isKept(delivery, now),
  ),
  lastDeliveryId: lastKey && String(lastKey['sk']),
});

/**
 * Returns an endpoint's delivery log, newest event first. A page may be shorter than `limit`: DynamoDB's page of 1 MB keeps the
 * response below Lambda's limit.
 *
 * @throws HeraldError `not_found`, also for another workspace's endpoint; `invalid` for a cursor of another list
 */
export async function listDeliveries(
  context: Context,
  webhookId: string,
  query: { status?: DeliveryStatus | undefined; limit: number; cursor?: string | undefined },
): Promise<{ deliveries: DeliveryView[]; nextCursor: string | null }> {
  const { table, workspaceId, cursorSecret, now } = context;
  await getWebhook(context, webhookId);
  const { status, limit } = query;
  const scope = { secret: cursorSecret, listing: 'deliveries', filters: { webhookId, status } };
  const afterDeliveryId = query.cursor === undefined ? undefined : openCursor(scope, query.cursor);
  const endpoint = { workspaceId, webhookId };
  const page = await queryDeliveries(table, endpoint, { status, limit, afterDeliveryId, now });
  return {
    deliveries: page.deliveries.map(toDeliveryView),
    nextCursor: page.lastDeliveryId === undefined ? null : sealCursor(scope, page.lastDeliveryId),
  };
}
