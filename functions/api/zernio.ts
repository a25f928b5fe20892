import middy from '@middy/core';
import type { Context } from 'aws-lambda';
import type { Operation } from '../../lib/api-contract/operation.ts';
import { HeraldError, invalidField, notFound } from '../../lib/kernel/errors.ts';
import { parseJson } from '../../lib/kernel/json.ts';
import { notInHerald, type ZernioCall, type ZernioRequest } from '../../lib/zernio/call.ts';
import { calls } from '../../lib/zernio/calls.ts';
import { errorTypeOf } from '../../lib/zernio/errors.ts';
import { inTheirFields, renamedBy } from '../../lib/zernio/fields.ts';
import { matchRoute } from '../../lib/zernio/match.ts';
import { zernioOperations } from '../../lib/zernio/operations.ts';
import { Admission, type AdmittedEvent } from '../middleware/admit.ts';
import { callOperation } from '../middleware/call-operation.ts';
import { inTime } from '../middleware/in-time.ts';
import { awaitUse } from '../middleware/key-use.ts';
import { noSuchRoute } from '../middleware/no-such-route.ts';
import { rateLimitHeaders } from '../middleware/rate-limits.ts';
import { jsonReply, type Reply } from '../middleware/reply.ts';
import { errorAnswer, requestId } from '../middleware/route.ts';
import { handlerFactory } from '../wire/start.ts';
import { build as connect } from './accounts/connect.ts';
import { build as createBoard } from './accounts/create-board.ts';
import { build as creatorInfo } from './accounts/creator-info.ts';
import { build as disconnect } from './accounts/disconnect.ts';
import { build as findMentions } from './accounts/find-mentions.ts';
import { build as listAccounts } from './accounts/list.ts';
import { build as listBoards } from './accounts/list-boards.ts';
import { build as listPlaylists } from './accounts/list-playlists.ts';
import { build as listAccountPosts } from './accounts/list-posts.ts';
import { build as readAccountMetrics } from './accounts/metrics.ts';
import { build as readAccount } from './accounts/read.ts';
import { build as listAudit } from './audit/list.ts';
import { build as listConversations } from './comment-automations/conversations.ts';
import { build as createAutomation } from './comment-automations/create.ts';
import { build as deleteAutomation } from './comment-automations/delete.ts';
import { build as editAutomation } from './comment-automations/edit.ts';
import { build as listAutomations } from './comment-automations/list.ts';
import { build as readAutomation } from './comment-automations/read.ts';
import { build as presignMedia } from './media/presign.ts';
import { build as listMetrics } from './metrics/list.ts';
import { build as createPosts } from './posts/bulk.ts';
import { build as createPost } from './posts/create.ts';
import { build as deletePost } from './posts/delete.ts';
import { build as editPost } from './posts/edit.ts';
import { build as listPosts } from './posts/list.ts';
import { build as readPostMetrics } from './posts/metrics.ts';
import { build as readPost } from './posts/read.ts';
import { build as retryPost } from './posts/retry.ts';
import { build as unpublishPost } from './posts/unpublish.ts';
import { build as validatePost } from './posts/validate.ts';
import { build as readRhythm } from './rhythm/read.ts';
import { build as listAllDeliveries } from './webhooks/all-deliveries.ts';
import { build as deleteWebhook } from './webhooks/delete.ts';
import { build as listDeliveries } from './webhooks/deliveries.ts';
import { build as listWebhooks } from './webhooks/list.ts';
import { build as redeliver } from './webhooks/redeliver.ts';
import { build as sendTest } from './webhooks/send-test.ts';
import { build as readWorkspace } from './workspace/read.ts';
import { build as createWebhook } from './zernio/create-webhook.ts';
import { build as editWebhook } from './zernio/edit-webhook.ts';
import { build as inspectMedia } from './zernio/inspect-media.ts';
import { build as readOwnKey } from './zernio/own-key.ts';
import { build as sharedSlots } from './zernio/shared-slots.ts';

/** The operations behind the calls, as their own functions perform them. A test compares them with those that the calls name. */
export const performed = [
  ...[connect, createBoard, creatorInfo, disconnect, listAccounts, listBoards, listPlaylists, readAccount],
  ...[listConversations, createAutomation, deleteAutomation, editAutomation, listAutomations, readAutomation],
  ...[
    createPost,
    createPosts,
    deletePost,
    editPost,
    listPosts,
    readPost,
    retryPost,
    unpublishPost,
    validatePost,
  ],
  ...[listAllDeliveries, deleteWebhook, listDeliveries, listWebhooks, redeliver, sendTest],
  ...[createWebhook, editWebhook, readOwnKey, sharedSlots, inspectMedia],
  ...[
    findMentions,
    readAccountMetrics,
    listAccountPosts,
    listAudit,
    listMetrics,
    readPostMetrics,
    presignMedia,
    readRhythm,
    readWorkspace,
  ],
] as const;

