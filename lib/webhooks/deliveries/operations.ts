import * as z from 'zod';
import { NextCursor, PathId } from '../../api-contract/fields.ts';
import { operation } from '../../api-contract/operation.ts';
import { ById, pageQuery, pageReply } from '../../api-contract/shapes.ts';
import { DeliveryStatus } from '../schemas.ts';
import { DeliveryView } from '../views.ts';
import { RedeliverFailedBody } from './request-schemas.ts';

const DeliveryReply = z.object({ delivery: DeliveryView });
const unknown = 'No such webhook in this workspace';
const disabled = 'The endpoint is disabled';

export const testWebhookOperation = operation({
  handler: 'webhooks/send-test',
  id: 'webhooks-test',
  method: 'POST',
  path: '/v1/webhooks/{id}/test',
  summary: 'Send an endpoint the event `webhook.test`',
  description: 'Whatever `events` says. What came of it stands in the log.',
  pathParameters: ById,
  replies: { 202: { description: 'The delivery, which is under way', body: DeliveryReply } },
  refusals: { 404: unknown, 409: disabled },
  rights: { table: ['ConditionCheckItem', 'PutItem'], sends: ['webhook'] },
});

export const listDeliveriesOperation = operation({
  handler: 'webhooks/deliveries',
  method: 'GET',
  path: '/v1/webhooks/{id}/deliveries',
  summary: "Read an endpoint's log, newest event first",
  description:
    'Of the last 30 days. A page may be shorter than `limit`; `nextCursor` says whether more follow.',
  pathParameters: ById,
  query: pageQuery({ status: DeliveryStatus.optional() }),
  replies: pageReply('deliveries', DeliveryView, 'A page of deliveries with their attempts'),
  refusals: { 404: unknown },
  rights: { table: ['Query'] },
});

export const redeliverOperation = operation({
  handler: 'webhooks/redeliver',
  method: 'POST',
  path: '/v1/webhooks/{id}/deliveries/{deliveryId}/redeliver',
  summary: 'Deliver an event to an endpoint once more',
  description: 'The same bytes under the same ids, with a fresh timestamp in the signature.',
  pathParameters: z.object({ id: PathId, deliveryId: PathId }),
  replies: { 202: { description: 'The delivery, which is under way', body: DeliveryReply } },
  refusals: {
    404: 'No such webhook in this workspace, or no such delivery of it',
    409: 'The delivery is pending, or the endpoint is disabled',
  },
  rights: { sends: ['webhook'] },
});

export const redeliverFailedOperation = operation({
  handler: 'webhooks/redeliver-failed',
  method: 'POST',
  path: '/v1/webhooks/{id}/redeliver-failed',
  summary: 'Deliver once more all that failed since a time',
  description: 'Oldest first, up to 1,000 a request: repeat it with `cursor` until `nextCursor` is null.',
  pathParameters: ById,
  body: RedeliverFailedBody,
  replies: {
    202: {
      description: 'How many deliveries are under way again',
      body: z.object({ redelivered: z.int(), nextCursor: NextCursor }),
    },
  },
  refusals: { 404: unknown, 409: disabled },
  rights: { table: ['Query'], sends: ['webhook'] },
  // A thousand writes and their messages: a whole processor's work for some seconds.
  memoryMegabytes: 1_769,
  timeoutSeconds: 29,
});
