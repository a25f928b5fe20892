import type { Json } from '../../kernel/json.ts';

/**
 * What to do about a failed platform call:
 * - `retry`: retry later, after `retryAfterSeconds` if the platform names a time;
 * - `reauthorise`: the token is no longer valid and only the account's owner can grant a new one;
 * - `restricted`: the platform has restricted the account; its owner must act there;
 * - `rejected`: the platform will never accept this request;
 * - `unknown`: the call may or may not have taken effect. During preparation this is the same as `retry`. A go-live
 *   call must not be repeated until the worker has looked up what became of it.
 */
export type Remedy = 'retry' | 'reauthorise' | 'restricted' | 'rejected' | 'unknown';

/** A failed platform call. The message is for people and quotes the platform. */
export class PlatformError extends Error {
  override readonly name = 'PlatformError';
  readonly remedy: Remedy;
  readonly retryAfterSeconds: number | undefined;
  /**
   * Only for `unknown`: what to do once it is proven that nothing took effect. `rejected` if the platform refused the
   * call, but with an error that it is known to send for successful calls too; `retry` otherwise.
   */
  readonly ifAbsent: 'retry' | 'rejected';
  /**
   * Only during preparation and at the last call: committed in place of the job's preparation. It says where to continue,
   * such as without a container that the platform has lost. With `unknown` at the last call, it has what the call created,
   * such as the id of a post in processing, so that `lookUp` can ask the platform about it.
   */
  readonly preparation: { readonly [key: string]: Json } | undefined;
  /** HTTP status of the response; undefined if there was none. */
  readonly status: number | undefined;
  /** The platform's own code, such as `9004/2207052` or `quotaExceeded`. */
  readonly platformCode: string | undefined;

  constructor(
    remedy: Remedy,
    message: string,
    details: {
      status?: number | undefined;
      platformCode?: string | undefined;
      retryAfterSeconds?: number | undefined;
      ifAbsent?: 'retry' | 'rejected' | undefined;
      preparation?: { readonly [key: string]: Json };
      cause?: unknown;
    } = {},
  ) {
    super(message, details.cause === undefined ? undefined : { cause: details.cause });
    this.remedy = remedy;
    this.status = details.status;
    this.platformCode = details.platformCode;
    this.retryAfterSeconds = details.retryAfterSeconds;
    this.ifAbsent = details.ifAbsent ?? 'retry';
    this.preparation = details.preparation;
  }
}

/** A login that cannot be connected until the user changes something at the platform. */
export class UnusableLoginError extends PlatformError {
  /** The user did not grant every permission, or the login has no account that can be published to. */
  readonly problem: 'missing_permissions' | 'no_accounts';

  constructor(problem: UnusableLoginError['problem'], message: string) {
    super('rejected', message);
    this.problem = problem;
  }
}
