/** A wrong field of a request. */
export interface Problem {
  /** Its path in the request, such as `platforms[0].accountId`. */
  readonly param: string;
  readonly code: string;
  readonly message: string;
}

/** The facts about a request that has failed. */
export interface Failure {
  readonly message: string;
  readonly code: string;
  readonly status?: number | undefined;
  readonly requestId?: string | undefined;
  readonly retryAfterSeconds?: number | undefined;
  readonly body?: Readonly<Record<string, unknown>> | undefined;
  readonly cause?: unknown;
}

/** The only error of the client, except for the reason with which a caller's signal aborts, and for wrong options (`TypeError`). */
export class HeraldError extends Error {
  override readonly name = 'HeraldError';
  /** The status of the answer; undefined if there was none. */
  readonly status: number | undefined;
  /**
   * The cause, for programs. The codes of the API are at `docUrl`. The client's own are `connection_failed`, `timed_out`,
   * `unreadable_answer`, and `http_<status>` for an answer without a code, which is not Herald's.
   */
  readonly code: string;
  /** The field that `code` is about, as in the request. */
  readonly param: string | undefined;
  /** The page that describes `code`. */
  readonly docUrl: string | undefined;
  /** The id of the request in the logs of the service. */
  readonly requestId: string | undefined;
  /** Every wrong field. */
  readonly problems: readonly Problem[];
  /** The time after which the request may succeed. */
  readonly retryAfterSeconds: number | undefined;
  /** The body of the answer, with the fields that only some codes have, such as `oldestCursor` of `events_expired`. */
  readonly body: Readonly<Record<string, unknown>>;

  constructor(failure: Failure) {
    super(failure.message, failure.cause === undefined ? {} : { cause: failure.cause });
    const { code, status, requestId, retryAfterSeconds, body = {} } = failure;
    const details = body['details'] as { readonly problems?: readonly Problem[] } | undefined;
    this.status = status;
    this.code = code;
    this.param = textIn(body, 'param');
    this.docUrl = textIn(body, 'docUrl');
    this.requestId = requestId;
    this.problems = details?.problems ?? [];
    this.retryAfterSeconds = retryAfterSeconds;
    this.body = body;
  }
}

/** Makes an error of an answer that is not 2xx. @param request its name in the message, such as `getPost` */
export function errorOf(request: string, response: Response, text: string, nowMs: number): HeraldError {
  const { status, headers } = response;
  const body = objectIn(text);
  // API Gateway and proxies answer in other forms.
  const message = textIn(body, 'error') ?? textIn(body, 'message') ?? 'refused without a reason';
  return new HeraldError({
    message: textIn(body, 'error') ?? `${request}: ${message} (status ${status})`,
    code: textIn(body, 'code') ?? `http_${status}`,
    status,
    requestId: headers.get('X-Request-Id') ?? undefined,
    retryAfterSeconds: secondsOf(headers.get('Retry-After'), nowMs),
    body,
  });
}

/** Reads `Retry-After`: seconds, or a date. */
function secondsOf(header: string | null, nowMs: number): number | undefined {
  if (header === null || header.trim() === '') return undefined;
  const number = Number(header);
  const seconds = Number.isNaN(number) ? (Date.parse(header) - nowMs) / 1000 : number;
  return Number.isNaN(seconds) ? undefined : Math.max(0, seconds);
}

function objectIn(text: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}

function textIn(body: Readonly<Record<string, unknown>>, name: string): string | undefined {
  const value = body[name];
  return typeof value === 'string' ? value : undefined;
}
