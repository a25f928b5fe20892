import * as z from 'zod';
import { dayMs, secondMs } from '../../kernel/clock.ts';
import type { ConnectableAccount, PlatformAuthorization, TokenSet } from '../contract/authorization.ts';
import { UnusableLoginError } from '../contract/errors.ts';
import type { Parameters } from '../contract/http.ts';
import type { PlatformTools } from '../contract/tools.ts';
import { readResponse } from '../shared/json.ts';
import {
  consentUrl,
  readTokens,
  refreshing,
  requirePublishing,
  requireRefreshToken,
  usedCodeError,
} from '../shared/oauth.ts';
import { apiRoot } from './client.ts';
import { readGoogleError, requireSuccess } from './errors.ts';
import { youtubeFeatures } from './features.ts';

/** Google's OAuth 2.0 for web server applications. One consent is one channel. */
export const youtubeAuthorization: PlatformAuthorization = {
  usesPkce: true,
  features: youtubeFeatures,
  // An access token lasts an hour. A refresh token becomes invalid if it is not used for six months.
  renewal: { minimumAgeSeconds: 0, aheadSeconds: 300, sweepAgeSeconds: (30 * dayMs) / secondMs },

  authorizationUrl: (request, tools) =>
    consentUrl(tools, 'https://accounts.google.com/o/oauth2/v2/auth', request, {
      scope: request.scopes.join(' '),
      access_type: 'offline',
      // `consent` asks even if the person has consented before; without it Google returns a refresh token for the first
      // consent only. `select_account` lets the person choose one of the browser's accounts.
      // https://developers.google.com/identity/protocols/oauth2/web-server#creatingclient
      prompt: 'select_account consent',
      ...(request.codeChallenge !== undefined && {
        code_challenge: request.codeChallenge,
        code_challenge_method: 'S256',
      }),
    }),

  async exchange({ code, redirectUri, codeVerifier }, tools) {
    const granted = await requestTokens(tools, {
      grant_type: 'authorization_code',
      code,
      redirect_uri: redirectUri,
      code_verifier: codeVerifier,
    }).catch((error: unknown) => {
      throw usedCodeError(error);
    });
    requirePublishing('YouTube', youtubeFeatures, granted.scopes);
    if (granted.refreshToken === undefined) {
      throw new UnusableLoginError(
        'missing_permissions',
        'Google returned no refresh token: connect again and grant all permissions.',
      );
    }
    return listChannels(granted, tools);
  },

  /** Refreshes the access token. Keeps the refresh token, which stays valid: Google does not return it again. */
  async refresh(tokens, tools) {
    const refreshToken = requireRefreshToken(tokens);
    const grant = { grant_type: 'refresh_token', refresh_token: refreshToken };
    return { ...(await refreshing(() => requestTokens(tools, grant, tokens))), refreshToken };
  },

  async revoke({ accessToken, refreshToken }, tools) {
    const response = await tools.http.send({
      method: 'POST',
      url: 'https://oauth2.googleapis.com/revoke',
      body: { form: { token: refreshToken ?? accessToken } },
    });
    // An error that says that the token is already revoked or expired counts as success.
    if (readGoogleError(response)?.platformCode !== 'invalid_token') requireSuccess(response, tools.now());
  },
};

async function requestTokens(tools: PlatformTools, grant: Parameters, before?: TokenSet): Promise<TokenSet> {
  const { clientId, clientSecret } = tools.app;
  const response = await tools.http.send({
    method: 'POST',
    url: 'https://oauth2.googleapis.com/token',
    body: { form: { client_id: clientId, client_secret: clientSecret, ...grant } },
  });
  const now = tools.now();
  return readTokens(requireSuccess(response, now), now, before);
}

const text = z.string().optional().catch(undefined);
const thumbnail = z.object({ url: z.string() }).optional().catch(undefined);

const Channels = z.object({
  items: z
    .array(
      z.object({
        id: z.string().min(1),
        snippet: z.object({
          title: text,
          customUrl: text,
          thumbnails: z.object({ high: thumbnail, medium: thumbnail, default: thumbnail }).catch({}),
        }),
        contentDetails: z.object({ relatedPlaylists: z.object({ uploads: text }) }),
        status: z.object({ longUploadsStatus: text }).optional(),
      }),
    )
    .default([]),
});

async function listChannels(tokens: TokenSet, tools: PlatformTools): Promise<ConnectableAccount[]> {
  const response = await tools.http.send({
    method: 'GET',
    url: `${apiRoot(tools)}/channels`,
    query: { part: 'snippet,contentDetails,status', mine: 'true' },
    bearer: tokens.accessToken,
  });
  const { items } = readResponse(Channels, requireSuccess(response, tools.now()));
  if (items.length === 0) {
    throw new UnusableLoginError(
      'no_accounts',
      'This Google account has no YouTube channel: create one, then connect again.',
    );
  }
  return items.map(({ id, snippet, contentDetails, status }) => {
    const { high, medium, default: small } = snippet.thumbnails;
    return {
      platformAccountId: id,
      username: snippet.customUrl ?? null,
      displayName: snippet.title ?? null,
      avatarUrl: (high ?? medium ?? small)?.url ?? null,
      meta: {
        uploadsPlaylistId: contentDetails.relatedPlaylists.uploads ?? null,
        longUploadsStatus: status?.longUploadsStatus ?? null,
      },
      tokens,
    };
  });
}
