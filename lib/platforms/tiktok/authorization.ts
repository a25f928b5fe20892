import * as z from 'zod';
import { dayMs, secondMs, toTimestamp } from '../../kernel/clock.ts';
import { apiVersions } from '../contract/api-versions.ts';
import type { ConnectableAccount, PlatformAuthorization, TokenSet } from '../contract/authorization.ts';
import { PlatformError } from '../contract/errors.ts';
import type { Parameters } from '../contract/http.ts';
import type { PlatformTools } from '../contract/tools.ts';
import { readAnswer } from '../shared/json.ts';
import { refreshing, requireScopes } from '../shared/oauth.ts';
import { apiRoot } from './client.ts';
import { requireSuccess } from './errors.ts';

/** Read by the search for photos whose begin was not answered; people may leave it out. */
const optionalScope = 'video.list';

/** "Login Kit for Web" and "Manage User Access Tokens": one consent is one account, and a verifier is for apps only. */
export const tiktokAuthorization: PlatformAuthorization = {
  usesPkce: false,
  requiredScopes: ['user.info.basic', 'user.info.profile', 'video.publish'],
  // An access token lasts hours. A refresh token lasts half a year, and each one is good for one refresh.
  renewal: { minimumAgeSeconds: 0, aheadSeconds: 600, sweepAgeSeconds: (30 * dayMs) / secondMs },

  authorizationUrl({ state, redirectUri }, { http, app, apiVersion = apiVersions.tiktok.name }) {
    const query = new URLSearchParams({
      client_key: app.clientId,
      response_type: 'code',
      scope: [...tiktokAuthorization.requiredScopes, optionalScope].join(','),
      redirect_uri: redirectUri,
      state,
    });
    return `${http.addressOf(`https://www.tiktok.com/${apiVersion}/auth/authorize/`)}?${query}`;
  },

  async exchange({ code, redirectUri }, tools) {
    const form = { grant_type: 'authorization_code', code, redirect_uri: redirectUri };
    const tokens = await requestTokens(tools, form).catch((error: unknown) => {
      throw error instanceof PlatformError && error.remedy === 'reauthorise' ? spentCode(error) : error;
    });
    requireScopes('TikTok', tiktokAuthorization.requiredScopes, tokens.scopes);
    return [await readAccount(tokens, tools)];
  },

  async refresh({ refreshToken, scopes }, tools) {
    if (refreshToken === undefined) {
      throw new PlatformError('reauthorise', 'There is no refresh token: connect the account again.');
    }
    const form = { grant_type: 'refresh_token', refresh_token: refreshToken };
    const fresh = await refreshing(() => requestTokens(tools, form));
    return {
      ...fresh,
      refreshToken: fresh.refreshToken ?? refreshToken,
      scopes: fresh.scopes.length > 0 ? fresh.scopes : scopes,
    };
  },

  /** Only a living access token can be revoked, so that one that is over is renewed first. */
  async revoke(tokens, tools) {
    const isOver = tokens.expiresAt !== undefined && Date.parse(tokens.expiresAt) <= tools.now();
    const { accessToken } = isOver ? await tiktokAuthorization.refresh(tokens, tools) : tokens;
    requireSuccess(await postForm(tools, 'revoke', { token: accessToken }));
  },
};

const TokenAnswer = z.object({
  access_token: z.string().min(1),
  expires_in: z.number().positive(),
  refresh_token: z.string().min(1).optional(),
  scope: z.string().default(''),
});

async function requestTokens(tools: PlatformTools, grant: Parameters): Promise<TokenSet> {
  const answer = requireSuccess(await postForm(tools, 'token', grant));
  const tokens = readAnswer(TokenAnswer, answer);
  const now = tools.now();
  return {
    accessToken: tokens.access_token,
    ...(tokens.refresh_token !== undefined && { refreshToken: tokens.refresh_token }),
    expiresAt: toTimestamp(now + tokens.expires_in * secondMs),
    obtainedAt: toTimestamp(now),
    scopes: tokens.scope.split(/[\s,]+/).filter((scope) => scope !== ''),
  };
}

function postForm(tools: PlatformTools, path: 'token' | 'revoke', fields: Parameters) {
  const { clientId, clientSecret } = tools.app;
  return tools.http.send({
    method: 'POST',
    url: `${apiRoot(tools)}/oauth/${path}/`,
    body: { form: { client_key: clientId, client_secret: clientSecret, ...fields } },
  });
}

function spentCode(cause: PlatformError): PlatformError {
  const message = `${cause.message} The consent was used up or is too old: connect again.`;
  return new PlatformError('rejected', message, { cause });
}

const text = z.string().optional().catch(undefined);
const UserInfo = z.object({
  data: z.object({
    user: z.object({ open_id: z.string().min(1), display_name: text, username: text, avatar_url: text }),
  }),
});

async function readAccount(tokens: TokenSet, tools: PlatformTools): Promise<ConnectableAccount> {
  const answer = await tools.http.send({
    method: 'GET',
    url: `${apiRoot(tools)}/user/info/`,
    query: { fields: 'open_id,union_id,avatar_url,display_name,username' },
    bearer: tokens.accessToken,
  });
  const { user } = readAnswer(UserInfo, requireSuccess(answer)).data;
  return {
    platformAccountId: user.open_id,
    username: user.username ?? null,
    displayName: user.display_name ?? null,
    avatarUrl: user.avatar_url ?? null,
    meta: {},
    tokens,
  };
}
