import middy from '@middy/core';
import {
  createMcpHandler,
  isLegacyRequest,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server';
import type { APIGatewayProxyEventV2, Context } from 'aws-lambda';
import { HeraldError } from '../../lib/kernel/errors.ts';
import { parseJson } from '../../lib/kernel/json.ts';
import { challenge } from '../../lib/mcp/challenge.ts';
import { mcpOperation } from '../../lib/mcp/operations.ts';
import type { Tool } from '../../lib/mcp/tool.ts';
import type { Table } from '../../lib/table/table.ts';
import { readAccessToken } from '../middleware/access-tokens.ts';
import { Admission, type AdmittedEvent } from '../middleware/admit.ts';
import { requireAllowed } from '../middleware/authenticate.ts';
import { callOperation } from '../middleware/call-operation.ts';
import { inTime } from '../middleware/in-time.ts';
import { awaitUse } from '../middleware/key-use.ts';
import { rateLimitHeaders } from '../middleware/rate-limits.ts';
import { docUrlOf, jsonReply, type Reply } from '../middleware/reply.ts';
import { errorAnswer, requestId, requestIdOf } from '../middleware/route.ts';
import { type AgentRequest, createToolServer } from '../middleware/tool-server.ts';
import { logger } from '../wire/logger.ts';
import { publicBaseUrl } from '../wire/settings.ts';
import { handlerFactory } from '../wire/start.ts';
import { build as connect } from './accounts/connect.ts';
import { build as creatorInfo } from './accounts/creator-info.ts';
import { build as listAccounts } from './accounts/list.ts';
import { build as listBoards } from './accounts/list-boards.ts';
import { build as listPlaylists } from './accounts/list-playlists.ts';
import { build as readAccount } from './accounts/read.ts';
import { build as readAttempt } from './accounts/read-attempt.ts';
import { build as createAutomation } from './comment-automations/create.ts';
import { build as editAutomation } from './comment-automations/edit.ts';
import { build as listAutomations } from './comment-automations/list.ts';
import { build as readAutomation } from './comment-automations/read.ts';
import { build as listEvents } from './events/list.ts';
import listedTools from './mcp-tools.built.ts';
import { build as importMedia } from './media/import.ts';
import { build as presignMedia } from './media/presign.ts';
import { build as readMedia } from './media/read.ts';
import { build as createPost } from './posts/create.ts';
import { build as deletePost } from './posts/delete.ts';
import { build as editPost } from './posts/edit.ts';
import { build as listPosts } from './posts/list.ts';
import { build as readPost } from './posts/read.ts';
import { build as retryPost } from './posts/retry.ts';
import { build as readTimeline } from './posts/timeline.ts';
import { build as validatePost } from './posts/validate.ts';

/** The operations behind the tools, as their own functions perform them. A test compares them with those that the tools name. */
export const performed = [
  ...[listAccounts, readAccount, listBoards, listPlaylists, creatorInfo, connect, readAttempt],
  ...[importMedia, presignMedia, readMedia],
  ...[validatePost, createPost, editPost, retryPost, deletePost, readPost, readTimeline, listPosts],
  listEvents,
  ...[listAutomations, readAutomation, createAutomation, editAutomation],
] as const;

const byId = new Map<string, (typeof performed)[number]>(performed.map((each) => [each.op.id, each]));

const wires: (typeof createPost & typeof creatorInfo)['wires'] = Object.assign(
  {},
  ...performed.map((each) => each.wires),
);

/** The longest message. The largest post has some 400 kB. */
const maxRequestBytes = 1_048_576;

/**
 * `POST /mcp`: one message of the Model Context Protocol, of revision 2026-07-28 or of a client of the handshake era. Nothing is kept
 * between requests, and every answer is JSON. Whatever a tool does goes through the operations of the API.
 */
export const build = handlerFactory({ ...wires, publicBaseUrl }, (dependencies) => {
  const { table, publicBaseUrl: baseUrl } = dependencies;
  const admission = new Admission(mcpOperation, dependencies, readAccessToken);
  return inTime(
    middy<AdmittedEvent, Reply, Error, Context>()
      .use(requestId())
      .use(rateLimitHeaders())
      .use(challenges(baseUrl))
      .use(errorAnswer())
      .use(awaitUse())
      .use({ before: ({ event }) => requireOwnOrigin(event, baseUrl) })
      .use({ before: ({ event }) => admission.admit(event) })
      .handler(async (event) => {
        const message = messageIn(event);
        if ('refusal' in message) return message.refusal;
        const request = webRequest(event, baseUrl);
        const { parsed, unusable } = message;
        const agent = { ...agentRequest(event, dependencies, table), unusable };
        return toReply(await answer(request, parsed, agent));
      }),
  );
});

/** Names the metadata of the login in the answer to a request without credentials, or with refused ones. */
function challenges(baseUrl: string): middy.MiddlewareObj<AdmittedEvent, Reply> {
  return {
    onError: ({ response, event }) => {
      if (response?.statusCode !== 401) return;
      const isRefused = event.headers['authorization'] !== undefined;
      response.headers['www-authenticate'] = challenge(baseUrl, event.requestContext.http.path, isRefused);
    },
  };
}

/**
 * Refuses pages of other sites: a browser that a page has brought here under another host's name must not reach the server.
 * https://modelcontextprotocol.io/specification/2026-07-28/basic/transports#security-warning. Agents that are no pages send no `Origin`.
 *
 * @throws HeraldError `cross_site`
 */
function requireOwnOrigin({ headers, requestContext }: APIGatewayProxyEventV2, baseUrl: string): void {
  const { origin } = headers;
  if (origin === undefined) return;
  const own = [new URL(baseUrl).origin, `https://${requestContext.domainName}`];
  if (!own.includes(origin))
    throw new HeraldError('cross_site', 'Origin: other sites may not send this request');
}

type Message = { readonly parsed: unknown; readonly unusable?: HeraldError } | { readonly refusal: Reply };

/** Reads the message. What the library would answer with a stream, or work in bulk, is refused here. */
function messageIn(event: APIGatewayProxyEventV2): Message {
  const text = bodyOf(event);
  if (Buffer.byteLength(text) > maxRequestBytes)
    return refuse(413, -32_600, `a message has at most ${maxRequestBytes} bytes`);
  let parsed: unknown;
  let unusable: HeraldError | undefined;
  try {
    parsed = parseJson(text);
  } catch (error) {
    if (!(error instanceof HeraldError)) throw error;
    if (error.code === 'body_malformed') return refuse(400, -32_700, error.message);
    // Values that cannot be stored, such as a text with NUL: the agent learns of it by the result of its call.
    parsed = JSON.parse(text);
    unusable = error;
  }
  if (Array.isArray(parsed)) return refuse(400, -32_600, 'send one message per request, not a batch');
  const { id, method } = (parsed ?? {}) as { readonly id?: unknown; readonly method?: unknown };
  if (method === 'subscriptions/listen') return refuse(404, -32_601, 'this server has no subscriptions', id);
  return { parsed, ...(unusable && { unusable }) };
}

const bodyOf = ({ body = '', isBase64Encoded }: APIGatewayProxyEventV2): string =>
  isBase64Encoded ? Buffer.from(body, 'base64').toString('utf8') : body;

/** Refuses a message in the form of JSON-RPC. */
function refuse(status: number, code: number, message: string, id: unknown = null): Message {
  return { refusal: jsonReply(status, { jsonrpc: '2.0', error: { code, message }, id }) };
}

function webRequest(event: APIGatewayProxyEventV2, baseUrl: string): Request {
  const given = Object.entries(event.headers).flatMap(([name, value]): [string, string][] =>
    value === undefined || !/^(content-type|mcp-[\w-]+)$/.test(name) ? [] : [[name, value]],
  );
  // The library refuses clients of the handshake era that do not also accept streams. They never get one.
  const headers: [string, string][] = [...given, ['accept', 'application/json, text/event-stream']];
  return new Request(`${baseUrl}/mcp`, { method: 'POST', headers, body: bodyOf(event) });
}

function agentRequest(
  event: AdmittedEvent,
  dependencies: Readonly<Record<string, unknown>>,
  table: Table,
): AgentRequest {
  const { caller, now = 0 } = event;
  if (!caller) throw new Error('the request was not admitted');
  const ofRequest = { requestId: requestIdOf(event), now };
  return {
    caller,
    ...ofRequest,
    ...listedTools,
    call: (operationId, request) => {
      const found = byId.get(operationId);
      if (!found) throw new Error(`functions/api/mcp.ts does not perform ${operationId}`);
      // Only its own dependencies, as in its own function.
      const own = Object.fromEntries(Object.keys(found.wires).map((name) => [name, dependencies[name]]));
      return callOperation(found, own as never, event, request);
    },
    requireTool: async ({ operations }: Tool) => {
      for (const { verb } of operations)
        if (verb !== undefined) await requireAllowed({ ...caller, ...ofRequest, table, verb });
    },
    docUrlOf: (code) => docUrlOf(code, event),
  };
}

/** Has the library answer the message, with a server that is made for it. */
async function answer(request: Request, parsedBody: unknown, agent: AgentRequest): Promise<Response> {
  if (await isLegacyRequest(request, parsedBody)) {
    const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true });
    await createToolServer(agent).connect(transport);
    return transport.handleRequest(request, { parsedBody });
  }
  let failure: Error | undefined;
  const onerror = (error: Error) => {
    failure = error;
  };
  const handler = createMcpHandler(() => createToolServer(agent), { legacy: 'reject', onerror });
  const response = await handler.fetch(request, { parsedBody });
  // What a client has done wrong is not logged: the messages quote it.
  if (response.status >= 500 && failure) logger.error('a message could not be answered', failure);
  return response;
}

async function toReply(response: Response): Promise<Reply> {
  const { headers, ...reply } = jsonReply(response.status, undefined);
  const text = await response.text();
  const { 'content-type': _json, ...others } = headers;
  return text === '' ? { ...reply, headers: others } : { ...reply, headers, body: text };
}
