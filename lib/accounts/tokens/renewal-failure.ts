import { dayMs, hourMs, secondMs } from '../../kernel/clock.ts';
import type { TokenRenewal } from '../../platforms/contract/authorization.ts';
import { PlatformError } from '../../platforms/contract/errors.ts';
import { fractionOf } from './renewal-time.ts';
import type { StoredTokens } from './store.ts';

/** What is to be done about an account whose tokens could not be renewed, and when the sweep comes back to it. */
export type AfterFailure =
  | { readonly kind: 'wait'; readonly againMs: number }
  /** The refresh token is dead, but not the access token: it serves to its end. */
  | { readonly kind: 'useUp'; readonly endsAt: string; readonly againMs: number }
  | { readonly kind: 'expire'; readonly reason: string; readonly againMs?: undefined }
  | { readonly kind: 'restrict'; readonly reason: string; readonly againMs: number };

/** What a platform's wait may come to: tokens are renewed with weeks to spare, and one day is asked of nobody. */
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
  // An hour or two: those that failed together come back apart.
  const waitMs = Math.max(retryAfterSeconds * secondMs, hourMs * (1 + fractionOf(accountId)));
  return { kind: 'wait', againMs: now + Math.floor(Math.min(waitMs, longestWaitMs)) };
}
