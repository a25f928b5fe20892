import * as z from 'zod';
import { secondMs, toTimestamp } from '../../kernel/clock.ts';
import type { AuthorizationRequest, TokenSet } from '../contract/authorization.ts';
import { isAboutAccount, PlatformError, UnusableLoginError } from '../contract/errors.ts';
import type { PlatformFeatures } from '../contract/features.ts';
import type { PlatformResponse } from '../contract/http.ts';
import type { PlatformTools } from '../contract/tools.ts';
import { readResponse } from './json.ts';

/**
 * Returns the URL of the consent page for the user's browser (RFC 6749, section 4.1.1).
 *
 * @param page the page's real URL at the platform
 * @param more `scope`, the scopes in the platform's own notation, or what stands for it, and further parameters of the platform
 */
export function consentUrl(
  { http, app }: Pick<PlatformTools, 'http' | 'app'>,
  page: string,
  { state, redirectUri }: AuthorizationRequest,
  more: Readonly<Record<string, string>>,
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

const seconds = z.number().positive().optional().catch(undefined);

const TokenResponse = z.object({
  access_token: z.string().min(1),
  expires_in: z.number().positive(),
  refresh_token: z.string().min(1).optional(),
  // The life of the refresh token, in seconds. RFC 6749 does not have it. Google (only for time-limited grants),
  // LinkedIn and Pinterest send the first field, TikTok the second.
  // https://developers.google.com/identity/protocols/oauth2/web-server#exchange-authorization-code
  // https://learn.microsoft.com/en-us/linkedin/shared/authentication/programmatic-refresh-tokens
  // https://developers.pinterest.com/docs/api/v5/oauth-token
  // https://developers.tiktok.com/doc/oauth-user-access-token-management
  refresh_token_expires_in: seconds,
  refresh_expires_in: seconds,
  scope: z.string().catch(''),
});

/**
 * Reads the tokens from a token endpoint's response (RFC 6749, section 5.1).
 *
 * @param now epoch milliseconds
 * @param before the values to keep if the response omits them
 * @throws PlatformError `unknown` if the response has no tokens
 */
export function readTokens(
  response: PlatformResponse,
  now: number,
  before: Pick<TokenSet, 'refreshToken' | 'refreshExpiresAt' | 'scopes'> = { scopes: [] },
): TokenSet {
  const tokens = readResponse(TokenResponse, response);
  const { refresh_token: refreshToken = before.refreshToken } = tokens;
  const lifeSeconds = tokens.refresh_token_expires_in ?? tokens.refresh_expires_in;
  const isSame = refreshToken === before.refreshToken;
  // A token that is returned again keeps its end, although the rest of its life is rounded to seconds.
  const known = isSame ? before.refreshExpiresAt : undefined;
  const refreshExpiresAt =
    known ?? (lifeSeconds === undefined ? undefined : toTimestamp(now + lifeSeconds * secondMs));
  const scopes = tokens.scope.split(/[\s,]+/).filter((scope) => scope !== '');
  return {
    accessToken: tokens.access_token,
    ...(refreshToken !== undefined && { refreshToken }),
    ...(refreshToken !== undefined && refreshExpiresAt !== undefined && { refreshExpiresAt }),
    expiresAt: toTimestamp(now + tokens.expires_in * secondMs),
    obtainedAt: toTimestamp(now),
    scopes: scopes.length > 0 ? scopes : before.scopes,
  };
}

/**
 * Checks the granted scopes.
 *
 * @throws UnusableLoginError that names every scope of the feature `publish` that the user did not grant
 */
export function requirePublishing(
  platform: string,
  { scopes: { publish: required } }: PlatformFeatures,
  granted: readonly string[],
): void {
  const missing = required.filter((scope) => !granted.includes(scope));
  if (missing.length === 0) return;
  throw new UnusableLoginError(
    'missing_permissions',
    `${platform} did not grant every required permission: connect again and leave all permissions selected. Missing: ${missing.join(', ')}`,
  );
}

/** Turns `reauthorise` into `rejected`, because some platforms refuse a used code as an invalid token. Keeps other errors. */
export function usedCodeError(error: unknown): unknown {
  if (!(error instanceof PlatformError) || error.remedy !== 'reauthorise') return error;
  const message = `${error.message} The consent has expired or was already used: connect again.`;
  return new PlatformError('rejected', message, { cause: error });
}

/** Returns the refresh token. @throws PlatformError `reauthorise` if there is none */
export function requireRefreshToken({ refreshToken }: TokenSet): string {
  if (refreshToken !== undefined) return refreshToken;
  throw new PlatformError('reauthorise', 'There is no refresh token: connect the account again.');
}

/**
 * Runs a refresh and limits its errors to four: `reauthorise` if the platform refuses the token itself, `restricted` if
 * it has restricted the account as a whole, `unknown` if the response was lost, and `retry` for everything else. That
 * includes an operator's mistake in the app's credentials, for which the account is not to blame.
 */
export async function refreshing<T>(refresh: () => Promise<T>): Promise<T> {
  try {
    return await refresh();
  } catch (error) {
    if (!(error instanceof PlatformError)) throw error;
    if (isAboutAccount(error) || error.remedy === 'retry' || error.remedy === 'unknown') throw error;
    const { message, status, platformCode, retryAfterSeconds } = error;
    throw new PlatformError('retry', message, {
      status,
      platformCode,
      retryAfterSeconds,
      cause: error,
    });
  }
}