const byId = new Map<string, (typeof performed)[number]>(performed.map((each) => [each.op.id, each]));

type AllWires = (typeof createPost &
  typeof createAutomation &
  typeof createWebhook &
  typeof inspectMedia)['wires'];
const wires: AllWires = Object.assign({}, ...performed.map((each) => each.wires));

const [anyMethod] = zernioOperations;

/**
 * `/zernio/v1/…`: Zernio's interface, for users of its SDK who change the base URL. Whatever a call does goes through the operations of
 * the API, with the same rights, limits and audit log.
 */
export const build = handlerFactory(wires, (dependencies) => {
  if (!anyMethod) throw new Error('there is no operation');
  const admission = new Admission(anyMethod, dependencies);
  return inTime(
    middy<AdmittedEvent, Reply, Error, Context>()
      .use(requestId())
      .use(rateLimitHeaders())
      .use(errorType())
      .use(errorAnswer())
      .use(awaitUse())
      .use({ before: ({ event }) => admission.admit(event) })
      .handler(async (event) => {
        const { call, request } = await callIn(event);
        const { status, body } = await call.run(portsOf(event, dependencies), request);
        return jsonReply(status, body);
      }),
  );
});

/** Adds Zernio's name of an error's type. */
function errorType(): middy.MiddlewareObj<AdmittedEvent, Reply> {
  return {
    onError: ({ response }) => {
      if (typeof response?.body !== 'string') return;
      const body = JSON.parse(response.body) as object;
      response.body = JSON.stringify({ ...body, type: errorTypeOf(response.statusCode ?? 500) });
    },
  };
}

/** @throws HeraldError `not_in_herald` for a call that only Zernio has; `route_unknown` for one that Zernio does not have either */
async function callIn(event: AdmittedEvent): Promise<{ call: ZernioCall; request: ZernioRequest }> {
  const { method } = event.requestContext.http;
  const path = `/v1/${event.pathParameters?.['proxy'] ?? ''}`;
  const match = matchRoute(calls, method, path);
  if (match) return { call: match.found, request: requestIn(event, match.path) };
  const { absentCall } = await import('../../lib/zernio/absent.ts');
  const name = absentCall(method, path);
  throw name === undefined ? noSuchRoute(event) : notInHerald(name);
}

function requestIn(event: AdmittedEvent, path: Readonly<Record<string, string>>): ZernioRequest {
  const { body = '', isBase64Encoded, headers, rawQueryString } = event;
  const bytes = Buffer.from(body, isBase64Encoded ? 'base64' : 'utf8');
  const contentType = headers['content-type'] ?? '';
  const isForm = contentType.startsWith('multipart/form-data');
  return {
    path,
    query: queryIn(rawQueryString),
    body: isForm || bytes.length === 0 ? undefined : parseJson(bytes.toString('utf8')),
    raw: { bytes, contentType },
    idempotencyKey: headers[keyHeaderOf(headers)],
  };
}

/** @throws HeraldError `field_duplicate`: nobody could know which of two values is meant */
function queryIn(text: string): Record<string, string> {
  const query = new Map<string, string>();
  for (const [name, value] of new URLSearchParams(text)) {
    if (query.has(name))
      throw invalidField(name || 'query', 'must not be given more than once', 'field_duplicate');
    query.set(name, value);
  }
  return Object.fromEntries(query);
}

/** The header in which the SDK sends the key of a request that is safe to repeat, or else Herald's own. */
const keyHeaderOf = (headers: AdmittedEvent['headers']): string =>
  headers['x-request-id'] ? 'x-request-id' : 'idempotency-key';

/** Zernio's ids are no UUIDs. A client that has kept one is told that there is no such thing, not that there is no such route. */
const asAbsent =
  ({ path }: Operation) =>
  (error: unknown): never => {
    if (!(error instanceof HeraldError && error.code === 'route_unknown')) throw error;
    const [, noun = 'thing'] = /([a-z]+?)s?\/\{id\}/.exec(path) ?? [];
    throw notFound(noun);
  };

function portsOf(event: AdmittedEvent, dependencies: Readonly<Record<string, unknown>>) {
  const { caller, now = 0 } = event;
  if (!caller) throw new Error('the request was not admitted');
  return {
    workspaceId: caller.workspaceId,
    keyId: caller.actor.id,
    now,
    call: async (op: Operation, request: Parameters<typeof callOperation>[3]) => {
      const found = byId.get(op.id);
      if (!found) throw new Error(`functions/api/zernio.ts does not perform ${op.id}`);
      // Only its own dependencies, as in its own function.
      const own = Object.fromEntries(Object.keys(found.wires).map((name) => [name, dependencies[name]]));
      const keyName = keyHeaderOf(event.headers);
      const calling = callOperation(found, own as never, event, request).catch(asAbsent(op));
      return (await inTheirFields(calling, renamedBy({ 'Idempotency-Key': keyName }))) as never;
    },
  };
}
