import * as z from 'zod';
import { dayMs, hourMs, secondMs, toTimestamp } from '../../../kernel/clock.ts';
import type {
  AuthorizationGrant,
  ConnectableAccount,
  PlatformAuthorization,
  TokenSet,
} from '../../contract/authorization.ts';
import { PlatformError } from '../../contract/errors.ts';
import type { PlatformFeatures } from '../../contract/features.ts';
import type { PlatformResponse } from '../../contract/http.ts';
import type { PlatformTools } from '../../contract/tools.ts';
import { quote, readResponse } from '../json.ts';
import { consentUrl, refreshing, requirePublishing } from '../oauth.ts';
import { type GraphPlatform, type GraphRequest, requireGraphSuccess } from './graph.ts';

/** The differences between the logins of Instagram and Threads. */
export interface MetaLogin {
  readonly platform: GraphPlatform;
  readonly features: PlatformFeatures;
  readonly consentPage: string;
  /** The parameters of the consent page, in addition to those of OAuth. */
  readonly consentParameters: Readonly<Record<string, string>>;
  /** The URL that exchanges a code for a short-lived token (one hour). */
  readonly codeEndpoint: string;
  /** The base URL of the calls that return and refresh long-lived tokens. */
  readonly tokenRoot: string;
  /** The prefix of the `grant_type` of those two calls. */
  readonly grantPrefix: 'ig' | 'th';
  readonly call: (tools: PlatformTools, request: GraphRequest) => Promise<PlatformResponse>;
  /** Reads the granted scopes if the response to the code does not list them. Absent: all requested ones count as granted. */
  readonly readScopes?: (accessToken: string, tools: PlatformTools) => Promise<readonly string[] | undefined>;
  readonly readAccount: (tokens: TokenSet, tools: PlatformTools) => Promise<ConnectableAccount>;
}

/** Makes the login of Instagram and Threads: code, then short-lived token (1 hour), then long-lived token (60 days). */
export function metaAuthorization(login: MetaLogin): PlatformAuthorization {
  const { platform, features, tokenRoot, grantPrefix } = login;
  return {
    usesPkce: false,
    features,
    // A long-lived token lasts 60 days and must be a day old to be renewed ("Refresh a long-lived token").
    renewal: {
      minimumAgeSeconds: dayMs / secondMs,
      aheadSeconds: hourMs / secondMs,
      sweepAgeSeconds: (30 * dayMs) / secondMs,
      byAccessToken: true,
    },

    authorizationUrl: (request, tools) =>
      consentUrl(tools, login.consentPage, request, {
        scope: request.scopes.join(','),
        ...login.consentParameters,
      }),

    async exchange(grant, tools) {
      const short = await shortToken(login, grant, tools);
      // Check here if the response lists the scopes: without them the next call fails with an unhelpful error.
      if (short.permissions) requirePublishing(platform.name, features, short.permissions);
      const response = await tools.http.send({
        method: 'GET',
        url: `${tokenRoot}/access_token`,
        query: {
          grant_type: `${grantPrefix}_exchange_token`,
          client_secret: tools.app.clientSecret,
          access_token: short.access_token,
        },
      });
      const token = readToken(requireGraphSuccess(platform, response), tools.now());
      // A scope that is assumed but was declined causes an error at its first use.
      const scopes =
        short.permissions ?? (await login.readScopes?.(token.accessToken, tools)) ?? grant.scopes;
      requirePublishing(platform.name, features, scopes);
      return [await login.readAccount({ ...token, scopes }, tools)];
    },

    refresh: ({ accessToken, scopes }, tools) =>
      refreshing(async () => {
        const response = await login.call(tools, {
          method: 'GET',
          url: `${tokenRoot}/refresh_access_token`,
          token: accessToken,
          query: { grant_type: `${grantPrefix}_refresh_token`, access_token: accessToken },
        });
        return { ...readToken(response, tools.now()), scopes };
      }),
  };
}

const permissions = z
  .union([z.string().transform((list) => list.split(/[\s,]+/)), z.array(z.string())])
  .optional();
const ShortToken = z.object({ access_token: z.string().min(1), permissions });
/** The response of the code endpoint: first the format that Instagram documents, then the one that it really sends. */
const ShortTokenResponse = z.union([
  z.object({ data: z.array(ShortToken).min(1) }).transform(({ data }) => data[0]),
  ShortToken,
]);
const LoginError = z.object({ error_message: z.string() });

/** Exchanges the code for a short-lived token. Ignores `user_id`: it may be a number beyond JSON's exact range. */
async function shortToken(
  { platform, codeEndpoint }: MetaLogin,
  { code, redirectUri }: AuthorizationGrant,
  { http, app }: PlatformTools,
) {
  const response = await http.send({
    method: 'POST',
    url: codeEndpoint,
    body: {
      form: {
        client_id: app.clientId,
        client_secret: app.clientSecret,
        grant_type: 'authorization_code',
        redirect_uri: redirectUri,
        // Meta appends `#_` to its redirect, and some clients treat that as part of the code.
        code: code.replace(/#_$/, ''),
      },
    },
  });
  const refused = LoginError.safeParse(response.json);
  if (refused.success) {
    throw new PlatformError('rejected', `${platform.name}: ${quote(refused.data.error_message)}`, {
      status: response.status,
    });
  }
  const token = readResponse(ShortTokenResponse, requireGraphSuccess(platform, response));
  if (token === undefined) throw new PlatformError('unknown', `${platform.name} returned no token`);
  return token;
}

const LongToken = z.object({ access_token: z.string().min(1), expires_in: z.number().positive() });

function readToken(response: PlatformResponse, now: number): Omit<TokenSet, 'scopes'> {
  const { access_token: accessToken, expires_in: seconds } = readResponse(LongToken, response);
  return { accessToken, expiresAt: toTimestamp(now + seconds * secondMs), obtainedAt: toTimestamp(now) };
}
