import * as z from 'zod';
import { NextCursor, PathId } from '../../api-contract/fields.ts';
import { operation } from '../../api-contract/operation.ts';
import { ById, pageQuery, pageReply } from '../../api-contract/shapes.ts';
import { DeliveryStatus } from '../schemas.ts';
import { DeliveryView } from '../views.ts';

export const RedeliverFailedBody = z
  .object({
    since: z.iso
      .datetime({ offset: true, error: 'must be an ISO 8601 date-time, such as 2026-03-01T12:00:00Z' })
      .meta({ description: 'Redelivers events that happened at or after this time' }),
    cursor: z
      .string()
      .max(2_000)
      .optional()
      .meta({ description: 'The `nextCursor` of the response before, with the same `since`' }),
  })
  .meta({ id: 'RedeliverFailed' });
export type RedeliverFailedBody = z.infer<typeof RedeliverFailedBody>;

const DeliveryReply = z.object({ delivery: DeliveryView });
const unknown = 'No such webhook in this workspace';
const disabled = 'The endpoint is disabled';

export const testWebhookOperation = operation({
  id: 'testWebhook',
  handler: 'webhooks/send-test',
  verb: 'webhook.test',
  method: 'POST',
  path: '/v1/webhooks/{id}/test',
  summary: 'Send an endpoint the event `webhook.test`',
  description: 'Sent even if the endpoint does not subscribe to it. The result is in the delivery log.',
  pathParameters: ById,
  replies: { 202: { description: 'The delivery, now in progress', body: DeliveryReply } },
  refusals: { 404: unknown, 409: disabled },
  rights: {
    reads: { GetItem: ['WORKSPACE#'], ConditionCheckItem: ['WORKSPACE#'] },
    writes: { PutItem: ['EVENT#', 'DELIVERIES#'] },
    sends: ['webhook'],
  },
});

export const listDeliveriesOperation = operation({
  id: 'listWebhookDeliveries',
  handler: 'webhooks/deliveries',
  verb: 'webhook.read',
  method: 'GET',
  path: '/v1/webhooks/{id}/deliveries',
  summary: "Read an endpoint's delivery log, newest event first",
  description:
    'Covers the last 30 days, unless the operator of the service has set another time. A page may be shorter than `limit`; `nextCursor` says whether there are more.',
  pathParameters: ById,
  query: pageQuery({ status: DeliveryStatus.optional() }),
  replies: pageReply('deliveries', DeliveryView, 'A page of deliveries with their attempts'),
  refusals: { 404: unknown },
  rights: { reads: { GetItem: ['WORKSPACE#'], Query: ['DELIVERIES#'] } },
});

export const listAllDeliveriesOperation = operation({
  handler: 'webhooks/all-deliveries',
  id: 'listDeliveries',
  verb: 'webhook.read',
  method: 'GET',
  path: '/v1/deliveries',
  summary: 'Read the delivery logs of all endpoints together, newest event first',
  description:
    'Covers the last 30 days, unless the operator of the service has set another time, of the endpoints that exist now. A page may be shorter than `limit`; `nextCursor` says whether there are more.',
  query: pageQuery({ status: DeliveryStatus.optional() }),
  replies: pageReply('deliveries', DeliveryView, 'A page of deliveries with their attempts'),
  rights: { reads: { Query: ['WORKSPACE#', 'DELIVERIES#'] } },
});

export const redeliverOperation = operation({
  id: 'redeliverEvent',
  handler: 'webhooks/redeliver',
  verb: 'webhook.redeliver',
  method: 'POST',
  path: '/v1/webhooks/{id}/deliveries/{deliveryId}/redeliver',
  summary: 'Redeliver an event to an endpoint',
  description: 'Sends the same bytes with the same ids, and a new timestamp in the signature.',
  pathParameters: z.object({ id: PathId, deliveryId: PathId }),
  replies: { 202: { description: 'The delivery, now in progress', body: DeliveryReply } },
  refusals: {
    404: 'No such webhook in this workspace, or it has no such delivery',
    409: 'The delivery is pending, or the endpoint is disabled',
  },
  rights: {
    reads: { GetItem: ['WORKSPACE#', 'DELIVERIES#'] },
    writes: { UpdateItem: ['DELIVERIES#'] },
    sends: ['webhook'],
  },
});

export const redeliverFailedOperation = operation({
  id: 'redeliverFailedEvents',
  handler: 'webhooks/redeliver-failed',
  verb: 'webhook.redeliver',
  method: 'POST',
  path: '/v1/webhooks/{id}/redeliver-failed',
  summary: 'Redeliver everything that has failed since a time',
  description:
    'Oldest first, up to 1,000 per request. Repeat the request with `cursor` until `nextCursor` is null.',
  pathParameters: ById,
  body: RedeliverFailedBody,
  replies: {
    202: {
      description: 'Number of deliveries that are in progress again',
      body: z.object({ redelivered: z.int(), nextCursor: NextCursor }),
    },
  },
  refusals: { 404: unknown, 409: disabled },
  rights: {
    reads: { GetItem: ['WORKSPACE#'], Query: ['DELIVERIES#'] },
    writes: { UpdateItem: ['DELIVERIES#'] },
    sends: ['webhook'],
  },
  // A thousand writes and messages need a whole CPU for some seconds (1,769 MB is one vCPU).
  memoryMegabytes: 1_769,
  timeoutSeconds: 29,
});
