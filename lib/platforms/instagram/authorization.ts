import * as z from 'zod';
import type { ConnectableAccount, PlatformAuthorization, TokenSet } from '../contract/authorization.ts';
import type { PlatformTools } from '../contract/tools.ts';
import { readResponse } from '../shared/json.ts';
import { metaAuthorization } from '../shared/meta/authorization.ts';
import { callGraph, GraphId } from '../shared/meta/graph.ts';
import { apiRoot } from './client.ts';
import { instagram } from './errors.ts';

const requiredScopes = [
  'instagram_business_basic',
  'instagram_business_content_publish',
  'instagram_business_manage_comments',
  'instagram_business_manage_messages',
];

/** The Instagram API with Instagram Login. One login is one account. */
export const instagramAuthorization: PlatformAuthorization = {
  ...metaAuthorization({
    platform: instagram,
    requiredScopes,
    consentPage: 'https://www.instagram.com/oauth/authorize',
    // Without this Instagram sends a person who has consented before straight back.
    // https://developers.facebook.com/documentation/instagram-platform/instagram-api-with-instagram-login/business-login
    consentParameters: { force_reauth: 'true' },
    codeEndpoint: 'https://api.instagram.com/oauth/access_token',
    tokenRoot: 'https://graph.instagram.com',
    grantPrefix: 'ig',
    call: (tools, request) => callGraph(tools, instagram, request),
    // If the response lists no scopes, assume that all are granted. A missing one causes an error at its first use.
    readScopes: async () => requiredScopes,
    readAccount,
  }),

  async afterConnect({ tokens }, tools) {
    await callGraph(tools, instagram, {
      method: 'POST',
      url: `${apiRoot(tools)}/me/subscribed_apps`,
      token: tokens.accessToken,
      query: { subscribed_fields: 'comments,messages,messaging_postbacks' },
    });
  },
};

const Profile = z.object({
  /** App-scoped. */
  id: GraphId,
  /** The professional account's id, as in webhooks and URLs. */
  user_id: GraphId,
  username: z.string().optional(),
  name: z.string().optional(),
  profile_picture_url: z.string().optional(),
  account_type: z.string().optional(),
});

async function readAccount(tokens: TokenSet, tools: PlatformTools): Promise<ConnectableAccount> {
  const response = await callGraph(tools, instagram, {
    method: 'GET',
    url: `${apiRoot(tools)}/me`,
    token: tokens.accessToken,
    query: { fields: 'id,user_id,username,name,profile_picture_url,account_type' },
  });
  const profile = readResponse(Profile, response);
  return {
    platformAccountId: profile.user_id,
    username: profile.username ?? null,
    displayName: profile.name ?? null,
    avatarUrl: profile.profile_picture_url ?? null,
    meta: {
      appScopedId: profile.id,
      ...(profile.account_type && { accountType: profile.account_type.toLowerCase() }),
    },
    tokens,
  };
}
