import * as z from 'zod';
import { operation } from '../../api-contract/operation.ts';
import { ById, deletedReply, listQuery, pageReply } from '../../api-contract/shapes.ts';
import { WebhookView, WebhookWithSecret } from '../views.ts';
import { CreateWebhookBody, EditWebhookBody } from './request-schemas.ts';

const WebhookReply = z.object({ webhook: WebhookView });
const SecretReply = z.object({ webhook: WebhookWithSecret });
const unknown = 'No such webhook in this workspace';
/** Where a URL is resolved: name servers are given five seconds. */
const withNameServersSeconds = 20;
const urlTaken = 'Another webhook of this workspace has this URL';

export const createWebhookOperation = operation({
  handler: 'webhooks/create',
  method: 'POST',
  path: '/v1/webhooks',
  summary: 'Register an endpoint for webhooks',
  description:
    'At most 20 a workspace. Each event is sent as a POST with the JSON `{ id, type, createdAt, data }` and the header `X-Service-Signature: t=<unix seconds>,v1=<hex>`: HMAC-SHA256 with the secret over `<t>.<raw body>`. An event may arrive more than once and events arrive in any order: go by `id` and `createdAt`.',
  body: CreateWebhookBody,
  replies: {
    201: { description: 'The endpoint with its secret, which is shown this once', body: SecretReply },
  },
  refusals: { 409: urlTaken },
  rights: { table: ['PutItem'], tokens: ['GenerateDataKey signing'] },
  settings: ['WEBHOOK_PLAIN_HTTP_HOSTS'],
  timeoutSeconds: withNameServersSeconds,
});

export const listWebhooksOperation = operation({
  handler: 'webhooks/list',
  method: 'GET',
  path: '/v1/webhooks',
  summary: 'List the endpoints for webhooks',
  description: 'All at once, unless `limit` is given.',
  query: listQuery({}),
  replies: pageReply('webhooks', WebhookView, 'The endpoints, oldest first'),
  rights: { table: ['Query'] },
});

export const readWebhookOperation = operation({
  handler: 'webhooks/read',
  method: 'GET',
  path: '/v1/webhooks/{id}',
  summary: 'Read one endpoint',
  pathParameters: ById,
  replies: { 200: { description: 'The endpoint', body: WebhookReply } },
  refusals: { 404: unknown },
});

export const editWebhookOperation = operation({
  handler: 'webhooks/edit',
  method: 'PATCH',
  path: '/v1/webhooks/{id}',
  summary: 'Change an endpoint, or turn it on or off',
  description:
    'What is left out stays as it is. While an endpoint is off its events are not kept for it, and what is pending ends as failed when its next attempt is due.',
  pathParameters: ById,
  body: EditWebhookBody,
  replies: { 200: { description: 'The endpoint as it is now', body: WebhookReply } },
  refusals: { 404: unknown, 409: urlTaken },
  rights: { table: ['PutItem', 'DeleteItem'] },
  settings: ['WEBHOOK_PLAIN_HTTP_HOSTS'],
  timeoutSeconds: withNameServersSeconds,
});

export const removeWebhookOperation = operation({
  handler: 'webhooks/delete',
  method: 'DELETE',
  path: '/v1/webhooks/{id}',
  summary: 'Delete an endpoint',
  description: 'It is sent nothing more, and its log is gone with it.',
  pathParameters: ById,
  replies: deletedReply,
  refusals: { 404: unknown, 409: 'It is being changed by many requests at once' },
  rights: { table: ['DeleteItem'] },
});

export const rotateSecretOperation = operation({
  handler: 'webhooks/rotate-secret',
  method: 'POST',
  path: '/v1/webhooks/{id}/rotate-secret',
  summary: 'Give an endpoint a new secret',
  description:
    'For 24 hours both sign, `t=…,v1=<new>,v1=<old>`: accept a request if one of them is right. Rotating again within that time ends the older secret at once.',
  pathParameters: ById,
  replies: {
    200: { description: 'The endpoint with its new secret, which is shown this once', body: SecretReply },
  },
  refusals: { 404: unknown },
  rights: { tokens: ['GenerateDataKey signing'] },
});
