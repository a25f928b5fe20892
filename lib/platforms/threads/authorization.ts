import * as z from 'zod';
import { dayMs, hourMs, secondMs, toTimestamp } from '../../kernel/clock.ts';
import type { ConnectableAccount, PlatformAuthorization, TokenSet } from '../contract/authorization.ts';
import { PlatformError } from '../contract/errors.ts';
import type { PlatformAnswer } from '../contract/http.ts';
import type { PlatformTools } from '../contract/tools.ts';
import { quote, readAnswer } from '../shared/json.ts';
import { GraphId, requireGraphSuccess } from '../shared/meta/graph.ts';
import { refreshing, requireScopes } from '../shared/oauth.ts';
import { apiRoot, callThreads } from './client.ts';
import { threads } from './errors.ts';

/** Threads: one login is one account; the app has an id and a secret of its own inside the Meta app. */
export const threadsAuthorization: PlatformAuthorization = {
  usesPkce: false,
  requiredScopes: [
    'threads_basic',
    'threads_content_publish',
    'threads_manage_replies',
    'threads_read_replies',
  ],
  // A long-lived token lasts 60 days and must be a day old to be renewed ("Long-Lived Access Tokens").
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
      scope: threadsAuthorization.requiredScopes.join(','),
      state,
    });
    return `${http.addressOf('https://threads.net/oauth/authorize')}?${query}`;
  },

  async exchange({ code, redirectUri }, tools) {
    const short = await shortToken(code, redirectUri, tools);
    const { accessToken, ...token } = await longToken(short, tools);
    const scopes = await grantedScopes(accessToken, tools);
    requireScopes('Threads', threadsAuthorization.requiredScopes, scopes);
    return [await readAccount({ accessToken, ...token, scopes }, tools)];
  },

  refresh: ({ accessToken, scopes }, tools) =>
    refreshing(async () => {
      const answer = await callThreads(tools, {
        method: 'GET',
        url: 'https://graph.threads.net/refresh_access_token',
        token: accessToken,
        query: { grant_type: 'th_refresh_token', access_token: accessToken },
      });
      return { ...readToken(answer, tools.now()), scopes };
    }),
};

const ShortToken = z.object({ access_token: z.string().min(1) });
const LoginError = z.object({ error_message: z.string() });

/** The token of an hour that a code gives. Its `user_id` is left alone: it is a number that JSON cannot hold. */
async function shortToken(code: string, redirectUri: string, { http, app }: PlatformTools): Promise<string> {
  const answer = await http.send({
    method: 'POST',
    url: 'https://graph.threads.net/oauth/access_token',
    body: {
      form: {
        client_id: app.clientId,
        client_secret: app.clientSecret,
        grant_type: 'authorization_code',
        redirect_uri: redirectUri,
        // Threads ends its redirect with `#_`, which some clients take for a part of the code.
        code: code.replace(/#_$/, ''),
      },
    },
  });
  const refused = LoginError.safeParse(answer.json);
  if (refused.success) {
    throw new PlatformError('rejected', `Threads: ${quote(refused.data.error_message)}`, {
      status: answer.status,
    });
  }
  return readAnswer(ShortToken, requireGraphSuccess(threads, answer)).access_token;
}

async function longToken(shortLived: string, tools: PlatformTools) {
  const answer = await tools.http.send({
    method: 'GET',
    url: 'https://graph.threads.net/access_token',
    query: {
      grant_type: 'th_exchange_token',
      client_secret: tools.app.clientSecret,
      access_token: shortLived,
    },
  });
  return readToken(requireGraphSuccess(threads, answer), tools.now());
}

const LongToken = z.object({ access_token: z.string().min(1), expires_in: z.number().positive() });

function readToken(answer: PlatformAnswer, now: number): Omit<TokenSet, 'scopes'> {
  const { access_token: accessToken, expires_in: seconds } = readAnswer(LongToken, answer);
  return {
    accessToken,
    expiresAt: toTimestamp(now + seconds * secondMs),
    obtainedAt: toTimestamp(now),
  };
}

const Inspection = z.object({ data: z.object({ scopes: z.array(z.string()) }) });

/** No other answer tells what the person left out. */
async function grantedScopes(token: string, tools: PlatformTools): Promise<string[]> {
  const answer = await callThreads(tools, {
    method: 'GET',
    url: `${apiRoot(tools)}/debug_token`,
    token,
    query: { input_token: token },
  });
  return readAnswer(Inspection, answer).data.scopes;
}

const text = z.string().optional().catch(undefined);
const Profile = z.object({ id: GraphId, username: text, name: text, threads_profile_picture_url: text });

async function readAccount(tokens: TokenSet, tools: PlatformTools): Promise<ConnectableAccount> {
  const answer = await callThreads(tools, {
    method: 'GET',
    url: `${apiRoot(tools)}/me`,
    token: tokens.accessToken,
    query: { fields: 'id,username,name,threads_profile_picture_url' },
  });
  const profile = readAnswer(Profile, answer);
  return {
    platformAccountId: profile.id,
    username: profile.username ?? null,
    displayName: profile.name ?? profile.username ?? null,
    avatarUrl: profile.threads_profile_picture_url ?? null,
    meta: {},
    tokens,
  };
}
