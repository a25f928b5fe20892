import { join } from 'node:path';
import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import { GetCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { marshall, unmarshall } from '@aws-sdk/util-dynamodb';
import type { APIGatewayProxyEventV2, Context as LambdaContext } from 'aws-lambda';
import { inject } from 'vitest';
import type { UsingEvent } from '../../functions/middleware/key-use.ts';
import { platformTools, type ToolsFor } from '../../functions/wire/platform-tools.ts';
import { links } from '../../functions/wire/redirect.ts';
import type { RequestSessionCheck } from '../../functions/wire/session-check.ts';
import { environmentOf } from '../../functions/wire/start.ts';
import { apiFunctions } from '../../infra/functions/api.ts';
import { Vault } from '../../lib/accounts/vault.ts';
import { functionName } from '../../lib/api-contract/operation.ts';
import { uploadSigner } from '../../lib/aws/bucket.ts';
import { openClientUploads } from '../../lib/aws/part-uploads.ts';
import { DownloadError } from '../../lib/http-client/address-guard/download.ts';
import type { LookUp } from '../../lib/http-client/address-guard/resolve-public.ts';
import { systemClock } from '../../lib/kernel/clock.ts';
import { newId, sha256 } from '../../lib/kernel/ids.ts';
import { sleep } from '../../lib/kernel/retry.ts';
import { type LinkStore, LinkTable } from '../../lib/links/link-table.ts';
import { operations, panelOperations } from '../../lib/operations.ts';
import type { StageFeatures } from '../../lib/platforms/contract/features.ts';
import { dailyLimitsOf } from '../../lib/platforms/registry/daily-limits.ts';
import type { Table } from '../../lib/table/table.ts';
import type { WebhookMessage } from '../../lib/webhooks/schemas.ts';
import { accessTo } from './create-table.ts';
import { memoryDataKeys } from './data-keys.ts';
import { type FakeIssuer, fakeIssuer } from './fake-issuer.ts';
import { queuesInMemory, type SentMessage } from './fake-queues.ts';
import { documentOf } from './grants.ts';
import { fakeDirectory } from './members.ts';
import { nextMillisecond } from './next-millisecond.ts';
import { createTestTable } from './table.ts';
import { limitTable, type OnUse } from './table-use.ts';

export const mediaBaseUrl = 'https://media.example.com';
export const publicBaseUrl = 'https://api.example.com';
export const linkBaseUrl = 'https://go.example.com';
/** The secret that the panel's CloudFront sends. */
export const originSecret = 'secret-of-the-origin';
export const appCredentials = {
  clientId: 'app',
  clientSecret: 'secret',
  metaAppSecret: 'secret of the Meta app',
  webhookVerifyToken: 'verify token',
};

/** The parts of a request that a test sets. */
export interface RequestParts {
  /** Replaces the function's first route, such as `GET /v1/nothing`. */
  readonly route?: string;
  readonly apiKey?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly path?: Readonly<Record<string, string>>;
  /** Query without a question mark. */
  readonly query?: string;
  readonly body?: unknown;
  /** Replaces `body` and is sent unchanged. */
  readonly rawBody?: string;
  readonly isBase64Encoded?: boolean;
  readonly sourceIp?: string;
  /** Each as `name=value`. */
  readonly cookies?: readonly string[];
}

export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** Values of `Set-Cookie`. */
  readonly cookies: readonly string[];
  readonly text: string;
  /** The text parsed as JSON; throws if it is not JSON. */
  readonly body: Readonly<Record<string, unknown>>;
}

/** Returns an API Gateway HTTP API event (payload format 2.0) for one of the service's routes. */
export function apiEvent(route: string, parts: RequestParts): APIGatewayProxyEventV2 {
  const [method = '', template = ''] = route.split(' ');
  const path = template.replace(/\{(\w+)\}/g, (_match, name: string) =>
    encodeURIComponent((parts.path?.[name] ?? '').toWellFormed()),
  );
  const body = parts.rawBody ?? (parts.body === undefined ? undefined : JSON.stringify(parts.body));
  return {
    version: '2.0',
    routeKey: route,
    rawPath: path,
    rawQueryString: parts.query ?? '',
    headers: {
      ...(parts.apiKey !== undefined && { authorization: `Bearer ${parts.apiKey}` }),
      ...parts.headers,
    },
    requestContext: {
      accountId: '123456789012',
      apiId: 'api',
      domainName: 'api.example.com',
      domainPrefix: 'api',
      http: {
        method,
        path,
        protocol: 'HTTP/1.1',
        sourceIp: parts.sourceIp ?? '203.0.113.1',
        userAgent: 'test',
      },
      requestId: newId(Date.now()),
      routeKey: route,
      stage: '$default',
      time: '01/Mar/2026:12:00:00 +0000',
      timeEpoch: Date.now(),
    },
    ...(parts.cookies && { cookies: [...parts.cookies] }),
    ...(parts.path && { pathParameters: { ...parts.path } }),
    ...(body !== undefined && { body }),
    isBase64Encoded: parts.isBase64Encoded ?? false,
  };
}

