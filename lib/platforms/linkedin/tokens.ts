import * as z from 'zod';
import type { AuthorizationGrant, TokenSet } from '../contract/authorization.ts';
import { PlatformError } from '../contract/errors.ts';
import type { Parameters } from '../contract/http.ts';
import type { PlatformApp, PlatformTools } from '../contract/tools.ts';
import { dead, type ErrorRule, platformError, unreadable } from '../shared/error-table.ts';
import { readTokens, refreshing } from '../shared/oauth.ts';

const OAuthError = z.object({ error: z.string(), error_description: z.string().catch('') });

export function exchangeCode(
  app: PlatformApp,
  grant: AuthorizationGrant,
  tools: PlatformTools,
): Promise<TokenSet> {
  const form = { grant_type: 'authorization_code', code: grant.code, redirect_uri: grant.redirectUri };
  return requestTokens(app, form, { scopes: grant.scopes }, { remedy: 'rejected' }, tools);
}

/**
 * Refreshes the tokens. LinkedIn gives refresh tokens to approved partner apps only; one lasts a year from the consent.
 *
 * @throws PlatformError `reauthorise` if there is no refresh token or LinkedIn no longer accepts it
 */
export async function refreshTokens(
  app: PlatformApp,
  tokens: TokenSet,
  tools: PlatformTools,
): Promise<TokenSet> {
  const { refreshToken } = tokens;
  if (refreshToken === undefined) {
    throw new PlatformError(
      'reauthorise',
      'LinkedIn grants this app access for 60 days and no refresh token: connect the account again.',
    );
  }
  const form = { grant_type: 'refresh_token', refresh_token: refreshToken };
  return refreshing(() => requestTokens(app, form, tokens, dead, tools));
}

/** Requests tokens. @param ifInvalid the rule for `invalid_request`, LinkedIn's error for an expired or used code or token */
async function requestTokens(
  { clientId, clientSecret }: PlatformApp,
  form: Parameters,
  before: Pick<TokenSet, 'refreshToken' | 'refreshExpiresAt' | 'scopes'>,
  ifInvalid: ErrorRule,
  { http, now }: PlatformTools,
): Promise<TokenSet> {
  const response = await http.send({
    method: 'POST',
    url: 'https://www.linkedin.com/oauth/v2/accessToken',
    body: { form: { ...form, client_id: clientId, client_secret: clientSecret } },
  });
  const refused = OAuthError.safeParse(response.json);
  if (refused.success) {
    const { error: platformCode, error_description: message } = refused.data;
    const failure = { platformCode, message, status: response.status };
    throw platformError(
      'LinkedIn',
      failure,
      platformCode === 'invalid_request' ? ifInvalid : { remedy: 'rejected' },
    );
  }
  if (response.status !== 200) throw unreadable('LinkedIn', response);
  return readTokens(response, now(), before);
}
