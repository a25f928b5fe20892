import { join } from 'node:path';
import type { APIGatewayProxyEventV2, Context as LambdaContext } from 'aws-lambda';
import { apiFunctions } from '../../infra/functions/api.ts';
import { functionName } from '../../lib/api-contract/operation.ts';
import { newId } from '../../lib/kernel/ids.ts';
import { operations } from '../../lib/operations.ts';
import type { Table } from '../../lib/table/table.ts';
import { type SentMessage, startAwsFakes } from './aws-fakes.ts';
import { createTestTable } from './table.ts';

export const mediaBaseUrl = 'https://media.example.com';
export const publicBaseUrl = 'https://api.example.com';

/** The parts of a request that a test cares about. */
export interface RequestParts {
  /** In place of the function's first route: `GET /v1/nothing`. */
  readonly route?: string;
  readonly apiKey?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly path?: Readonly<Record<string, string>>;
  /** Without a question mark. */
  readonly query?: string;
  readonly body?: unknown;
  /** In place of `body`, as it is. */
  readonly rawBody?: string;
  readonly isBase64Encoded?: boolean;
  readonly sourceIp?: string;
}

export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
  /** The text as JSON. */
  readonly body: Readonly<Record<string, unknown>>;
}

/** An event of API Gateway's HTTP API, payload format 2.0, for one of the service's routes. */
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
    ...(parts.path && { pathParameters: { ...parts.path } }),
    ...(body !== undefined && { body }),
    isBase64Encoded: parts.isBase64Encoded ?? false,
  };
}

type Handler = (event: APIGatewayProxyEventV2, context: LambdaContext) => Promise<HandlerAnswer>;

interface HandlerAnswer {
  readonly statusCode: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

const lambdaContext = {
  functionName: 'test',
  awsRequestId: 'test',
  getRemainingTimeInMillis: () => 10_000,
} as LambdaContext;

/** Calls the function with this name, or of this operation, as the stacks deploy it, on its first route. */
export type Call = (functionName: string, parts?: RequestParts) => Promise<Answer>;

/**
 * A table of this test file's own, and the service's functions on it, with the variables they are deployed with. Each
 * is loaded when it is first called.
 */
export async function openApi({ ratePerMinute = 10_000_000 } = {}): Promise<{
  table: Table;
  call: Call;
  /** All that the functions have sent to queues so far. */
  sent: SentMessage[];
}> {
  const table = await createTestTable();
  const fakes = await startAwsFakes();
  Object.assign(process.env, {
    AWS_ENDPOINT_URL_SSM: fakes.url,
    AWS_ENDPOINT_URL_KMS: fakes.url,
    AWS_ENDPOINT_URL_SQS: fakes.url,
    STAGE: 'test',
    TABLE_NAME: table.name,
    RATE_LIMIT_PER_MINUTE: String(ratePerMinute),
    MEDIA_BASE_URL: mediaBaseUrl,
    MEDIA_BUCKET: 'media',
    PUBLIC_BASE_URL: publicBaseUrl,
    PLATFORM_PARAMETER_PREFIX: '/platforms',
    PLATFORM_BASE_URLS: '{}',
    TOKEN_KEY_ID: 'key',
    WEBHOOK_QUEUE_URL: `${fakes.url}/webhook`,
    INBOUND_QUEUE_URL: `${fakes.url}/inbound`,
    WEBHOOK_PLAIN_HTTP_HOSTS: '127.0.0.1',
  });
  const handlers = new Map<string, Promise<Handler>>();
  const load = (name: string): Promise<Handler> => {
    const { entry } = functionNamed(name);
    const loaded = import(join(import.meta.dirname, '../..', entry)).then((module) => module.handler);
    handlers.set(name, loaded);
    return loaded;
  };
  const call: Call = async (name, parts = {}) => {
    const handler = await (handlers.get(name) ?? load(name));
    const [route = ''] = functionNamed(name).routes;
    const {
      statusCode,
      headers,
      body = '',
    } = await handler(apiEvent(parts.route ?? route, parts), lambdaContext);
    return {
      status: statusCode,
      headers,
      text: body,
      get body() {
        return JSON.parse(body);
      },
    };
  };
  return { table, call, sent: fakes.sent };
}

function functionNamed(name: string) {
  const operation = operations.find(({ id }) => id === name);
  const deployed = operation ? functionName(operation.handler) : name;
  const found = apiFunctions.find((definition) => definition.name === deployed);
  if (!found) throw new Error(`there is no function ${name}`);
  return found;
}
