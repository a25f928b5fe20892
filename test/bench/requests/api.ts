import type { APIGatewayProxyEventV2, Context } from 'aws-lambda';
import type { Reply } from '../../../functions/middleware/reply.ts';

/** An API request. */
export interface ApiCall {
  readonly method: 'GET' | 'POST';
  /** The path of the route: `/v1/posts/{id}`. */
  readonly route: string;
  readonly pathParameters?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

export type Handler = (event: APIGatewayProxyEventV2, context: Context) => Promise<Reply>;

// No call of a bench may take so long.
const context = { getRemainingTimeInMillis: () => 3_600_000 } as Context;

/**
 * Calls a handler with the event that API Gateway would create for the request.
 *
 * @throws Error with the reply if its status is 300 or higher
 */
export async function callHandler(handler: Handler, apiKey: string, call: ApiCall): Promise<void> {
  const { method, route, pathParameters = {}, query = {}, body } = call;
  const event = {
    version: '2.0',
    routeKey: `${method} ${route}`,
    rawPath: route,
    rawQueryString: new URLSearchParams(query).toString(),
    headers: { authorization: `Bearer ${apiKey}` },
    pathParameters: { ...pathParameters },
    requestContext: { requestId: 'bench', http: { method, path: route, sourceIp: '192.0.2.1' } },
    isBase64Encoded: false,
    ...(body !== undefined && { body: JSON.stringify(body) }),
  };
  const reply = await handler(event as unknown as APIGatewayProxyEventV2, context);
  if ((reply.statusCode ?? 500) >= 300)
    throw new Error(`${method} ${route} returned ${reply.statusCode}: ${reply.body}`);
}
