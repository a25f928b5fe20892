/** The gateway's answers: the reply of the route's function, or one of its own. */
import { randomBytes } from 'node:crypto';
import type { TokenBucket } from '../engines/token-bucket.ts';
import type { CorsRule, HttpApiResource } from '../model.ts';
import type { InvokeOutcome } from '../runtime/execution-environment.ts';
import { formatLogTime, type GatewayRequest, splitTarget, toGatewayEvent } from './event.ts';
import {
  gatewayReply,
  type HttpReply,
  internalServerError,
  preflightReply,
  toHttpReply,
  withCors,
} from './reply.ts';
import { createRouter } from './routes.ts';

export interface GatewayService {
  readonly api: HttpApiResource;
  readonly accountId: string;
  readonly invoke: (
    functionArn: string,
    event: unknown,
    options: { readonly traceHeader: string },
  ) => Promise<InvokeOutcome>;
  /** Called with the line of each answered request, if the stage has an access log. */
  readonly onAccessLine?: ((line: string) => void) | undefined;
}

interface AnswerOptions {
  /** Returns epoch milliseconds. */
  readonly now: () => number;
  /** The time to wait for a function, in milliseconds. */
  readonly limitMs: number;
  /** Gives a token to each request. Absent: there is no limit. */
  readonly bucket?: TokenBucket | undefined;
}

export const serviceUnavailable = gatewayReply(503, 'Service Unavailable');

/** A reply with the further facts for the access log. */
interface Answered
  extends Pick<AnsweredRequest, 'routeKey' | 'integrationLatencyMs' | 'integrationError' | 'error'> {
  readonly reply: HttpReply;
}

/** Returns the function that answers requests to the stage. It rejects only if `invoke` does. */
export function createAnswer(
  { api, accountId, invoke, onAccessLine }: GatewayService,
  { now, limitMs, bucket }: AnswerOptions,
): (request: GatewayRequest) => Promise<HttpReply> {
  const findRoute = createRouter(api.routes);

  async function answer(request: GatewayRequest, path: string, requestId: string): Promise<Answered> {
    const origin = headerValue(request, 'origin');
    const own = (status: number, error: string): Answered => ({
      reply: applyCors(gatewayReply(status, error), api.cors, origin),
      error,
    });
    if (bucket?.take() === false) return own(429, 'Too Many Requests');
    const isPreflight = request.method === 'OPTIONS' && headerValue(request, 'access-control-request-method');
    if (api.cors !== undefined && origin !== undefined && isPreflight)
      return { reply: preflightReply(api.cors, origin) };
    const match = findRoute(request.method, path);
    if (match === undefined) return own(404, 'Not Found');
    const { routeKey, functionArn } = match.route;
    const traceHeader = `Root=1-${Math.floor(now() / 1000).toString(16)}-${randomBytes(12).toString('hex')}`;
    const event = toGatewayEvent(request, match, { requestId, traceHeader, accountId, now: now() });
    const invokedAt = performance.now();
    const outcome = await within(invoke(functionArn, event, { traceHeader }), limitMs);
    const integrationLatencyMs = Math.round(performance.now() - invokedAt);
    const { headers, ...reply } = toReply(outcome);
    const withId = { ...reply, headers: [...headers, ['apigw-requestid', requestId] as const] };
    const integrationError = problemOf(outcome);
    return {
      reply: applyCors(withId, api.cors, origin),
      routeKey,
      integrationLatencyMs,
      ...(integrationError !== undefined && { integrationError }),
    };
  }

  return async (request) => {
    const [arrivedMs, arrivedAt] = [now(), performance.now()];
    const { path } = splitTarget(request.target);
    const requestId = randomBytes(11).toString('base64');
    const { reply, ...facts } = await answer(request, path, requestId);
    if (api.accessLogFormat !== undefined && onAccessLine !== undefined) {
      const answered: AnsweredRequest = {
        ...facts,
        requestId,
        arrivedMs,
        method: request.method,
        path,
        status: reply.status,
        responseBytes: reply.body.length,
        responseLatencyMs: Math.round(performance.now() - arrivedAt),
      };
      onAccessLine(accessLine(api.accessLogFormat, answered));
    }
    return reply;
  };
}

