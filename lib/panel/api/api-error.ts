import type { ErrorBody } from '../../api-contract/error-body.ts';
import type { ErrorCode } from '../../kernel/error-codes.ts';
import { words } from '../words/words.ts';

/** Failures that only the browser notices. `malformed`: the response is not the service's, such as a proxy's page. */
type LocalCode = 'offline' | 'unreachable' | 'timeout' | 'malformed';

export interface Problem {
  /** The field as in the request: `accountIds[0]`. */
  readonly param: string;
  readonly code: string;
  readonly message: string;
}

/** A request that failed. Its message is for people. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  /** 0 if there is no response. */
  readonly status: number;
  readonly code: ErrorCode | LocalCode;
  readonly param: string | undefined;
  /** Every wrong field. */
  readonly problems: readonly Problem[];
  /** The id to quote in a report of the problem. */
  readonly requestId: string | undefined;
  /** The wait that the service asks for, in milliseconds from the response. */
  readonly retryAfterMs: number | undefined;

  constructor(
    message: string,
    facts: {
      readonly status: number;
      readonly code: ErrorCode | LocalCode;
      readonly param?: string | undefined;
      readonly problems?: readonly Problem[] | undefined;
      readonly requestId?: string | undefined;
      readonly retryAfterMs?: number | undefined;
      readonly cause?: unknown;
    },
  ) {
    super(message, { cause: facts.cause });
    this.status = facts.status;
    this.code = facts.code;
    this.param = facts.param;
    this.problems = facts.problems ?? [];
    this.requestId = facts.requestId;
    this.retryAfterMs = facts.retryAfterMs;
  }
}

/** Returns true if the same request works once the person has signed in. */
export const needsSignIn = (error: unknown): error is ApiError =>
  error instanceof ApiError && (error.status === 401 || error.code === 'sign_in_again');

/** Returns true if the request may have had its effect, because only the reply was lost. */
export const isUnanswered = (error: unknown): boolean =>
  error instanceof ApiError && (error.status === 0 || error.status >= 500);

/** Returns true if the thing does not exist, or not for this person. */
export const isNotFound = (error: unknown): boolean => error instanceof ApiError && error.status === 404;

/** Turns a response that is no success into an error. It reads the body. */
export async function readError(response: Response): Promise<ApiError> {
  const { status, headers } = response;
  const requestId = headers.get('x-request-id') ?? undefined;
  const retryAfterMs = waitOf(headers.get('retry-after'));
  const body = await readBody(response);
  if (body === undefined) {
    const message = status >= 500 ? words.shared.errors.unavailable : words.shared.errors.malformed(status);
    return new ApiError(message, { status, code: 'malformed', requestId, retryAfterMs });
  }
  return new ApiError(body.error, {
    status,
    code: body.code,
    param: body.param,
    problems: body.details?.problems ?? soleProblem(body),
    requestId,
    retryAfterMs,
  });
}

/** One wrong field is named by `param` alone. The message then begins with its path. */
function soleProblem({ error, code, param }: ErrorBody) {
  if (param === undefined) return [];
  const prefix = `${param}: `;
  return [{ param, code, message: error.startsWith(prefix) ? error.slice(prefix.length) : error }];
}

async function readBody(response: Response): Promise<ErrorBody | undefined> {
  try {
    const body = (await response.json()) as Partial<ErrorBody> | null;
    return typeof body?.error === 'string' && typeof body.code === 'string' ? (body as ErrorBody) : undefined;
  } catch {
    return undefined;
  }
}

/** `Retry-After` as a number of seconds, which is how the service writes it. */
function waitOf(header: string | null): number | undefined {
  const seconds = Number(header ?? Number.NaN);
  return Number.isFinite(seconds) ? seconds * 1_000 : undefined;
}
