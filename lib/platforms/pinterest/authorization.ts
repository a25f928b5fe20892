import * as z from 'zod';
import { dayMs, secondMs } from '../../kernel/clock.ts';
import type { Json } from '../../kernel/json.ts';
import { apiVersions } from '../contract/api-versions.ts';
import type { ConnectableAccount, PlatformAuthorization, TokenSet } from '../contract/authorization.ts';
import type { Parameters } from '../contract/http.ts';
import type { PlatformTools } from '../contract/tools.ts';
import { dead, type ErrorRule, platformError } from '../shared/error-table.ts';
import { readResponse } from '../shared/json.ts';
import { consentUrl, readTokens, refreshing, requireScopes } from '../shared/oauth.ts';
import { callPinterest, PinterestId } from './client.ts';
import { readFailure, requireSuccess } from './errors.ts';

/** "Set up authentication and authorization". One login is one account; its `meta.boards` lists the boards for Pins. */
export const pinterestAuthorization: PlatformAuthorization = {
  usesPkce: false,
  requiredScopes: ['user_accounts:read', 'boards:read', 'boards:write', 'pins:read', 'pins:write'],
  // An access token lasts 30 days. A refresh token lasts 60 days, and each refresh returns a new one.
  renewal: {
    minimumAgeSeconds: 0,
    aheadSeconds: dayMs / secondMs,
    sweepAgeSeconds: (20 * dayMs) / secondMs,
  },

  // Pinterest documents no parameter that asks a person again who has consented before, so only our own pages ask.
  // https://developers.pinterest.com/docs/getting-started/set-up-authentication-and-authorization/
  authorizationUrl: (request, tools) =>
    consentUrl(tools, 'https://www.pinterest.com/oauth/', request, {
      scope: pinterestAuthorization.requiredScopes.join(','),
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
    requireScopes('Pinterest', pinterestAuthorization.requiredScopes, tokens.scopes);
    return [await readAccount(tokens, tools)];
  },

  /** Each refresh invalidates its refresh token and returns the next one. */
  refresh: (tokens, tools) =>
    refreshing(() => {
      const form = { grant_type: 'refresh_token', refresh_token: tokens.refreshToken };
      return requestTokens(form, dead, tools, tokens);
    }),
};

/** "The authorization grant is invalid": the code or refresh token is no longer valid. */
const invalidGrant = 283;

/** @param ifInvalid the rule for a code or refresh token that Pinterest does not accept */
async function requestTokens(
  form: Parameters,
  ifInvalid: ErrorRule,
  tools: PlatformTools,
  before?: TokenSet,
): Promise<TokenSet> {
  const { http, now, app, apiVersion = apiVersions.pinterest.name } = tools;
  const credentials = Buffer.from(`${app.clientId}:${app.clientSecret}`).toString('base64');
  const response = await http.send({
    method: 'POST',
    url: `https://api.pinterest.com/${apiVersion}/oauth/token`,
    headers: { authorization: `Basic ${credentials}` },
    body: { form },
  });
  const refused = readFailure(response);
  if (refused && (response.status === 400 || response.status === 401)) {
    // Any other 401 means that the app's own credentials are wrong, which is no fault of the account.
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
    meta: { boards: await listBoards(bearer, tools) },
    tokens,
  };
}

const Boards = z.object({
  items: z.array(
    z.object({ id: PinterestId, name: z.string(), is_ads_only: z.boolean().optional().catch(undefined) }),
  ),
  bookmark: z.string().nullish(),
});

/** 250 boards each; an account has at most 2,000 boards. */
const maxPages = 10;
/** An account is one DynamoDB item (at most 400 kB). Only thousands of long names reach this limit. */
const maxBoardBytes = 250_000;

/** Every board that accepts Pins, except secret ones, which need further scopes. Stops adding at `maxBoardBytes`. */
async function listBoards(bearer: string, tools: PlatformTools): Promise<Json[]> {
  const boards: Json[] = [];
  let bytes = 0;
  let bookmark: string | undefined;
  for (let page = 0; page < maxPages; page += 1) {
    const query = { page_size: '250', bookmark };
    const response = await callPinterest(tools, { method: 'GET', path: 'boards', query, bearer });
    const { items, bookmark: next } = readResponse(Boards, response);
    for (const { id, name, is_ads_only: isAdsOnly } of items) {
      bytes += Buffer.byteLength(id) + Buffer.byteLength(name) + 20;
      if (!isAdsOnly && bytes <= maxBoardBytes) boards.push({ id, name });
    }
    if (!next) break;
    bookmark = next;
  }
  return boards;
}
