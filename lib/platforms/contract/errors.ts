import type { Json } from '../../kernel/json.ts';

/**
 * The way to deal with a failed platform call:
 * - `retry`: retry later, after `retryAfterSeconds` if the platform names a time;
 * - `reauthorise`: the token is no longer valid, or lacks a permission, and only the account's owner can grant a new one;
 * - `restricted`: the platform has restricted what the account may do; its owner must act there;
 * - `rejected`: the platform will never accept this request;
 * - `unknown`: the call may or may not have taken effect. During preparation this is the same as `retry`. A go-live call
 *   must not be repeated until the worker has looked up its outcome.
 */
export type Remedy = 'retry' | 'reauthorise' | 'restricted' | 'rejected' | 'unknown';

/**
 * The subject of an error:
 * - `account`: the token or the account as a whole, so nothing that the account does succeeds. Only this marks the account;
 * - `feature`: one permission or one kind of action, such as comments. Everything else still works;
 * - `post`: this one request, because of its content or its time;
 * - `app`: the operator's app at the platform, for all accounts.
 */
export type Concern = 'account' | 'feature' | 'post' | 'app';

/** A failed platform call. The message is for people and quotes the platform. */
export class PlatformError extends Error {
  override readonly name = 'PlatformError';
  readonly remedy: Remedy;
  /** Default: `account` for `reauthorise` and `restricted`, otherwise `post`. */
  readonly concerns: Concern;
  /** True if the reason for a `retry` is a limit on posts or calls per day. Such a limit ends within a day. */
  readonly isDailyLimit: boolean;
  readonly retryAfterSeconds: number | undefined;
  /**
   * The remedy of an `unknown` error once it is proven that nothing took effect: `rejected` if the platform refused the
   * call, but with an error that it is known to send for successful calls too; `retry` otherwise.
   */
  readonly ifAbsent: 'retry' | 'rejected';
  /**
   * The preparation to commit in place of the job's, for errors of preparation and of the last call. It says where to
   * continue, such as without a container that the platform has lost. With `unknown` at the last call, it has what the
   * call created, such as the id of a post in processing, so that `lookUp` can ask the platform about it.
   */
  readonly preparation: { readonly [key: string]: Json } | undefined;
  /** True for an `unknown` error if the platform has accepted the call and processes it, so that it may take effect later. */
  readonly isProcessing: boolean;
  /** The HTTP status of the response; undefined if there was none. */
  readonly status: number | undefined;
  /** The platform's own code, such as `9004/2207052` or `quotaExceeded`. */
  readonly platformCode: string | undefined;

  constructor(
    remedy: Remedy,
    message: string,
    details: {
      concerns?: Concern | undefined;
      isDailyLimit?: boolean | undefined;
      status?: number | undefined;
      platformCode?: string | undefined;
      retryAfterSeconds?: number | undefined;
      ifAbsent?: 'retry' | 'rejected' | undefined;
      preparation?: { readonly [key: string]: Json };
      isProcessing?: boolean;
      cause?: unknown;
    } = {},
  ) {
    super(message, details.cause === undefined ? undefined : { cause: details.cause });
    this.remedy = remedy;
    const isOfAccount = remedy === 'reauthorise' || remedy === 'restricted';
    this.concerns = details.concerns ?? (isOfAccount ? 'account' : 'post');
    this.isDailyLimit = details.isDailyLimit ?? false;
    this.status = details.status;
    this.platformCode = details.platformCode;
    this.retryAfterSeconds = details.retryAfterSeconds;
    this.ifAbsent = details.ifAbsent ?? 'retry';
    this.preparation = details.preparation;
    this.isProcessing = details.isProcessing ?? false;
  }
}

/** Returns true if a platform refused the token, or restricts the account, as a whole. */
export function isAboutAccount(error: unknown): boolean {
  if (!(error instanceof PlatformError) || error.concerns !== 'account') return false;
  return error.remedy === 'reauthorise' || error.remedy === 'restricted';
}

/** The error for a login that cannot be connected until the user changes something at the platform. */
export class UnusableLoginError extends PlatformError {
  /** The reason: the user did not grant every permission, or the login has no account that can be published to. */
  readonly problem: 'missing_permissions' | 'no_accounts';

  constructor(problem: UnusableLoginError['problem'], message: string) {
    super('rejected', message);
    this.problem = problem;
  }
}
