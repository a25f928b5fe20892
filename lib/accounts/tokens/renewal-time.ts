import { secondMs } from '../../kernel/clock.ts';
import type { TokenRenewal, TokenSet } from '../../platforms/contract/authorization.ts';

/** By which part of its age a set may be renewed early, so that what was connected together is not renewed together. */
const spread = 1 / 4;

/**
 * When the sweep takes up a set: to renew it or, where nothing can renew it, at its end, to say so. Pure.
 *
 * @param accountId a UUID whose last digits are random: it is always the same account that is early
 * @returns epoch milliseconds; undefined where there is nothing to do, ever
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
  return obtainedMs + Math.max(renewal.minimumAgeSeconds * secondMs, Math.floor(ageMs - earlierMs));
}

/** Whether there is anything that a new set can be asked for with. */
export function isRenewable({ refreshToken }: TokenSet, { byAccessToken }: TokenRenewal): boolean {
  return byAccessToken === true || refreshToken !== undefined;
}

/** The same number in [0, 1) for the same account, evenly spread over all of them. */
export function fractionOf(accountId: string): number {
  return Number.parseInt(accountId.slice(-8), 16) / 2 ** 32;
}
