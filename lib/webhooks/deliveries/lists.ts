import { QueryCommand } from '@aws-sdk/lib-dynamodb';
import { deliveriesPartition, deliveryKey } from '../../table/keys.ts';
import type { Table } from '../../table/table.ts';
import { Delivery } from '../schemas.ts';
import { isKept } from './store.ts';

export interface DeliveryPage {
  readonly deliveries: Delivery[];
  /** The last delivery looked at, where there may be more. */
  readonly lastDeliveryId: string | undefined;
}

/**
 * One page of an endpoint's deliveries, newest event first. One request, whatever their number.
 *
 * @param options.limit how many to look at; those of another status do not count as found
 * @param options.now epoch milliseconds: what has expired by then is left out
 */
export async function queryDeliveries(
  table: Table,
  endpoint: { readonly workspaceId: string; readonly webhookId: string },
  options: {
    status?: Delivery['status'] | undefined;
    limit: number;
    afterDeliveryId?: string | undefined;
    now: number;
  },
): Promise<DeliveryPage> {
  return queryPage(table, endpoint, options, { ScanIndexForward: false, Limit: options.limit });
}

/**
 * One page of the failed deliveries of events since a time, oldest first.
 *
 * @param options.sinceMs epoch milliseconds; the id of a delivery begins with its event's time
 */
export async function queryFailedDeliveries(
  table: Table,
  endpoint: { readonly workspaceId: string; readonly webhookId: string },
  options: { sinceMs: number; afterDeliveryId?: string | undefined; now: number },
): Promise<DeliveryPage> {
  return queryPage(table, endpoint, { ...options, status: 'failed' }, { ScanIndexForward: true });
}

async function queryPage(
  table: Table,
  endpoint: { readonly workspaceId: string; readonly webhookId: string },
  options: {
    status?: Delivery['status'] | undefined;
    sinceMs?: number;
    afterDeliveryId?: string | undefined;
    now: number;
  },
  way: { ScanIndexForward: boolean; Limit?: number },
): Promise<DeliveryPage> {
  const { status, sinceMs, afterDeliveryId, now } = options;
  const { Items = [], LastEvaluatedKey } = await table.client.send(
    new QueryCommand({
      TableName: table.name,
      KeyConditionExpression: `pk = :partition${sinceMs === undefined ? '' : ' AND sk >= :first'}`,
      ...(status && {
        FilterExpression: '#status = :status',
        ExpressionAttributeNames: { '#status': 'status' },
      }),
      ExpressionAttributeValues: {
        ':partition': deliveriesPartition(endpoint.workspaceId, endpoint.webhookId),
        ...(sinceMs !== undefined && { ':first': firstIdAt(sinceMs) }),
        ...(status && { ':status': status }),
      },
      ExclusiveStartKey: afterDeliveryId ? deliveryKey({ ...endpoint, id: afterDeliveryId }) : undefined,
      ConsistentRead: true,
      ...way,
    }),
  );
  return {
    deliveries: Items.map((item) => Delivery.parse(item)).filter((delivery) => isKept(delivery, now)),
    lastDeliveryId: LastEvaluatedKey && String(LastEvaluatedKey['sk']),
  };
}

/** Sorts before every id of that millisecond: such an id begins with its time in 48 bits (RFC 9562, section 5.7). */
function firstIdAt(epochMs: number): string {
  const digits = epochMs.toString(16).padStart(12, '0');
  return `${digits.slice(0, 8)}-${digits.slice(8)}`;
}
