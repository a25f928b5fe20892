import * as z from 'zod';
import { secondMs, toTimestamp } from '../../kernel/clock.ts';
import type { TokenSet } from '../contract/authorization.ts';
import { PlatformError } from '../contract/errors.ts';
import type { Parameters } from '../contract/http.ts';
import type { PlatformApp, PlatformTools } from '../contract/tools.ts';
import { type ErrorRule, platformError, unreadable } from '../shared/error-table.ts';
import { readAnswer } from '../shared/json.ts';
import { refreshing } from '../shared/oauth.ts';

const OAuthError = z.object({ error: z.string(), error_description: z.string().catch('') });

const TokenAnswer = z.object({
  access_token: z.string().min(1),
  expires_in: z.number().positive(),
  refresh_token: z.string().min(1).optional(),
  scope: z.string().optional(),
});

/** @param scopes that were asked for: LinkedIn need not repeat them */
export function exchangeCode(
  app: PlatformApp,
  grant: { readonly code: string; readonly redirectUri: string },
  scopes: readonly string[],
  tools: PlatformTools,
): Promise<TokenSet> {
  const form = { grant_type: 'authorization_code', code: grant.code, redirect_uri: grant.redirectUri };
  return requestTokens(app, form, scopes, { remedy: 'rejected' }, tools);
}

/**
 * Only approved partner apps are given refresh tokens. The year that one lasts counts from the consent.
 *
 * @throws PlatformError `reauthorise` where there is none, or LinkedIn no longer takes it
 */
export async function refreshTokens(
  app: PlatformApp,
  tokens: TokenSet,
  tools: PlatformTools,
): Promise<TokenSet> {
  const { refreshToken, scopes } = tokens;
  if (refreshToken === undefined) {
    throw new PlatformError(
      'reauthorise',
      'LinkedIn gives this app access for 60 days and no means to renew it: connect the account again.',
    );
  }
  const form = { grant_type: 'refresh_token', refresh_token: refreshToken };
  const fresh = await refreshing(() => requestTokens(app, form, scopes, { remedy: 'reauthorise' }, tools));
  return { ...fresh, refreshToken: fresh.refreshToken ?? refreshToken };
}

/** @param ifInvalid what `invalid_request`, LinkedIn's word for a code or token that is over, means here */
async function requestTokens(
  { clientId, clientSecret }: PlatformApp,
  form: Parameters,
  scopes: readonly string[],
  ifInvalid: ErrorRule,
  { http, now }: PlatformTools,
): Promise<TokenSet> {
  const answer = await http.send({
    method: 'POST',
    url: 'https://www.linkedin.com/oauth/v2/accessToken',
    body: { form: { ...form, client_id: clientId, client_secret: clientSecret } },
  });
  const refused = OAuthError.safeParse(answer.json);
  if (refused.success) {
    const { error: platformCode, error_description: message } = refused.data;
    const failure = { platformCode, message, status: answer.status };
    throw platformError(
      'LinkedIn',
      failure,
      platformCode === 'invalid_request' ? ifInvalid : { remedy: 'rejected' },
    );
  }
  if (answer.status !== 200) throw unreadable('LinkedIn', answer);
  const tokens = readAnswer(TokenAnswer, answer);
  const granted = tokens.scope?.split(/[\s,]+/).filter((scope) => scope !== '');
  return {
    accessToken: tokens.access_token,
    ...(tokens.refresh_token !== undefined && { refreshToken: tokens.refresh_token }),
    expiresAt: toTimestamp(now() + tokens.expires_in * secondMs),
    obtainedAt: toTimestamp(now()),
    scopes: granted ?? scopes,
  };
}
