import * as z from 'zod';
import { operation } from '../api-contract/operation.ts';
import { ById } from '../api-contract/shapes.ts';
import {
  CreateWebhookBody,
  createWebhookOperation,
  EditWebhookBody,
  editWebhookOperation,
} from '../webhooks/endpoints/operations.ts';

/*
 * The operations behind the endpoints that are registered here: those of Herald, and a secret that the client chooses. They have no
 * routes of their own.
 */

/** Zernio signs with a secret that the client brings. */
const Secret = z.string().min(1).max(255).optional();

export const CreateZernioWebhookBody = CreateWebhookBody.extend({ secret: Secret }).meta({
  id: 'CreateZernioWebhook',
});
export const EditZernioWebhookBody = EditWebhookBody.extend({ secret: Secret }).meta({
  id: 'EditZernioWebhook',
});

export const createZernioWebhookOperation = operation({
  id: 'createZernioWebhook',
  handler: 'zernio',
  verb: 'webhook.create',
  method: 'POST',
  path: '/zernio/webhooks',
  summary: 'Register an endpoint that gets events in the form of Zernio',
  body: CreateZernioWebhookBody,
  replies: createWebhookOperation.replies,
  ...(createWebhookOperation.rights && { rights: createWebhookOperation.rights }),
  settings: ['PLAIN_HTTP_HOSTS'],
  timeoutSeconds: 20,
});

export const editZernioWebhookOperation = operation({
  id: 'updateZernioWebhook',
  handler: 'zernio',
  verb: 'webhook.edit',
  method: 'PATCH',
  path: '/zernio/webhooks/{id}',
  summary: 'Change such an endpoint',
  pathParameters: ById,
  body: EditZernioWebhookBody,
  replies: editWebhookOperation.replies,
  rights: { ...editWebhookOperation.rights, tokens: ['GenerateDataKey signing'] },
  settings: ['PLAIN_HTTP_HOSTS'],
  timeoutSeconds: 20,
});
