import type { Context } from '../../api-contract/context.ts';
import { openCursor, sealCursor } from '../../table/cursor.ts';
import { deliveriesPartition, deliveryKey } from '../../table/keys.ts';
import { type Page, queryPage } from '../../table/query.ts';
import type { Table } from '../../table/table.ts';
import { getWebhook } from '../endpoints/read.ts';
import { Delivery, type DeliveryStatus } from '../schemas.ts';
import { type DeliveryView, toDeliveryView } from '../views.ts';
import { isKept } from './store.ts';

export interface DeliveryPage {
  readonly deliveries: Delivery[];
  /** The last delivery looked at, if there may be more. */
  readonly lastDeliveryId: string | undefined;
}

type Endpoint = Pick<Delivery, 'workspaceId' | 'webhookId'>;

/**
 * One page of an endpoint's deliveries, newest event first. One request, whatever their number.
 *
 * @param options.limit how many to look at; those of another status do not count as found
 * @param options.now epoch milliseconds: what has expired by then is left out
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
  return deliveryPage(found, now);
}

/**
 * One page of the failed deliveries of events since a time, oldest first.
 *
 * @param options.sinceMs epoch milliseconds; the id of a delivery begins with its event's time
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
  return deliveryPage(found, now);
}

const deliveryPage = ({ items, lastKey }: Page, now: number): DeliveryPage => ({
  deliveries: items.map((item) => Delivery.parse(item)).filter((delivery) => isKept(delivery, now)),
  lastDeliveryId: lastKey && String(lastKey['sk']),
});

/** Sorts before every id of that millisecond: such an id begins with its time in 48 bits (RFC 9562, section 5.7). */
function firstIdAt(epochMs: number): string {
  const digits = epochMs.toString(16).padStart(12, '0');
  return `${digits.slice(0, 8)}-${digits.slice(8)}`;
}

/**
 * The log of an endpoint, newest event first. A page may be shorter than `limit`: DynamoDB's page of 1 MB keeps the
 * answer below what Lambda may send.
 *
 * @throws HeraldError `not_found`, for a foreign endpoint too; `invalid` for a cursor that is not of this list
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
