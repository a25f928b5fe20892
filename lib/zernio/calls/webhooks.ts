import type { ReplyOf } from '../../api-contract/operation-request.ts';
import { HeraldError, invalidField } from '../../kernel/errors.ts';
import {
  listAllDeliveriesOperation,
  listDeliveriesOperation,
  redeliverOperation,
  testWebhookOperation,
} from '../../webhooks/deliveries/operations.ts';
import { listWebhooksOperation, removeWebhookOperation } from '../../webhooks/endpoints/operations.ts';
import { fieldsOf, notInHerald, ok, wholeNumber, type ZernioCall } from '../call.ts';
import { theirEvent } from '../events.ts';
import { type FieldName, inTheirFields, namedBy } from '../fields.ts';
import { eventNames, toOurs, toTheirs, webhookNames } from '../names.ts';
import { createZernioWebhookOperation, editZernioWebhookOperation } from '../webhooks.ts';

type Endpoint = ReplyOf<typeof listWebhooksOperation>['webhooks'][number];
type Delivery = ReplyOf<typeof listAllDeliveriesOperation>['deliveries'][number];
type Fields = Readonly<Record<string, unknown>>;

function toWebhook(endpoint: Endpoint): Record<string, unknown> {
  const events = endpoint.events.includes('*')
    ? eventNames.map(([theirs]) => theirs)
    : endpoint.events.map((event) => theirEvent(event));
  return { ...toTheirs(webhookNames, endpoint), events: [...new Set(events)] };
}

/** Returns the body of Herald's request. @throws HeraldError `not_in_herald` for what Herald would not do */
function toBody(call: string, body: Fields): Record<string, unknown> {
  const { events, customHeaders, disabledResourceGroups, webhookId: _, _id, id: __, ...fields } = body;
  if (hasEntries(customHeaders)) throw notInHerald(`${call} with customHeaders`);
  if (hasEntries(disabledResourceGroups)) throw notInHerald(`${call} with disabledResourceGroups`);
  return {
    ...toOurs(webhookNames, fields),
    ...(events !== undefined && { events: Array.isArray(events) ? events.flatMap(ourEvents) : events }),
  };
}

const hasEntries = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && Object.keys(value).length > 0;

/** Returns Herald's events of one of Zernio's. @throws HeraldError `not_in_herald` if Herald never sends it */
function ourEvents(event: unknown): readonly string[] {
  if (typeof event !== 'string') throw invalidField('events', 'must be names of events', 'field_type');
  const found = eventNames.flatMap(([theirs, ours]) => (theirs === event ? [ours] : []));
  if (found.length === 0) throw notInHerald(`the event ${event.slice(0, 60)}`);
  return found;
}

/** An event of Zernio may be several of Herald's, so an index would be wrong. */
const fieldOfWebhook: FieldName = (field) =>
  field.startsWith('events[') ? 'events' : namedBy(webhookNames)(field);

/** Returns the id that a request gives under one of its names. */
function idOf(fields: Fields, ...names: readonly string[]): string {
  const found = names.map((name) => fields[name]).find((value) => value !== undefined);
  if (typeof found === 'string' && found !== '') return found;
  throw invalidField(names[0] ?? 'id', 'must be the id of a webhook', 'field_required');
}

const listWebhooks: ZernioCall = {
  name: 'getWebhookSettings',
  route: 'GET /v1/webhooks/settings',
  operations: [listWebhooksOperation],
  run: async ({ call }) => {
    const { webhooks } = await call(listWebhooksOperation, {});
    return ok({ webhooks: webhooks.map(toWebhook) });
  },
};

const createWebhook: ZernioCall = {
  name: 'createWebhookSettings',
  route: 'POST /v1/webhooks/settings',
  operations: [createZernioWebhookOperation],
  run: async ({ call }, request) => {
    const body = toBody('createWebhookSettings', fieldsOf(request));
    const { webhook } = await inTheirFields(call(createZernioWebhookOperation, { body }), fieldOfWebhook);
    return ok({ success: true, webhook: { ...toWebhook(webhook), secret: webhook.secret } });
  },
};

const editWebhook: ZernioCall = {
  name: 'updateWebhookSettings',
  route: 'PUT /v1/webhooks/settings',
  operations: [editZernioWebhookOperation],
  run: async ({ call }, request) => {
    const fields = fieldsOf(request);
    const id = idOf(fields, '_id', 'webhookId', 'id');
    const body = toBody('updateWebhookSettings', fields);
    const { webhook } = await inTheirFields(
      call(editZernioWebhookOperation, { path: { id }, body }),
      fieldOfWebhook,
    );
    return ok({ success: true, webhook: toWebhook(webhook) });
  },
};

