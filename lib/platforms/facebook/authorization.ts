import * as z from 'zod';
import { dayMs, secondMs, toTimestamp } from '../../kernel/clock.ts';
import { apiVersions } from '../contract/api-versions.ts';
import type { ConnectableAccount, PlatformAuthorization, TokenSet } from '../contract/authorization.ts';
import { UnusableLoginError } from '../contract/errors.ts';
import { grantedFeatures } from '../contract/features.ts';
import type { PlatformTools } from '../contract/tools.ts';
import { readResponse } from '../shared/json.ts';
import { callGraph, GraphId, requireGraphSuccess } from '../shared/meta/graph.ts';
import { consentUrl, refreshing, requirePublishing } from '../shared/oauth.ts';
import { apiRoot, appSecretProof } from './client.ts';
import { facebook } from './errors.ts';
import { facebookFeatures } from './features.ts';
import { listPages, type ManagedPage } from './pages.ts';

/**
 * Facebook Login. One login has any number of Pages, each with its own token. Page tokens from a long-lived user token
 * never expire, so nothing is renewed. They are checked daily, because they become invalid if the person changes the
 * password, loses the role, or logs in again without the Page.
 */
export const facebookAuthorization: PlatformAuthorization = {
  usesPkce: false,
  features: facebookFeatures,
  renewal: { minimumAgeSeconds: 0, aheadSeconds: 0, sweepAgeSeconds: dayMs / secondMs, byAccessToken: true },

  authorizationUrl(request, tools) {
    const { apiVersion = apiVersions.facebook.name, app } = tools;
    return consentUrl(tools, `https://www.facebook.com/${apiVersion}/dialog/oauth`, request, {
      // With Facebook Login for Business, a configuration has the scopes.
      // https://developers.facebook.com/docs/facebook-login/facebook-login-for-business
      ...(app.loginConfigId === undefined
        ? { scope: request.scopes.join(',') }
        : { config_id: app.loginConfigId }),
      // A list. `rerequest` asks again for permissions that the person declined before, `reauthorize` for those they granted.
      // https://developers.facebook.com/docs/facebook-login/guides/advanced/re-authentication (the list) and
      // https://github.com/facebook/facebook-ios-sdk (`LoginAuthType`, the two values).
      auth_type: 'rerequest,reauthorize',
    });
  },

  async exchange({ code, redirectUri }, tools) {
    const short = await userToken({ redirect_uri: redirectUri, code }, tools);
    // Get the long-lived token before the Pages: a Page token lives as long as the user token that lists it.
    const token = await userToken({ grant_type: 'fb_exchange_token', fb_exchange_token: short }, tools);
    const scopes = await grantedScopes(token, tools);
    requirePublishing('Facebook', facebookFeatures, scopes);
    const loginId = await readOwnId(token, tools);
    const ofBusinesses = grantedFeatures(facebookFeatures, scopes).includes('businessPages');
    const pages = await listPages(token, ofBusinesses, tools);
    return publishable(pages).map((page) => toAccount(page, loginId, scopes, tools.now()));
  },

  /** Checks that the token still works. Renews nothing, because the token never expires. */
  refresh: (tokens, tools) =>
    refreshing(async () => {
      await readOwnId(tokens.accessToken, tools);
      return { ...tokens, obtainedAt: toTimestamp(tools.now()) };
    }),

  check: (tokens, tools) =>
    refreshing(async () => {
      await readOwnId(tokens.accessToken, tools, checkSeconds);
    }),

  /** Revokes the login. Uses the app's token, because Herald does not store the person's. */
  async revoke(_, tools, loginId) {
    if (loginId === undefined) return;
    const { clientId, clientSecret } = tools.app;
    await callGraph(tools, facebook, {
      method: 'DELETE',
      url: `${apiRoot(tools)}/${encodeURIComponent(loginId)}/permissions`,
      token: `${clientId}|${clientSecret}`,
    });
  },
};

const UserToken = z.object({ access_token: z.string().min(1) });

async function userToken(grant: Record<string, string>, tools: PlatformTools): Promise<string> {
  const { clientId, clientSecret } = tools.app;
  const response = await tools.http.send({
    method: 'GET',
    url: `${apiRoot(tools)}/oauth/access_token`,
    query: { client_id: clientId, client_secret: clientSecret, ...grant },
  });
  return readResponse(UserToken, requireGraphSuccess(facebook, response)).access_token;
}

const Permissions = z.object({
  data: z.array(z.object({ permission: z.string(), status: z.string() })),
});

async function grantedScopes(token: string, tools: PlatformTools): Promise<string[]> {
  const response = await callGraph(tools, facebook, {
    method: 'GET',
    url: `${apiRoot(tools)}/me/permissions`,
    token,
    query: { limit: '100', ...appSecretProof(token, tools) },
  });
  return readResponse(Permissions, response)
    .data.filter(({ status }) => status === 'granted')
    .map(({ permission }) => permission);
}

/** Returns the id of the token's owner: the person, or the Page for a Page's token. */
async function readOwnId(token: string, tools: PlatformTools, totalSeconds?: number): Promise<string> {
  const response = await callGraph(tools, facebook, {
    method: 'GET',
    url: `${apiRoot(tools)}/me`,
    token,
    query: { fields: 'id', ...appSecretProof(token, tools) },
    ...(totalSeconds !== undefined && { totalSeconds }),
  });
  return readResponse(z.object({ id: GraphId }), response).id;
}

/** The time limit of a check. People wait for it after a login. */
const checkSeconds = 5;

const publishingTasks = ['CREATE_CONTENT', 'PROFILE_PLUS_CREATE_CONTENT', 'PROFILE_PLUS_FULL_CONTROL'];

/**
 * Returns the Pages on which the person may post, or on which Facebook does not say whether the person may.
 *
 * @throws UnusableLoginError if there are Pages, but none to post to
 */
function publishable(pages: readonly ManagedPage[]): readonly ManagedPage[] {
  const able = pages.filter(({ tasks }) => !tasks || publishingTasks.some((task) => tasks.includes(task)));
  if (able.length > 0 || pages.length === 0) return able;
  const names = pages.slice(0, 5).map(({ name }) => name);
  throw new UnusableLoginError(
    'no_accounts',
    `Facebook does not let you create content on ${names.join(', ')}: ask an admin of the Page for that task, then connect again.`,
  );
}

function toAccount(
  page: ManagedPage,
  loginId: string,
  scopes: readonly string[],
  now: number,
): ConnectableAccount {
  const tokens: TokenSet = { accessToken: page.accessToken, obtainedAt: toTimestamp(now), scopes };
  return {
    platformAccountId: page.id,
    loginId,
    username: page.username ?? null,
    displayName: page.name,
    avatarUrl: page.pictureUrl ?? null,
    meta: { ...(page.category !== undefined && { category: page.category }) },
    tokens,
  };
}
