import * as z from 'zod';
import type { ConnectableAccount, PlatformAuthorization, TokenSet } from '../contract/authorization.ts';
import { grantedFeatures } from '../contract/features.ts';
import type { PlatformTools } from '../contract/tools.ts';
import { readResponse } from '../shared/json.ts';
import { metaAuthorization } from '../shared/meta/authorization.ts';
import { callGraph, GraphId } from '../shared/meta/graph.ts';
import { apiRoot } from './client.ts';
import { instagram } from './errors.ts';
import { instagramFeatures } from './features.ts';

/** The Instagram API with Instagram Login. One login is one account. */
export const instagramAuthorization: PlatformAuthorization = {
  ...metaAuthorization({
    platform: instagram,
    features: instagramFeatures,
    consentPage: 'https://www.instagram.com/oauth/authorize',
    // Without this, Instagram immediately sends back a person who has consented before.
    // https://developers.facebook.com/documentation/instagram-platform/instagram-api-with-instagram-login/business-login
    consentParameters: { force_reauth: 'true' },
    codeEndpoint: 'https://api.instagram.com/oauth/access_token',
    tokenRoot: 'https://graph.instagram.com',
    grantPrefix: 'ig',
    call: (tools, request) => callGraph(tools, instagram, request),
    readAccount,
  }),

  /**
   * Subscribes the account to the events for which it has granted permission.
   * https://developers.facebook.com/docs/graph-api/webhooks/getting-started/webhooks-for-instagram/
   */
  async afterConnect({ tokens }, tools) {
    const features = grantedFeatures(instagramFeatures, tokens.scopes);
    const fields = [
      ...(features.includes('comments') ? ['comments'] : []),
      ...(features.includes('messages') ? ['messages', 'messaging_postbacks'] : []),
    ];
    if (fields.length === 0) return;
    await callGraph(tools, instagram, {
      method: 'POST',
      url: `${apiRoot(tools)}/me/subscribed_apps`,
      token: tokens.accessToken,
      query: { subscribed_fields: fields.join(',') },
    });
  },
};

const Profile = z.object({
  /** The app-scoped id. */
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
    // Meta's callbacks may name a person by this id: see `lib/withdrawals/owners.ts`.
    loginId: profile.id,
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
