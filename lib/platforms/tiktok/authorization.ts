import * as z from 'zod';
import { dayMs, secondMs } from '../../kernel/clock.ts';
import { apiVersions } from '../contract/api-versions.ts';
import type { ConnectableAccount, PlatformAuthorization, TokenSet } from '../contract/authorization.ts';
import { grantedFeatures } from '../contract/features.ts';
import type { Parameters } from '../contract/http.ts';
import type { PlatformTools } from '../contract/tools.ts';
import { readResponse } from '../shared/json.ts';
import {
  readTokens,
  refreshing,
  requirePublishing,
  requireRefreshToken,
  usedCodeError,
} from '../shared/oauth.ts';
import { apiRoot } from './client.ts';
import { requireSuccess } from './errors.ts';
import { tiktokFeatures } from './features.ts';

/** The flow of "Login Kit for Web" and "Manage User Access Tokens". One consent is one account. Only native apps use PKCE. */
export const tiktokAuthorization: PlatformAuthorization = {
  usesPkce: false,
  features: tiktokFeatures,
  // An access token lasts two hours. A refresh token lasts 180 days after it is issued, and each refresh issues a new one.
  // https://developers.tiktok.com/docs/en/oauth-user-access-token-management
  renewal: {
    minimumAgeSeconds: 0,
    aheadSeconds: 600,
    sweepAgeSeconds: (30 * dayMs) / secondMs,
    extendsRefreshToken: true,
  },

  authorizationUrl({ state, redirectUri, scopes }, { http, app, apiVersion = apiVersions.tiktok.name }) {
    const query = new URLSearchParams({
      client_key: app.clientId,
      response_type: 'code',
      scope: scopes.join(','),
      redirect_uri: redirectUri,
      state,
      // Without this TikTok skips its page for a person who has consented before.
      // https://developers.tiktok.com/doc/login-kit-web
      disable_auto_auth: '1',
    });
    return `${http.addressOf(`https://www.tiktok.com/${apiVersion}/auth/authorize/`)}?${query}`;
  },

  async exchange({ code, redirectUri }, tools) {
    const form = { grant_type: 'authorization_code', code, redirect_uri: redirectUri };
    const tokens = await requestTokens(tools, form).catch((error: unknown) => {
      throw usedCodeError(error);
    });
    requirePublishing('TikTok', tiktokFeatures, tokens.scopes);
    return [await readAccount(tokens, tools)];
  },

  refresh: async (tokens, tools) => {
    const form = { grant_type: 'refresh_token', refresh_token: requireRefreshToken(tokens) };
    return refreshing(() => requestTokens(tools, form, tokens));
  },

  /** Revokes the login. Only a valid access token can be revoked, so an expired one is refreshed first. */
  async revoke(tokens, tools) {
    const isExpired = tokens.expiresAt !== undefined && Date.parse(tokens.expiresAt) <= tools.now();
    const { accessToken } = isExpired ? await tiktokAuthorization.refresh(tokens, tools) : tokens;
    requireSuccess(await postForm(tools, 'revoke', { token: accessToken }));
  },
};

async function requestTokens(tools: PlatformTools, grant: Parameters, before?: TokenSet): Promise<TokenSet> {
  return readTokens(requireSuccess(await postForm(tools, 'token', grant)), tools.now(), before);
}

function postForm(tools: PlatformTools, path: 'token' | 'revoke', fields: Parameters) {
  const { clientId, clientSecret } = tools.app;
  return tools.http.send({
    method: 'POST',
    url: `${apiRoot(tools)}/oauth/${path}/`,
    body: { form: { client_key: clientId, client_secret: clientSecret, ...fields } },
  });
}

const text = z.string().optional().catch(undefined);
const UserInfo = z.object({
  data: z.object({
    user: z.object({ open_id: z.string().min(1), display_name: text, username: text, avatar_url: text }),
  }),
});

async function readAccount(tokens: TokenSet, tools: PlatformTools): Promise<ConnectableAccount> {
  // TikTok refuses the whole request if it names a field without its scope.
  const hasProfile = grantedFeatures(tiktokFeatures, tokens.scopes).includes('profile');
  const fields = `open_id,union_id,avatar_url,display_name${hasProfile ? ',username' : ''}`;
  const response = await tools.http.send({
    method: 'GET',
    url: `${apiRoot(tools)}/user/info/`,
    query: { fields },
    bearer: tokens.accessToken,
  });
  const { user } = readResponse(UserInfo, requireSuccess(response)).data;
  return {
    platformAccountId: user.open_id,
    username: user.username ?? null,
    displayName: user.display_name ?? null,
    avatarUrl: user.avatar_url ?? null,
    meta: {},
    tokens,
  };
}
