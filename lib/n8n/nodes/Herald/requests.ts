/** Shared parts of the operations: errors, pages, accounts to choose from, idempotency keys. */
import { createHash } from 'node:crypto';
import {
  type DeclarativeRestApiSettings,
  type IDataObject,
  type IExecutePaginationFunctions,
  type IExecuteSingleFunctions,
  type IHookFunctions,
  type IHttpRequestMethods,
  type IHttpRequestOptions,
  type ILoadOptionsFunctions,
  type IN8nHttpFullResponse,
  type INode,
  type INodeExecutionData,
  type INodeProperties,
  type INodePropertyOptions,
  type INodePropertyRouting,
  type JsonObject,
  NodeApiError,
} from 'n8n-workflow';
import { type PreSend, readQuery, refuseMissingValues } from './values.ts';

/** The request of an operation, and the items that its reply becomes. */
interface Route {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  /** Path in the API, which may contain expressions. */
  readonly url: string;
  /** Functions that complete the request. */
  readonly before?: readonly PreSend[];
  /** Makes the items of the output. Without it, the body of the reply is the only one. */
  readonly after?: PostReceive;
  /** The list in the reply, whose elements are the items, and the parameter of the query for the next page. */
  readonly list?: { readonly noun: string; readonly cursor: 'cursor' | 'after' };
}
type PostReceive = (
  this: IExecuteSingleFunctions,
  items: INodeExecutionData[],
  response: IN8nHttpFullResponse,
) => Promise<INodeExecutionData[]>;

export function route({ method, url, before = [], after, list }: Route): INodePropertyRouting {
  return {
    request: { method, url },
    send: { preSend: [refuseMissingValues, readQuery, ...before], ...(list && { paginate: true }) },
    output: { postReceive: [refuse, ...(after ? [after] : [])] },
    ...(list && { operations: { pagination: pagesOf(list) } }),
  };
}

/** Makes an error with the words of the API, instead of n8n's general ones for the status. */
const refuse: PostReceive = async function (items, { statusCode, body }) {
  const error = errorOf(this.getNode(), statusCode, body, this.getItemIndex());
  if (error) throw error;
  return items;
};

/** Returns the error that a reply is, if it is one. */
export function errorOf(
  node: INode,
  status: number,
  body: unknown,
  itemIndex?: number,
): NodeApiError | undefined {
  const isJson = typeof body === 'object' && body !== null;
  if (status < 300 && isJson) return undefined;
  const answer = (isJson ? body : {}) as JsonObject;
  let otherwise = 'There is no Herald at the URL of the credential';
  if (isJson || status >= 500) otherwise = `Herald answered with the status ${status}`;
  if (status >= 300 && status < 400)
    otherwise = 'The URL of the credential redirects: enter where it leads to';
  return new NodeApiError(
    node,
    { ...answer, statusCode: status },
    {
      // API Gateway's own errors have a `message`.
      message: String(answer['error'] ?? answer['message'] ?? otherwise),
      description: [answer['code'], answer['docUrl']].filter(Boolean).join(': '),
      httpCode: String(status),
      ...(itemIndex !== undefined && { itemIndex }),
    },
  );
}

/** Makes an item that n8n can trace back to the item that it comes from. */
const itemOf = (context: IExecuteSingleFunctions, json: IDataObject): INodeExecutionData => ({
  json,
  pairedItem: { item: context.getItemIndex() },
});

/** Makes an item of what the reply has below the name, as in `{ account: { … } }`, or one of each element, as in `{ boards: [ … ] }`. */
export const only = (name: string): PostReceive =>
  async function (_items, { body }) {
    return [(body as IDataObject)[name]].flat().map((json) => itemOf(this, json as IDataObject));
  };

/** Returns the post of a reply, with the warnings and what else the reply says about it. */
export const postWithWarnings: PostReceive = async function (_items, { body }) {
  const { post, ...rest } = body as IDataObject;
  // A repeat of a request has the post twice.
  delete rest['existingPost'];
  return [itemOf(this, { ...(post as IDataObject), ...rest })];
};

const pageSize = 500;

