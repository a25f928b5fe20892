import * as z from 'zod';
import { Id } from '../../api-contract/fields.ts';
import { operation } from '../../api-contract/operation.ts';
import { ById, deletedReply, listQuery, pageReply } from '../../api-contract/shapes.ts';
import { isReadable, unreadableProblem } from '../../kernel/readable-names.ts';
import { WebhookSubscription, webhookLimits } from '../schemas.ts';
import { WebhookView, WebhookWithSecret } from '../views.ts';

const Url = z.string().min(1).max(webhookLimits.urlCharacters).meta({
  format: 'uri',
  description:
    '`https` to a public host, on port 443 or 8443. Redirects are not followed, so give the final URL',
});

const Events = z
  .array(WebhookSubscription)
  .min(1)
  .max(100)
  .meta({ description: 'The events that the endpoint receives; `*` means all. Duplicates are ignored' });

const AccountIds = z.array(Id).min(1).max(webhookLimits.accounts).nullable().meta({
  description:
    'Sends only events about one of these accounts of the workspace. An event about a post is about all of its accounts. null: events about any account',
});

const Description = z
  .string()
  .max(webhookLimits.descriptionCharacters)
  .refine(isReadable, unreadableProblem)
  .nullable();

export const CreateWebhookBody = z
  .object({
    url: Url,
    events: Events,
    accountIds: AccountIds.default(null),
    isActive: z.boolean().default(true),
    description: Description.default(null),
  })
  .meta({ id: 'CreateWebhook' });
export type CreateWebhookBody = z.infer<typeof CreateWebhookBody>;

export const EditWebhookBody = z
  .object({
    url: Url.optional(),
    events: Events.optional(),
    accountIds: AccountIds.optional(),
    isActive: z.boolean().optional().meta({
      description: '`true` turns a disabled endpoint on again. Events that it missed are not sent',
    }),
    description: Description.optional(),
  })
  .meta({ id: 'EditWebhook' });
export type EditWebhookBody = z.infer<typeof EditWebhookBody>;

const WebhookReply = z.object({ webhook: WebhookView });
const SecretReply = z.object({ webhook: WebhookWithSecret });
const unknown = 'No such webhook in this workspace';
/** The time limit of operations that resolve a URL: name servers have five seconds to respond. */
const withNameServersSeconds = 20;
const urlTaken = 'Another webhook of this workspace has this URL';

export const createWebhookOperation = operation({
  id: 'createWebhook',
  handler: 'webhooks/create',
  verb: 'webhook.create',
  method: 'POST',
  path: '/v1/webhooks',
  summary: 'Register an endpoint for webhooks',
  description:
    'At most 20 per workspace. Each event is sent as a POST with the JSON `{ id, type, createdAt, data }` and the header `X-Service-Signature: t=<unix seconds>,v1=<hex>`, where `v1` is the HMAC-SHA256 of `<t>.<raw body>` with the signing secret as key. An event may arrive more than once, and events may arrive in any order: use `id` to detect duplicates and `createdAt` for the order.',
  body: CreateWebhookBody,
  registersUrl: true,
  replies: {
    201: { description: 'The endpoint with its signing secret, which is shown only once', body: SecretReply },
  },
  refusals: { 409: urlTaken },
  rights: {
    reads: { BatchGetItem: ['WORKSPACE#'] },
    writes: { PutItem: ['WORKSPACE#'], UpdateItem: ['WORKSPACE#'] },
    tokens: ['GenerateDataKey signing'],
  },
  settings: ['PLAIN_HTTP_HOSTS'],
  timeoutSeconds: withNameServersSeconds,
});

export const listWebhooksOperation = operation({
  id: 'listWebhooks',
  handler: 'webhooks/list',
  verb: 'webhook.read',
  method: 'GET',
  path: '/v1/webhooks',
  summary: 'List the endpoints for webhooks',
  description: 'Returns all of them, unless `limit` is given.',
  query: listQuery({}),
  replies: pageReply('webhooks', WebhookView, 'The endpoints, oldest first'),
  rights: { reads: { Query: ['WORKSPACE#'] } },
});

export const readWebhookOperation = operation({
  id: 'getWebhook',
  handler: 'webhooks/read',
  verb: 'webhook.read',
  method: 'GET',
  path: '/v1/webhooks/{id}',
  summary: 'Read one endpoint',
  description: 'Shows whether its deliveries arrive, but not its signing secret.',
  pathParameters: ById,
  replies: { 200: { description: 'The endpoint', body: WebhookReply } },
  refusals: { 404: unknown },
  rights: { reads: { GetItem: ['WORKSPACE#'] } },
});

export const editWebhookOperation = operation({
  id: 'updateWebhook',
  handler: 'webhooks/edit',
  verb: 'webhook.edit',
  method: 'PATCH',
  path: '/v1/webhooks/{id}',
  summary: 'Change an endpoint, or turn it on or off',
  description:
    'Fields that are left out stay unchanged. While an endpoint is disabled, its events are not stored for it, and its pending deliveries fail when their next attempt is due.',
  pathParameters: ById,
  body: EditWebhookBody,
  replies: { 200: { description: 'The endpoint as it is now', body: WebhookReply } },
  refusals: { 404: unknown, 409: urlTaken },
  rights: {
    reads: { GetItem: ['WORKSPACE#'], BatchGetItem: ['WORKSPACE#'] },
    writes: { PutItem: ['WORKSPACE#'], UpdateItem: ['WORKSPACE#'], DeleteItem: ['WORKSPACE#'] },
  },
  settings: ['PLAIN_HTTP_HOSTS'],
  timeoutSeconds: withNameServersSeconds,
});

export const removeWebhookOperation = operation({
  id: 'deleteWebhook',
  handler: 'webhooks/delete',
  verb: 'webhook.delete',
  method: 'DELETE',
  path: '/v1/webhooks/{id}',
  summary: 'Delete an endpoint',
  description: 'It receives nothing more, and its delivery log is no longer available.',
  pathParameters: ById,
  replies: deletedReply,
  refusals: { 404: unknown, 409: 'Many requests are changing it at the same time' },
  rights: {
    reads: { GetItem: ['WORKSPACE#'] },
    writes: { UpdateItem: ['WORKSPACE#'], DeleteItem: ['WORKSPACE#'] },
  },
});

export const rotateSecretOperation = operation({
  id: 'rotateWebhookSecret',
  handler: 'webhooks/rotate-secret',
  verb: 'webhook.rotate-secret',
  method: 'POST',
  path: '/v1/webhooks/{id}/rotate-secret',
  summary: "Rotate an endpoint's signing secret",
  description:
    'For 24 hours the old and the new secret both sign: `t=…,v1=<new>,v1=<old>`. Accept a request if either is right. Another rotation within that time ends the older secret immediately.',
  pathParameters: ById,
  replies: {
    200: {
      description: 'The endpoint with its new signing secret, which is shown only once',
      body: SecretReply,
    },
  },
  refusals: { 404: unknown },
  rights: {
    reads: { GetItem: ['WORKSPACE#'] },
    writes: { UpdateItem: ['WORKSPACE#'] },
    tokens: ['GenerateDataKey signing'],
  },
});