type Handler = (event: APIGatewayProxyEventV2, context: LambdaContext) => Promise<HandlerAnswer>;

interface HandlerAnswer {
  readonly statusCode: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly cookies?: readonly string[];
  readonly body?: string;
}

const lambdaContext = {
  functionName: 'test',
  awsRequestId: 'test',
  // Middy ends a request then. No test may take so long.
  getRemainingTimeInMillis: () => 3_600_000,
} as LambdaContext;

/** Calls the function of this operation id or with this name, on its first route unless `parts.route` names another. */
export type Call = (functionName: string, parts?: RequestParts) => Promise<Answer>;

interface HandlerFactory {
  (dependencies: object): Handler;
  readonly wires: object;
}

/** The stage's limits; by default none that a test reaches. */
export interface RateOptions {
  /** Limit per address. */
  readonly ratePerMinute?: number;
  readonly keyRatePerMinute?: number;
  readonly workspaceRatePerMinute?: number;
}

/** Returns test doubles of everything that functions of the API depend on, with this test file's own table. */
export async function openDependencies({
  ratePerMinute = 10_000_000,
  keyRatePerMinute,
  workspaceRatePerMinute,
}: RateOptions = {}) {
  const table = await createTestTable();
  const queues = queuesInMemory();
  const dependencies = {
    table,
    ratesPerMinute: { address: ratePerMinute, key: keyRatePerMinute, workspace: workspaceRatePerMinute },
    panelEdge: {
      originSecretDigest: sha256(originSecret),
      plainHttpHosts: new Set(['127.0.0.1', 'localhost']),
    },
    mediaBaseUrl,
    dailyLimits: dailyLimitsOf({}),
    publicBaseUrl,
    linkBaseUrl,
    stageFeatures: {} as StageFeatures,
    vault: new Vault(memoryDataKeys(), systemClock),
    toolsFor: platformTools({
      parameterPrefix: '/platforms',
      baseUrls: {},
      readParameter: async () => JSON.stringify(appCredentials),
    }),
    issuer: fakeIssuer(),
    directory: fakeDirectory(),
    network: { plainHttpHosts: new Set(['127.0.0.1']) },
    plainHttpHosts: new Set(['127.0.0.1']),
    openSource: async () => {
      throw new DownloadError('no file is read');
    },
    pageReader: () => async () => ({ problem: 'no page is read' }),
    fetchPicture: async () => ({ problem: 'no picture is read' }),
    render: async () => ({ state: 'failed' as const, reason: 'nothing is rendered' }),
    withFolder: (use: (folder: string) => Promise<unknown>) => use('/nowhere'),
    fetchClientDocument: documentOf(),
    panelUrl: async () => 'https://panel.example.com',
    signUpload: uploadSigner('media', accessTo('http://storage.test')),
    clientUploads: {
      ...openClientUploads('media', accessTo('http://storage.test')),
      begin: async () => 'upload',
      // Every file has a single part, which has arrived.
      list: async () => [{ number: 1, sizeBytes: 1_000, etag: '"1"' }],
      complete: async () => 'completed' as const,
    },
    describeObject: async () => undefined,
    putNewObject: async () => {},
    sendAll: queues.openTenantQueue<WebhookMessage>('https://queues.test/webhook').sendAll,
    inboundQueue: queues.openQueue('https://queues.test/inbound'),
    links: linksThrough(table),
    record: () => undefined,
    log: () => undefined,
  };
  return { dependencies, sent: queues.sent };
}

/**
 * Returns the redirect's own link store, which talks to an endpoint over HTTP.
 *
 * @param pause waits before another attempt
 */
export function linksOf({ name }: Table, endpoint = inject('databaseEndpoint'), pause = sleep): LinkStore {
  const environment = environmentOf({
    TABLE_NAME: name,
    AWS_REGION: 'eu-central-1',
    AWS_ACCESS_KEY_ID: 'test',
    AWS_SECRET_ACCESS_KEY: 'test',
    AWS_ENDPOINT_URL_DYNAMODB: endpoint,
  });
  return links(environment, pause);
}

