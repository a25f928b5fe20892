/** The lines of the stage's access log. */
import { formatLogTime } from './event.ts';

/** An answered request, with the facts that an access log may name. */
export interface AnsweredRequest {
  readonly requestId: string;
  /** When the request arrived, in epoch milliseconds. */
  readonly arrivedMs: number;
  /** Absent if no route matched or the request was not routed. */
  readonly routeKey?: string;
  readonly method: string;
  /** Without the query. */
  readonly path: string;
  readonly status: number;
  readonly responseBytes: number;
  /** Until the gateway answered, in milliseconds of real time. */
  readonly responseLatencyMs: number;
  /** Until the function answered; absent if none was invoked. */
  readonly integrationLatencyMs?: number;
  /** Why there is no answer of the function, if it was invoked. */
  readonly integrationError?: string;
  /** The message of an answer of the gateway itself. */
  readonly error?: string;
}

/**
 * Fills in the variables of a stage's log format. A value that is absent, or that is not known here, is `-`. Values are escaped for
 * JSON, the form in which stages write.
 * https://docs.aws.amazon.com/apigateway/latest/developerguide/http-api-logging-variables.html
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