function toReply(outcome: InvokeOutcome | undefined): HttpReply {
  if (outcome === undefined) return serviceUnavailable;
  if (outcome.ok) return toHttpReply(outcome.result);
  if (outcome.error.errorType === 'RequestTooLargeException')
    return gatewayReply(413, 'Request Entity Too Large');
  const isThrottled = outcome.error.errorType === 'TooManyRequestsException';
  return isThrottled ? serviceUnavailable : internalServerError;
}

/** Returns the reason for a missing answer. It is never the function's own message, which API Gateway does not see either. */
function problemOf(outcome: InvokeOutcome | undefined): string | undefined {
  if (outcome === undefined) return 'The function did not answer in time.';
  return outcome.ok ? undefined : `The function failed with ${outcome.error.errorType}.`;
}

function applyCors(reply: HttpReply, cors: CorsRule | undefined, origin: string | undefined): HttpReply {
  return cors === undefined || origin === undefined ? reply : withCors(reply, cors, origin);
}

async function within<Result>(result: Promise<Result>, limitMs: number): Promise<Result | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const limit = new Promise<undefined>((settle) => {
    timer = setTimeout(() => settle(undefined), limitMs);
  });
  return Promise.race([result, limit]).finally(() => clearTimeout(timer));
}

function headerValue({ rawHeaders }: GatewayRequest, name: string): string | undefined {
  const index = rawHeaders.findIndex(
    (header, position) => position % 2 === 0 && header.toLowerCase() === name,
  );
  return index < 0 ? undefined : rawHeaders[index + 1];
}

/** An answered request, with the facts that an access log may name. */
export interface AnsweredRequest {
  readonly requestId: string;
  /** The arrival of the request, in epoch milliseconds. */
  readonly arrivedMs: number;
  /** Absent if no route matched or the request was not routed. */
  readonly routeKey?: string;
  readonly method: string;
  /** The path without the query. */
  readonly path: string;
  readonly status: number;
  readonly responseBytes: number;
  /** The time until the gateway answered, in milliseconds of real time. */
  readonly responseLatencyMs: number;
  /** The time until the function answered; absent if none was invoked. */
  readonly integrationLatencyMs?: number;
  /** The reason that the function gave no answer, if it was invoked. */
  readonly integrationError?: string;
  /** The message of the gateway's own answer. */
  readonly error?: string;
}

/**
 * Fills in the variables of a stage's log format. A value that is absent or unknown here is `-`. Values are escaped for JSON, the
 * format in which stages write. https://docs.aws.amazon.com/apigateway/latest/developerguide/http-api-logging-variables.html
 *
 * @param format such as `{"status":"$context.status"}`
 */
export function accessLine(format: string, request: AnsweredRequest): string {
  const values: Readonly<Record<string, string | number | undefined>> = {
    requestId: request.requestId,
    requestTime: formatLogTime(request.arrivedMs),
    requestTimeEpoch: request.arrivedMs,
    routeKey: request.routeKey,
    httpMethod: request.method,
    path: request.path,
    status: request.status,
    responseLength: request.responseBytes,
    responseLatency: request.responseLatencyMs,
    integrationLatency: request.integrationLatencyMs,
    integrationErrorMessage: request.integrationError,
    'error.message': request.error,
  };
  return format.replaceAll(/\$context\.([A-Za-z]+(?:\.[A-Za-z]+)*)/g, (_, name: string) =>
    JSON.stringify(String((Object.hasOwn(values, name) ? values[name] : undefined) ?? '-')).slice(1, -1),
  );
}