/** Returns a link store that sends its requests through the table's client, which may be in memory and limited by rights. */
function linksThrough({ name, client }: Table): LinkStore {
  const commands = { GetItem: GetCommand, UpdateItem: UpdateCommand } as const;
  return new LinkTable({
    tableName: name,
    random: Math.random,
    sleep,
    call: async (operation, input) => {
      const { Key, ExpressionAttributeValues: values, ...rest } = input as WireInput;
      const Command = commands[operation as keyof typeof commands] as new (input: object) => GetCommand;
      const plain = {
        ...rest,
        Key: unmarshall(Key),
        ...(values && { ExpressionAttributeValues: unmarshall(values) }),
      };
      const { Item } = await client.send(new Command(plain));
      return Item ? { Item: marshall(Item) } : {};
    },
  });
}

/** The members of a request that have DynamoDB's types. */
interface WireInput {
  readonly Key: Record<string, AttributeValue>;
  readonly ExpressionAttributeValues?: Record<string, AttributeValue>;
}

/**
 * Creates this test file's own table, and the service's functions with test doubles. Each function is loaded on its first
 * call, and can use the table only as its rights allow.
 *
 * @param options.toolsFor replaces the connections to the platforms
 * @param options.lookUp replaces the name servers
 * @param options.onUse sees every request to the table
 */
export async function openApi(
  options: RateOptions & {
    readonly toolsFor?: ToolsFor;
    readonly lookUp?: LookUp;
    readonly onUse?: OnUse;
  } = {},
): Promise<{
  table: Table;
  call: Call;
  vault: Vault;
  /** The issuer at which people sign in. */
  issuer: FakeIssuer;
  /** Every message that the functions have sent to queues so far. */
  sent: SentMessage[];
}> {
  const { dependencies: doubles, sent } = await openDependencies(options);
  const { toolsFor = doubles.toolsFor, lookUp, onUse } = options;
  const requestSessionCheck: RequestSessionCheck = async ({ headers, cookies = [] }, origin) => {
    const own = { ...headers, 'sec-fetch-site': 'same-origin', origin } as Record<string, string>;
    const answer = await call('checkSession', { cookies, headers: own });
    if (answer.status !== 204) throw new Error(`the check answered ${answer.status}`);
  };
  const network = { ...doubles.network, ...(lookUp && { lookUp }) };
  const dependencies = { ...doubles, toolsFor, network, requestSessionCheck };
  const handlers = new Map<string, Promise<Handler>>();
  const load = (name: string): Promise<Handler> => {
    const { name: functionName, entry, rights } = functionNamed(name);
    const table = limitTable(dependencies.table, functionName, rights, onUse);
    const made = makeHandler(entry, { ...dependencies, table, links: linksThrough(table) });
    handlers.set(name, made);
    return made;
  };
  let running = 0;
  let endedMs = 0;
  const call: Call = async (name, parts = {}) => {
    const handler = await (handlers.get(name) ?? load(name));
    // A request that begins after another has ended makes ids that sort after its ids.
    if (running === 0) await nextMillisecond(endedMs);
    running += 1;
    try {
      return await request(handler, name, parts);
    } finally {
      running -= 1;
      endedMs = Date.now();
    }
  };
  const request = async (handler: Handler, name: string, parts: RequestParts): Promise<Answer> => {
    const [route = ''] = functionNamed(name).routes;
    const event: UsingEvent = apiEvent(parts.route ?? route, parts);
    const { statusCode, headers, cookies = [], body = '' } = await handler(event, lambdaContext);
    // The response waits for this record, but on a slow machine not for long enough.
    await event.use;
    return {
      status: statusCode,
      headers,
      cookies,
      text: body,
      get body() {
        return JSON.parse(body);
      },
    };
  };
  const { table, vault, issuer } = dependencies;
  return { table, call, vault, issuer, sent };
}

/**
 * Loads a function and creates its handler.
 *
 * @throws Error if the function depends on something without a double
 */
export async function makeHandler(entry: string, dependencies: object): Promise<Handler> {
  const { build }: { build: HandlerFactory } = await import(join(import.meta.dirname, '../..', entry));
  const missing = Object.keys(build.wires).filter((name) => !(name in dependencies));
  if (missing.length > 0)
    throw new Error(`${entry} depends on ${missing.join(', ')}: add doubles to openDependencies`);
  return build(dependencies);
}

function functionNamed(name: string) {
  const operation = [...operations, ...panelOperations].find(({ id }) => id === name);
  const deployed = operation ? functionName(operation.handler) : name;
  const found = apiFunctions.find((definition) => definition.name === deployed);
  if (!found) throw new Error(`there is no function ${name}`);
  return found;
}
