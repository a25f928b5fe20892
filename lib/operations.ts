import * as z from 'zod';
import {
  disconnectAccountOperation,
  listAccountsOperation,
  readAccountOperation,
} from './accounts/operations.ts';
import { type Operation, operation } from './api-contract/operation.ts';
import {
  platformWebhookOperation,
  verifyPlatformWebhookOperation,
} from './automations/inbound/operations.ts';
import {
  createAutomationOperation,
  editAutomationOperation,
  listAutomationsOperation,
  readAutomationOperation,
  removeAutomationOperation,
} from './automations/operations.ts';
import {
  authorizationCallbackOperation,
  makeChoiceOperation,
  showChoiceOperation,
} from './connections/browser-operations.ts';
import { beginConnectionOperation } from './connections/operations.ts';
import { redirectHeadOperation, redirectOperation } from './links/operations.ts';
import {
  deleteMediaOperation,
  listMediaOperation,
  presignMediaOperation,
  readMediaOperation,
} from './media/operations.ts';
import {
  listPostsOperation,
  readPostOperation,
  readTimelineOperation,
  removePostOperation,
  retryPostOperation,
} from './posts/operations.ts';
import { createPostOperation, editPostOperation, validatePostOperation } from './posts/request-operations.ts';
import { readRhythmOperation, setRhythmOperation } from './rhythm/operations.ts';
import {
  listDeliveriesOperation,
  redeliverFailedOperation,
  redeliverOperation,
  testWebhookOperation,
} from './webhooks/deliveries/operations.ts';
import {
  createWebhookOperation,
  editWebhookOperation,
  listWebhooksOperation,
  readWebhookOperation,
  removeWebhookOperation,
  rotateSecretOperation,
} from './webhooks/endpoints/operations.ts';
import { readWorkspaceOperation } from './workspaces/operations.ts';

export const openApiOperation = operation({
  id: 'openapi',
  method: 'GET',
  path: '/v1/openapi.json',
  summary: 'This document',
  access: 'rate-limited',
  replies: { 200: { description: 'OpenAPI 3.1', body: z.looseObject({ openapi: z.string() }) } },
});

export const healthOperation = operation({
  id: 'health',
  method: 'GET',
  path: '/health',
  summary: 'Whether the service answers',
  access: 'public',
  replies: { 200: { description: 'It does', body: z.object({ status: z.literal('ok') }) } },
});

export const docsOperation = operation({
  id: 'docs',
  method: 'GET',
  path: '/docs',
  summary: 'This document, for people',
  access: 'public',
  replies: { 200: { description: 'A page', body: z.string(), bodyType: 'text/html' } },
});

export const docsAssetOperation = operation({
  id: 'docs-asset',
  method: 'GET',
  path: '/docs/assets/{file}',
  summary: 'What the page loads',
  description: 'Each name holds a digest of what it names, so caches may keep it for good.',
  access: 'public',
  pathParameters: z.object({ file: z.string() }),
  replies: { 200: { description: 'A script or a style sheet', body: z.string(), bodyType: 'text/*' } },
  refusals: { 404: 'No such file' },
});

/** Every operation whose requests are parsed by its schemas, in the order of the document. */
export const operations: readonly Operation[] = [
  readWorkspaceOperation,
  listAccountsOperation,
  readAccountOperation,
  disconnectAccountOperation,
  readRhythmOperation,
  setRhythmOperation,
  beginConnectionOperation,
  presignMediaOperation,
  listMediaOperation,
  readMediaOperation,
  deleteMediaOperation,
  createPostOperation,
  validatePostOperation,
  listPostsOperation,
  readPostOperation,
  editPostOperation,
  removePostOperation,
  retryPostOperation,
  readTimelineOperation,
  createWebhookOperation,
  listWebhooksOperation,
  readWebhookOperation,
  editWebhookOperation,
  removeWebhookOperation,
  rotateSecretOperation,
  testWebhookOperation,
  listDeliveriesOperation,
  redeliverOperation,
  redeliverFailedOperation,
  createAutomationOperation,
  listAutomationsOperation,
  readAutomationOperation,
  editAutomationOperation,
  removeAutomationOperation,
  redirectOperation,
  openApiOperation,
  healthOperation,
];

/** All that the document describes: those, and routes for browsers and platforms, whose handlers read requests themselves. */
export const documentedOperations: readonly Operation[] = [
  ...operations,
  redirectHeadOperation,
  authorizationCallbackOperation,
  showChoiceOperation,
  makeChoiceOperation,
  verifyPlatformWebhookOperation,
  platformWebhookOperation,
  docsOperation,
  docsAssetOperation,
];