const removeWebhook: ZernioCall = {
  name: 'deleteWebhookSettings',
  route: 'DELETE /v1/webhooks/settings',
  operations: [removeWebhookOperation],
  run: async ({ call }, { query }) => {
    await call(removeWebhookOperation, { path: { id: idOf(query, 'id', 'webhookId', '_id') } });
    return ok({ success: true });
  },
};

const testWebhook: ZernioCall = {
  name: 'testWebhook',
  route: 'POST /v1/webhooks/test',
  operations: [testWebhookOperation],
  run: async ({ call }, request) => {
    const id = idOf(fieldsOf(request), 'webhookId', '_id', 'id');
    await call(testWebhookOperation, { path: { id } });
    return ok({ success: true, message: 'The test is on its way; GET /v1/webhooks/logs shows its result' });
  },
};

/** The deliveries that one request looks through. */
const mostDeliveries = 500;

const listLogs: ZernioCall = {
  name: 'getWebhookLogs',
  route: 'GET /v1/webhooks/logs',
  operations: [listDeliveriesOperation, listAllDeliveriesOperation, listWebhooksOperation],
  run: async ({ call }, request) => {
    const { webhookId, event, eventId, status } = request.query;
    const limit = wholeNumber(request, 'limit', { least: 1, most: 100, fallback: 50 });
    const skip = wholeNumber(request, 'skip', { least: 0, most: 400, fallback: 0 });
    const query = { status: statusOf(status), limit: String(mostDeliveries) };
    const [{ webhooks }, { deliveries, nextCursor }] = await Promise.all([
      call(listWebhooksOperation, {}),
      webhookId
        ? call(listDeliveriesOperation, { path: { id: webhookId }, query })
        : call(listAllDeliveriesOperation, { query }),
    ]);
    const endpoints = new Map(webhooks.map((endpoint) => [endpoint.id, endpoint]));
    const found = deliveries
      .filter(({ attempts }) => attempts.length > 0)
      .filter((delivery) => !eventId || delivery.eventId === eventId)
      .filter((delivery) => !event || theirEvent(delivery.type) === event);
    const logs = found
      .slice(skip, skip + limit)
      .map((delivery) => toLog(delivery, endpoints.get(delivery.webhookId)));
    const hasMore = nextCursor !== null || found.length > skip + limit;
    const total = nextCursor === null ? found.length : Math.max(found.length, skip + limit + 1);
    return ok({ logs, pagination: { total, limit, skip, pages: Math.ceil(total / limit), hasMore } });
  },
};

function statusOf(status: string | undefined): string | undefined {
  if (!status) return undefined;
  if (status === 'success') return 'delivered';
  if (status === 'failed') return 'failed';
  throw invalidField('status', 'must be success or failed', 'field_unknown_value');
}

/** The last attempt of a delivery, in Zernio's form. */
function toLog({ webhookId, eventId, type, attempts }: Delivery, endpoint: Endpoint | undefined) {
  const last = attempts.at(-1);
  return {
    webhookId,
    ...(endpoint && { webhookName: endpoint.description ?? '', url: endpoint.url }),
    eventId,
    event: theirEvent(type),
    status: last?.error === null ? 'success' : 'failed',
    ...(last && last.statusCode !== null && { statusCode: last.statusCode }),
    ...(last && last.responseStart !== null && { responseBody: last.responseStart }),
    ...(last && last.error !== null && { errorMessage: last.error }),
    attemptNumber: attempts.length,
    ...(last && { responseTime: last.latencyMs, createdAt: last.at }),
  };
}

const redeliver: ZernioCall = {
  name: 'redeliverWebhookEvent',
  route: 'POST /v1/webhooks/logs/redeliver',
  operations: [listDeliveriesOperation, redeliverOperation],
  run: async ({ call }, request) => {
    const fields = fieldsOf(request);
    const id = idOf(fields, 'webhookId');
    const { eventId } = fields;
    if (typeof eventId !== 'string') throw invalidField('eventId', 'is required', 'field_required');
    const { deliveries } = await call(listDeliveriesOperation, {
      path: { id },
      query: { limit: String(mostDeliveries) },
    });
    const delivery = deliveries.find((each) => each.eventId === eventId);
    if (!delivery)
      throw new HeraldError('not_found', 'eventId: not among the latest deliveries of this webhook');
    // A delivery that is still tried arrives without this request.
    if (delivery.status !== 'pending')
      await call(redeliverOperation, { path: { id, deliveryId: delivery.id } });
    return ok({ success: true, message: 'The event is on its way again' });
  },
};

export const webhookCalls: readonly ZernioCall[] = [
  ...[listWebhooks, createWebhook, editWebhook, removeWebhook],
  ...[testWebhook, listLogs, redeliver],
];