/** Reads page after page until the limit of the user is reached. A page may be short, or empty, although more follow. */
function pagesOf({ noun, cursor }: NonNullable<Route['list']>) {
  return async function (
    this: IExecutePaginationFunctions,
    request: DeclarativeRestApiSettings.ResultOptions,
  ): Promise<INodeExecutionData[]> {
    const limit = this.getNodeParameter('returnAll', false)
      ? Number.POSITIVE_INFINITY
      : (this.getNodeParameter('limit', 50) as number);
    const items: INodeExecutionData[] = [];
    let position: IDataObject = {};
    for (;;) {
      const qs = { ...request.options.qs, ...position, limit: Math.min(limit - items.length, pageSize) };
      const [page] = await this.makeRoutingRequest({ ...request, options: { ...request.options, qs } });
      const { [noun]: elements, nextCursor, hasMore } = (page?.json ?? {}) as IDataObject;
      for (const element of elements as IDataObject[]) {
        // Only the feed of events is read on from where it ended.
        items.push(itemOf(this, hasMore === undefined ? element : { ...element, nextCursor }));
      }
      if (items.length >= limit || !(hasMore ?? nextCursor)) return items;
      position = { [cursor]: nextCursor };
    }
  };
}

/** The parameters that limit a list. */
export const limits = (resource: string, operations: string[]): INodeProperties[] => [
  {
    displayName: 'Return All',
    name: 'returnAll',
    type: 'boolean',
    displayOptions: { show: { resource: [resource], operation: operations } },
    default: false,
    description: 'Whether to return all results or only up to a given limit',
  },
  {
    displayName: 'Limit',
    name: 'limit',
    type: 'number',
    displayOptions: { show: { resource: [resource], operation: operations, returnAll: [false] } },
    typeOptions: { minValue: 1 },
    default: 50,
    description: 'Max number of results to return',
  },
];

export interface Reply {
  readonly status: number;
  readonly body: IDataObject;
}

/** Sends a request that is not an operation of a user. An error of the API is a reply. */
export async function send(
  context: ILoadOptionsFunctions | IHookFunctions,
  method: IHttpRequestMethods,
  path: string,
  body?: IDataObject,
): Promise<Reply> {
  const { url } = await context.getCredentials<{ url: string }>('heraldApi');
  const answer = await context.helpers.httpRequestWithAuthentication.call(context, 'heraldApi', {
    method,
    // The same as `baseUrl`.
    url: `${url.trim().replace(/(\/v1)?\/*$/, '')}${path}`,
    ...(body && { body }),
    json: true,
    returnFullResponse: true,
    ignoreHttpStatusErrors: true,
    disableFollowRedirect: true,
  });
  return { status: answer.statusCode, body: answer.body };
}

/** Lists the accounts that the key may use. */
export async function getAccounts(this: ILoadOptionsFunctions): Promise<INodePropertyOptions[]> {
  const { status, body } = await send(this, 'GET', '/v1/accounts');
  const error = errorOf(this.getNode(), status, body);
  if (error) throw error;
  return (body as unknown as { accounts: ListedAccount[] }).accounts
    .map(({ id, platform, displayName, username, isActive }) => ({
      name: `${displayName ?? username ?? id} (${platform}${isActive ? '' : ', connect it again'})`,
      value: id,
    }))
    .sort((one, other) => one.name.localeCompare(other.name));
}

interface ListedAccount {
  readonly id: string;
  readonly platform: string;
  readonly displayName: string | null;
  readonly username: string | null;
  readonly isActive: boolean;
}

/**
 * Adds an idempotency key, unless the user has given one. It is the same when n8n tries the node again, so that a lost response does not
 * lead to a second post.
 */
export const addIdempotencyKey: PreSend = async function (this: IExecuteSingleFunctions, options) {
  const own = this.getNodeParameter('additionalFields.idempotencyKey', '') as string;
  const key = own || keyOf(this, options);
  return key === undefined
    ? options
    : { ...options, headers: { ...options.headers, 'Idempotency-Key': key } };
};

function keyOf(context: IExecuteSingleFunctions, { url, body }: IHttpRequestOptions): string | undefined {
  const executionId = context.getExecutionId();
  // A key that other executions have too would make their posts repeats of this one.
  if (!executionId || executionId.startsWith('__')) return undefined;
  const { id, type } = context.getNode();
  const parts = [
    context.getInstanceId(),
    context.getWorkflow().id,
    executionId,
    // n8n counts executions anew if its database is.
    context.getExecutionContext?.()?.establishedAt,
    id,
    context.evaluateExpression('{{ $runIndex }}', 0),
    context.getItemIndex(),
    // An agent may call its tool several times in one run.
    type.endsWith('Tool') ? [url, body] : undefined,
  ];
  return `n8n-${createHash('sha256').update(JSON.stringify(parts)).digest('hex')}`;
}
