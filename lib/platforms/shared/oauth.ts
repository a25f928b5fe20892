import * as z from 'zod';
import { secondMs, toTimestamp } from '../../kernel/clock.ts';
import type { AuthorizationRequest, TokenSet } from '../contract/authorization.ts';
import { PlatformError } from '../contract/errors.ts';
import type { PlatformAnswer } from '../contract/http.ts';
import type { PlatformTools } from '../contract/tools.ts';
import { readAnswer } from './json.ts';

/**
 * Where the user's browser is sent (RFC 6749, section 4.1.1).
 *
 * @param page the platform's real address
 * @param more the scopes, in the platform's own notation, and what else it asks for
 */
export function consentUrl(
  { http, app }: Pick<PlatformTools, 'http' | 'app'>,
  page: string,
  { state, redirectUri }: AuthorizationRequest,
  more: { readonly scope: string } & Readonly<Record<string, string>>,
): string {
  const query = new URLSearchParams({
    client_id: app.clientId,
    redirect_uri: redirectUri,
    response_type: 'code',
    state,
    ...more,
  });
  return `${http.addressOf(page)}?${query}`;
}

const TokenAnswer = z.object({
  access_token: z.string().min(1),
  expires_in: z.number().positive(),
  refresh_token: z.string().min(1).optional(),
  scope: z.string().catch(''),
});

/**
 * The tokens in a token endpoint's answer (RFC 6749, section 5.1).
 *
 * @param now epoch milliseconds
 * @param before what stays as it was if the answer does not repeat it
 */
export function readTokens(
  answer: PlatformAnswer,
  now: number,
  before: Pick<TokenSet, 'refreshToken' | 'scopes'> = { scopes: [] },
): TokenSet {
  const tokens = readAnswer(TokenAnswer, answer);
  const { refresh_token: refreshToken = before.refreshToken } = tokens;
  const scopes = tokens.scope.split(/[\s,]+/).filter((scope) => scope !== '');
  return {
    accessToken: tokens.access_token,
    ...(refreshToken !== undefined && { refreshToken }),
    expiresAt: toTimestamp(now + tokens.expires_in * secondMs),
    obtainedAt: toTimestamp(now),
    scopes: scopes.length > 0 ? scopes : before.scopes,
  };
}

/** @throws PlatformError `rejected` naming every scope that the user left out */
export function requireScopes(
  platform: string,
  required: readonly string[],
  granted: readonly string[],
): void {
  const missing = required.filter((scope) => !granted.includes(scope));
  if (missing.length === 0) return;
  throw new PlatformError(
    'rejected',
    `${platform} was not allowed everything that is needed: connect again and leave every permission ticked. Missing: ${missing.join(', ')}`,
  );
}

/** A platform may refuse a code in the words of a dead token; that is `rejected` here. Other errors are returned as they are. */
export function spentCode(error: unknown): unknown {
  if (!(error instanceof PlatformError) || error.remedy !== 'reauthorise') return error;
  const message = `${error.message} The consent was used up or is too old: connect again.`;
  return new PlatformError('rejected', message, { cause: error });
}

/** @throws PlatformError `reauthorise` if there is no refresh token */
export function requireRefreshToken({ refreshToken }: TokenSet): string {
  if (refreshToken !== undefined) return refreshToken;
  throw new PlatformError('reauthorise', 'There is no refresh token: connect the account again.');
}

/**
 * Runs a refresh so that it fails in one of three ways: `reauthorise` if the platform refuses the token itself,
 * `restricted` if it has restricted the account, and `retry` for everything else, an operator's mistake in the app's
 * credentials included, which says nothing about the account.
 */
export async function refreshing<T>(refresh: () => Promise<T>): Promise<T> {
  try {
    return await refresh();
  } catch (error) {
    if (!(error instanceof PlatformError)) throw error;
    if (error.remedy === 'reauthorise' || error.remedy === 'restricted' || error.remedy === 'retry')
      throw error;
    const { message, status, platformCode, retryAfterSeconds } = error;
    throw new PlatformError('retry', message, {
      status,
      platformCode,
      retryAfterSeconds,
      cause: error,
    });
  }
}
