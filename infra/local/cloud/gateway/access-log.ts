/** The lines of the stage's access log. */
import { formatLogTime } from './event.ts';

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
