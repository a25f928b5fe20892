import type { Json } from '../../kernel/json.ts';

/**
 * What to do about a failed platform call:
 * - `retry`: later, after `retryAfterSeconds` where the platform says so;
 * - `reauthorise`: the token is dead and only the account's owner can give a new one;
 * - `restricted`: the platform has restricted the account; its owner must act there;
 * - `rejected`: this request will never be accepted;
 * - `unknown`: it may or may not have taken effect. Before the last call that is the same as `retry`; at the last
 *   call nothing may be repeated before the platform was asked.
 */
export type Remedy = 'retry' | 'reauthorise' | 'restricted' | 'rejected' | 'unknown';

/** A platform call that did not do what was asked. The message is for people and holds the platform's own words. */
export class PlatformError extends Error {
  override readonly name = 'PlatformError';
  readonly remedy: Remedy;
  readonly retryAfterSeconds: number | undefined;
  /**
   * For `unknown` alone: what to do once it is proven that nothing took effect. `rejected` where the platform did
   * refuse, but in a way that is known to lie; `retry` everywhere else.
   */
  readonly ifAbsent: 'retry' | 'rejected';
  /**
   * For `unknown` at the last call alone: what that call has left, such as the id of a post that is being processed. It
   * is committed in the place of the job's preparation, for the platform to be asked about.
   */
  readonly preparation: { readonly [key: string]: Json } | undefined;
  /** HTTP status of the answer; undefined where none came. */
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
