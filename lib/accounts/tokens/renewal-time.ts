import { hourMs, secondMs } from '../../kernel/clock.ts';
import type { TokenRenewal, TokenSet } from '../../platforms/contract/authorization.ts';

/** The maximum fraction of their age by which tokens are renewed early, so that accounts connected together are spread out. */
const spread = 1 / 4;

/**
 * Returns the time at which the sweep must process a set: to renew it or, if it cannot be renewed, to mark its expiry. Pure.
 *
 * @param accountId a UUID whose last digits are random; an account is always early by the same fraction
 * @returns epoch milliseconds; undefined if the sweep never has anything to do
 */
export function renewalDueMs(accountId: string, tokens: TokenSet, renewal: TokenRenewal): number | undefined {
  const { expiresAt, obtainedAt } = tokens;
  const endMs = expiresAt === undefined ? undefined : Date.parse(expiresAt);
  if (!isRenewable(tokens, renewal)) return endMs;
  const obtainedMs = Date.parse(obtainedAt);
  const sweepAgeMs = renewal.sweepAgeSeconds * secondMs;
  const isEndless = endMs === undefined || !renewal.byAccessToken;
  const ageMs = isEndless ? sweepAgeMs : Math.min(sweepAgeMs, (endMs - obtainedMs) / 2);
  const earlierMs = ageMs * spread * fractionOf(accountId);
  const dueMs = obtainedMs + Math.max(renewal.minimumAgeSeconds * secondMs, Math.floor(ageMs - earlierMs));
  const lastMs = Date.parse(authorizationEnd(tokens, renewal) ?? '');
  // At the end the platform refuses, and the account is marked. An end that has passed proved to be wrong.
  return lastMs > obtainedMs ? Math.min(dueMs, lastMs) : dueMs;
}

/**
 * Returns the end of an authorization that only connecting the account again can extend. Pure.
 *
 * @returns a timestamp; undefined if renewals can extend the authorization forever, or if its end is unknown
 */
export function authorizationEnd(tokens: TokenSet, renewal: TokenRenewal): string | undefined {
  if (!isRenewable(tokens, renewal)) return tokens.expiresAt;
  return renewal.byAccessToken || renewal.extendsRefreshToken ? undefined : tokens.refreshExpiresAt;
}

/** Two ends within this time count as the same. A response gives an end as seconds left, so it varies by a few seconds. */
const sameEndMs = hourMs;

/**
 * Returns the known end if the new one differs only by rounding, so that an end does not move with each renewal. Pure.
 *
 * @param known as a timestamp, like `next`; undefined if there is none
 */
export function steadyEnd(known: string | undefined, next: string | undefined): string | undefined {
  if (known === undefined || next === undefined) return next;
  return Math.abs(Date.parse(next) - Date.parse(known)) < sameEndMs ? known : next;
}

/** True if the set can be used to request a new one. */
export function isRenewable({ refreshToken }: TokenSet, { byAccessToken }: TokenRenewal): boolean {
  return byAccessToken === true || refreshToken !== undefined;
}

/** Maps an account to a constant number in [0, 1), evenly distributed over accounts. */
export function fractionOf(accountId: string): number {
  return Number.parseInt(accountId.slice(-8), 16) / 2 ** 32;
}
