import * as z from 'zod';
import { dayMs, secondMs, toTimestamp } from '../../kernel/clock.ts';
import { apiVersions } from '../contract/api-versions.ts';
import type { ConnectableAccount, PlatformAuthorization, TokenSet } from '../contract/authorization.ts';
import { PlatformError } from '../contract/errors.ts';
import type { PlatformTools } from '../contract/tools.ts';
import { readAnswer } from '../shared/json.ts';
import { callGraph, GraphId, requireGraphSuccess } from '../shared/meta/graph.ts';
import { consentUrl, refreshing, requireScopes } from '../shared/oauth.ts';
import { apiRoot, appSecretProof } from './client.ts';
import { facebook } from './errors.ts';
import { listPages, type ManagedPage } from './pages.ts';

/** Asked for, and done without where the person leaves it out: Pages that a business owns are then not listed. */
const businessScope = 'business_management';

/**
 * Facebook Login: one login carries any number of Pages, each with a token of its own. Page tokens that come from a
 * long-lived user token have no end, so nothing is renewed; they are looked at daily, for they die with a password, a
 * role, or a later login that leaves the Page out.
 */
export const facebookAuthorization: PlatformAuthorization = {
  usesPkce: false,
  requiredScopes: [
    'pages_show_list',
    'pages_read_engagement',
    'pages_manage_posts',
    'pages_manage_engagement',
  ],
  renewal: { minimumAgeSeconds: 0, aheadSeconds: 0, sweepAgeSeconds: dayMs / secondMs, byAccessToken: true },

  authorizationUrl(request, tools) {
    const { apiVersion = apiVersions.facebook.name } = tools;
    return consentUrl(tools, `https://www.facebook.com/${apiVersion}/dialog/oauth`, request, {
      scope: [...facebookAuthorization.requiredScopes, businessScope].join(','),
      // Without it a permission that was declined once is never asked for again.
      auth_type: 'rerequest',
    });
  },

  async exchange({ code, redirectUri }, tools) {
    const short = await userToken({ redirect_uri: redirectUri, code }, tools);
    // First the long token, then the Pages: a Page token lives as long as the token it is listed with.
    const token = await userToken({ grant_type: 'fb_exchange_token', fb_exchange_token: short }, tools);
    const scopes = await grantedScopes(token, tools);
    requireScopes('Facebook', facebookAuthorization.requiredScopes, scopes);
    const loginId = await readOwnId(token, tools);
    const pages = await listPages(token, scopes.includes(businessScope), tools);
    return publishable(pages).map((page) => toAccount(page, loginId, scopes, tools.now()));
  },

  /** Asks whether the token still works: it is as long-lived as it will ever be. */
  refresh: (tokens, tools) =>
    refreshing(async () => {
      await readOwnId(tokens.accessToken, tools);
      return { ...tokens, obtainedAt: toTimestamp(tools.now()) };
    }),

  /** In the app's own name, for the person's token is not kept. */
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
  const answer = await tools.http.send({
    method: 'GET',
    url: `${apiRoot(tools)}/oauth/access_token`,
    query: { client_id: clientId, client_secret: clientSecret, ...grant },
  });
  return readAnswer(UserToken, requireGraphSuccess(facebook, answer)).access_token;
}

const Permissions = z.object({
  data: z.array(z.object({ permission: z.string(), status: z.string() })),
});

async function grantedScopes(token: string, tools: PlatformTools): Promise<string[]> {
  const answer = await callGraph(tools, facebook, {
    method: 'GET',
    url: `${apiRoot(tools)}/me/permissions`,
    token,
    query: { limit: '100', ...appSecretProof(token, tools) },
  });
  return readAnswer(Permissions, answer)
    .data.filter(({ status }) => status === 'granted')
    .map(({ permission }) => permission);
}

/** Of the person or, with a Page's token, of the Page. */
async function readOwnId(token: string, tools: PlatformTools): Promise<string> {
  const answer = await callGraph(tools, facebook, {
    method: 'GET',
    url: `${apiRoot(tools)}/me`,
    token,
    query: { fields: 'id', ...appSecretProof(token, tools) },
  });
  return readAnswer(z.object({ id: GraphId }), answer).id;
}

const publishingTasks = ['CREATE_CONTENT', 'PROFILE_PLUS_CREATE_CONTENT', 'PROFILE_PLUS_FULL_CONTROL'];

/** @throws PlatformError `rejected` naming the Pages, where there are some but none that can be posted to */
function publishable(pages: readonly ManagedPage[]): readonly ManagedPage[] {
  const able = pages.filter(({ tasks }) => publishingTasks.some((task) => tasks.includes(task)));
  if (able.length > 0 || pages.length === 0) return able;
  const names = pages.slice(0, 5).map(({ name }) => name);
  throw new PlatformError(
    'rejected',
    `Facebook does not let you create content on ${names.join(', ')}: ask for that task on the Page, then connect again.`,
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
