import { dayMs, hourMs, secondMs } from '../../kernel/clock.ts';
import type { TokenRenewal } from '../../platforms/contract/authorization.ts';
import { PlatformError } from '../../platforms/contract/errors.ts';
import { fractionOf } from './renewal-time.ts';
import type { StoredTokens } from './store.ts';

/** The next step for an account whose tokens could not be renewed, and the time of the sweep's next attempt. */
export type AfterFailure =
  | { readonly kind: 'wait'; readonly againMs: number }
  /** The refresh token no longer works. The access token is used until it expires. */
  | { readonly kind: 'useUp'; readonly endsAt: string; readonly againMs: number }
  | { readonly kind: 'expire'; readonly reason: string; readonly againMs?: undefined }
  | { readonly kind: 'restrict'; readonly reason: string; readonly againMs: number };

/** Limit on the wait that a platform may ask for. Tokens are renewed weeks early, so a day is harmless. */
const longestWaitMs = dayMs;

/**
 * Decides from the failure's remedy. Pure.
 *
 * @param now epoch milliseconds
 */
export function afterFailure(
  error: unknown,
  {
    accountId,
    stored: { expiresAt },
    renewal,
    now,
  }: {
    readonly accountId: string;
    readonly stored: Pick<StoredTokens, 'expiresAt'>;
    readonly renewal: TokenRenewal;
    readonly now: number;
  },
): AfterFailure {
  const {
    remedy,
    message,
    retryAfterSeconds = 0,
  } = error instanceof PlatformError ? error : new PlatformError('retry', 'an error on our side');
  if (remedy === 'restricted') return { kind: 'restrict', reason: message, againMs: now + dayMs };
  if (remedy === 'reauthorise') {
    const isGood = !renewal.byAccessToken && expiresAt !== undefined && Date.parse(expiresAt) > now;
    return isGood
      ? { kind: 'useUp', endsAt: expiresAt, againMs: Date.parse(expiresAt) }
      : { kind: 'expire', reason: message };
  }
  // One to two hours, different for each account, so that accounts that failed together are retried apart.
  const waitMs = Math.max(retryAfterSeconds * secondMs, hourMs * (1 + fractionOf(accountId)));
  return { kind: 'wait', againMs: now + Math.floor(Math.min(waitMs, longestWaitMs)) };
}
