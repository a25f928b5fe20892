import * as z from 'zod';
import { dayMs, hourMs, secondMs, toTimestamp } from '../../kernel/clock.ts';
import type { ConnectableAccount, PlatformAuthorization, TokenSet } from '../contract/authorization.ts';
import { PlatformError } from '../contract/errors.ts';
import type { PlatformAnswer } from '../contract/http.ts';
import type { PlatformTools } from '../contract/tools.ts';
import { quote, readAnswer } from '../shared/json.ts';
import { callGraph, GraphId, requireGraphSuccess } from '../shared/meta/graph.ts';
import { refreshing, requireScopes } from '../shared/oauth.ts';
import { apiRoot } from './client.ts';
import { instagram } from './errors.ts';

/** Instagram API with Instagram Login: one login is one account. */
export const instagramAuthorization: PlatformAuthorization = {
  usesPkce: false,
  requiredScopes: [
    'instagram_business_basic',
    'instagram_business_content_publish',
    'instagram_business_manage_comments',
    'instagram_business_manage_messages',
  ],
  // A long-lived token lasts 60 days and must be a day old to be renewed ("Refresh a long-lived token").
  renewal: {
    minimumAgeSeconds: dayMs / secondMs,
    aheadSeconds: hourMs / secondMs,
    sweepAgeSeconds: (30 * dayMs) / secondMs,
    byAccessToken: true,
  },

  authorizationUrl({ state, redirectUri }, { http, app }) {
    const query = new URLSearchParams({
      client_id: app.clientId,
      redirect_uri: redirectUri,
      response_type: 'code',
      scope: instagramAuthorization.requiredScopes.join(','),
      state,
    });
    return `${http.addressOf('https://www.instagram.com/oauth/authorize')}?${query}`;
  },

  async exchange({ code, redirectUri }, tools) {
    const short = await shortToken(code, redirectUri, tools);
    const scopes = short.permissions ?? instagramAuthorization.requiredScopes;
    requireScopes('Instagram', instagramAuthorization.requiredScopes, scopes);
    const tokens = await longToken(short.accessToken, scopes, tools);
    return [await readAccount(tokens, tools)];
  },

  refresh: ({ accessToken, scopes }, tools) =>
    refreshing(async () => {
      const answer = await callGraph(tools, instagram, {
        method: 'GET',
        url: 'https://graph.instagram.com/refresh_access_token',
        token: accessToken,
        query: { grant_type: 'ig_refresh_token', access_token: accessToken },
      });
      return tokenSet(answer, scopes, tools.now());
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

const permissions = z
  .union([z.string().transform((list) => list.split(/[\s,]+/)), z.array(z.string())])
  .optional();
const ShortToken = z.object({ access_token: z.string().min(1), permissions });
/** The documented shape, and the one that live clients see. */
const ShortTokenAnswer = z.union([
  z.object({ data: z.array(ShortToken).min(1) }).transform(({ data }) => data[0]),
  ShortToken,
]);
const LoginError = z.object({ error_type: z.string().optional(), error_message: z.string() });

/** The token of an hour that a code gives. Its `user_id` is left alone: it may be a number that JSON cannot hold. */
async function shortToken(code: string, redirectUri: string, { http, app }: PlatformTools) {
  const answer = await http.send({
    method: 'POST',
    url: 'https://api.instagram.com/oauth/access_token',
    body: {
      form: {
        client_id: app.clientId,
        client_secret: app.clientSecret,
        grant_type: 'authorization_code',
        redirect_uri: redirectUri,
        // Instagram ends its redirect with `#_`, which some clients take for a part of the code.
        code: code.replace(/#_$/, ''),
      },
    },
  });
  const refused = LoginError.safeParse(answer.json);
  if (refused.success) {
    throw new PlatformError('rejected', `Instagram: ${quote(refused.data.error_message)}`, {
      status: answer.status,
    });
  }
  const token = readAnswer(ShortTokenAnswer, requireGraphSuccess(instagram, answer));
  if (token === undefined) throw new PlatformError('unknown', 'Instagram gave no token');
  return { accessToken: token.access_token, permissions: token.permissions };
}

async function longToken(shortLived: string, scopes: readonly string[], tools: PlatformTools) {
  const answer = await tools.http.send({
    method: 'GET',
    url: 'https://graph.instagram.com/access_token',
    query: {
      grant_type: 'ig_exchange_token',
      client_secret: tools.app.clientSecret,
      access_token: shortLived,
    },
  });
  return tokenSet(requireGraphSuccess(instagram, answer), scopes, tools.now());
}

const LongToken = z.object({ access_token: z.string().min(1), expires_in: z.number().positive() });

function tokenSet(answer: PlatformAnswer, scopes: readonly string[], now: number): TokenSet {
  const { access_token: accessToken, expires_in: seconds } = readAnswer(LongToken, answer);
  return {
    accessToken,
    expiresAt: toTimestamp(now + seconds * secondMs),
    obtainedAt: toTimestamp(now),
    scopes,
  };
}

const Profile = z.object({
  /** App-scoped. */
  id: GraphId,
  /** The professional account's id, as webhooks and addresses have it. */
  user_id: GraphId,
  username: z.string().optional(),
  name: z.string().optional(),
  profile_picture_url: z.string().optional(),
  account_type: z.string().optional(),
});

async function readAccount(tokens: TokenSet, tools: PlatformTools): Promise<ConnectableAccount> {
  const answer = await callGraph(tools, instagram, {
    method: 'GET',
    url: `${apiRoot(tools)}/me`,
    token: tokens.accessToken,
    query: { fields: 'id,user_id,username,name,profile_picture_url,account_type' },
  });
  const profile = readAnswer(Profile, answer);
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
