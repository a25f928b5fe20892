import * as z from 'zod';
import { dayMs, secondMs } from '../../kernel/clock.ts';
import type { ConnectableAccount, PlatformAuthorization, TokenSet } from '../contract/authorization.ts';
import type { Parameters } from '../contract/http.ts';
import type { PlatformTools } from '../contract/tools.ts';
import { dead, type ErrorRule, platformError } from '../shared/error-table.ts';
import { readResponse } from '../shared/json.ts';
import { consentUrl, readTokens, refreshing, requirePublishing } from '../shared/oauth.ts';
import { boardsForMeta, pinterestBoards } from './boards.ts';
import { apiRoot, callPinterest, PinterestId } from './client.ts';
import { readFailure, requireSuccess } from './errors.ts';
import { pinterestFeatures } from './features.ts';

/**
 * The flow of "Set up authentication and authorization". One login is one account; its `meta.boards` lists the boards for Pins.
 */
export const pinterestAuthorization: PlatformAuthorization = {
  usesPkce: false,
  features: pinterestFeatures,
  // An access token lasts 30 days. A refresh token lasts 60 days, and each refresh returns a new one.
  renewal: {
    minimumAgeSeconds: 0,
    aheadSeconds: dayMs / secondMs,
    sweepAgeSeconds: (20 * dayMs) / secondMs,
    extendsRefreshToken: true,
  },

  // Pinterest documents no parameter for asking a person again who has consented before, so only our own pages ask.
  // https://developers.pinterest.com/docs/getting-started/set-up-authentication-and-authorization/
  authorizationUrl: (request, tools) =>
    consentUrl(tools, 'https://www.pinterest.com/oauth/', request, {
      scope: request.scopes.join(','),
    }),

  async exchange({ code, redirectUri }, tools) {
    const form = {
      grant_type: 'authorization_code',
      code,
      redirect_uri: redirectUri,
      // Apps created before 25 September 2025 must set this to get continuous refresh tokens.
      continuous_refresh: 'true',
    };
    const tokens = await requestTokens(form, { remedy: 'rejected' }, tools);
    requirePublishing('Pinterest', pinterestFeatures, tokens.scopes);
    return [await readAccount(tokens, tools)];
  },

  /** Refreshes the tokens. Each refresh invalidates its refresh token and returns the next one. */
  refresh: (tokens, tools) =>
    refreshing(() => {
      const form = { grant_type: 'refresh_token', refresh_token: tokens.refreshToken };
      return requestTokens(form, dead, tools, tokens);
    }),
};

/** The code of "The authorization grant is invalid": the code or refresh token is no longer valid. */
const invalidGrant = 283;

/** Requests tokens. @param ifInvalid the rule for a code or refresh token that Pinterest does not accept */
async function requestTokens(
  form: Parameters,
  ifInvalid: ErrorRule,
  tools: PlatformTools,
  before?: TokenSet,
): Promise<TokenSet> {
  const { http, now, app } = tools;
  const credentials = Buffer.from(`${app.clientId}:${app.clientSecret}`).toString('base64');
  const response = await http.send({
    method: 'POST',
    url: `${apiRoot(tools)}/oauth/token`,
    headers: { authorization: `Basic ${credentials}` },
    body: { form },
  });
  const refused = readFailure(response);
  if (refused && (response.status === 400 || response.status === 401)) {
    // Any other 401 means that the app's own credentials are wrong. The account is not at fault.
    const isInvalid = refused.code === invalidGrant || response.status === 400;
    throw platformError('Pinterest', refused, isInvalid ? ifInvalid : wrongCredentials);
  }
  return readTokens(requireSuccess(response, now()), now(), before);
}

const wrongCredentials: ErrorRule = {
  remedy: 'rejected',
  advice: "The operator of this service must check the app's id and secret.",
};

const text = z.string().nullish().catch(undefined);
const UserAccount = z.object({
  id: PinterestId,
  username: z.string().min(1),
  business_name: text,
  profile_image: text,
});

async function readAccount(tokens: TokenSet, tools: PlatformTools): Promise<ConnectableAccount> {
  const bearer = tokens.accessToken;
  const profile = readResponse(
    UserAccount,
    await callPinterest(tools, { method: 'GET', path: 'user_account', bearer }),
  );
  return {
    platformAccountId: profile.id,
    username: profile.username,
    displayName: profile.business_name || profile.username,
    avatarUrl: profile.profile_image || null,
    meta: { boards: boardsForMeta(await pinterestBoards.listBoards(bearer, tools)) },
    tokens,
  };
}
