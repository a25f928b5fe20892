import type { ErrorCode } from '../../kernel/error-codes.ts';

/** What only the browser can find out. `malformed`: the response is not the service's, such as a proxy's page. */
export type LocalCode = 'offline' | 'unreachable' | 'timeout' | 'malformed';

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
  /** To quote when somebody reports the problem. */
  readonly requestId: string | undefined;
  /** When the service asks to be left alone until later. Milliseconds from the response. */
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

/** Whether the person only has to sign in for the same request to work. */
export const needsSignIn = (error: unknown): error is ApiError =>
  error instanceof ApiError && (error.status === 401 || error.code === 'sign_in_again');

/** Whether nobody knows if the request had its effect: the service may have done it, and its reply was lost. */
export const isUnanswered = (error: unknown): boolean =>
  error instanceof ApiError && (error.status === 0 || error.status >= 500);

/** Whether the thing does not exist, or not for this person. */
export const isNotFound = (error: unknown): boolean => error instanceof ApiError && error.status === 404;
