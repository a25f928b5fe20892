import * as client from 'openid-client';
import * as z from 'zod';
import { openParameters } from '../../lib/aws/parameters.ts';
import type { PlainHttpHosts } from '../../lib/http-client/address-guard/public-url.ts';
import { systemClock } from '../../lib/kernel/clock.ts';
import {
  type Identity,
  type Issuer,
  offlineScope,
  type Renewal,
  SignInFailure,
  signInScopes,
} from '../../lib/people/issuer.ts';
import { sessionMs } from '../../lib/people/schemas.ts';
import { plainHttpHosts } from './public-network.ts';
import type { Wire } from './start.ts';

/**
 * The client's registration, which an operator or the panel's stack stores in the parameter, as JSON. A client without a secret
 * is public.
 */
const SignInParameter = z.object({
  issuer: z.url(),
  clientId: z.string().min(1),
  clientSecret: z.string().min(1).exactOptional(),
  /** False if the issuer lists `offline_access` but refuses it to this client. Sessions are then not checked. */
  offlineAccess: z.boolean().exactOptional(),
});

/** Limits of each request to the issuer. Its documents have a few kilobytes. */
const timeoutSeconds = 4;
const maxResponseBytes = 256 * 1_024;
/** The accepted difference between the issuer's clock and ours. */
const toleranceSeconds = 60;
/** The time for which the issuer's discovery document is used. */
const configurationMs = 60 * 60_000;

/** The issuer that the stage's parameter names. Functions of the panel only: no other bundle contains `openid-client`. */
export const issuer: Wire<Issuer> = (environment) =>
  openIssuer({
    parameterName: environment('SIGN_IN_PARAMETER'),
    plainHttpHosts: plainHttpHosts(environment),
    readParameter: openParameters(systemClock),
  });

interface IssuerOptions {
  readonly parameterName: string;
  readonly plainHttpHosts: PlainHttpHosts;
  readonly readParameter: (name: string) => Promise<string | undefined>;
}

/**
 * Talks to the issuer. It keeps the discovery document and keys as long as the execution environment lives, but at most for an
 * hour.
 */
export function openIssuer(options: IssuerOptions): Issuer {
  const configuration = cachedConfiguration(options);
  return {
    authorizationUrl: async ({ redirectUri, state, nonce, codeVerifier, isAgain }) => {
      const { forSignIn, scopes } = await configuration();
      const url = client.buildAuthorizationUrl(forSignIn, {
        redirect_uri: redirectUri,
        scope: scopes.join(' '),
        state,
        nonce,
        code_challenge: await client.calculatePKCECodeChallenge(codeVerifier),
        code_challenge_method: 'S256',
        // With `max_age`, the ID token must say when the person proved who they are:
        // https://openid.net/specs/openid-connect-core-1_0.html#IDToken
        max_age: isAgain ? '0' : String(sessionMs / 1_000),
        ...(isAgain && { prompt: 'login' }),
      });
      requireAllowed(url, options.plainHttpHosts);
      return url.href;
    },
    redeem: async ({ redirectUri, query, state, nonce, codeVerifier }) => {
      const { forSignIn, keepsRefreshTokens } = await configuration();
      try {
        const tokens = await client.authorizationCodeGrant(forSignIn, new URL(`${redirectUri}?${query}`), {
          expectedState: state,
          expectedNonce: nonce,
          pkceCodeVerifier: codeVerifier,
          idTokenExpected: true,
        });
        const refreshToken = keepsRefreshTokens ? tokens.refresh_token : undefined;
        return { ...identityOf(tokens.claims()), ...(refreshToken !== undefined && { refreshToken }) };
      } catch (error) {
        throw failureOf(error);
      }
    },
    renew: async (refreshToken) => {
      try {
        const { forRenewal } = await configuration();
        return renewalOf(await client.refreshTokenGrant(forRenewal, refreshToken));
      } catch (error) {
        return isEnded(error) ? { kind: 'ended' } : { kind: 'unavailable', why: inWords(error) };
      }
    },
    signOutUrl: async (returnTo) => {
      const { forSignIn: found } = await configuration();
      if (found.serverMetadata().end_session_endpoint === undefined) return null;
      // `logout_uri` is Cognito's own name for the first:
      // https://docs.aws.amazon.com/cognito/latest/developerguide/logout-endpoint.html
      const url = client.buildEndSessionUrl(found, {
        post_logout_redirect_uri: returnTo,
        logout_uri: returnTo,
      });
      requireAllowed(url, options.plainHttpHosts);
      return url.href;
    },
  };
}

/** Discovers the issuer on first use, and again after an hour or if the parameter has changed. A failure is not kept. */
function cachedConfiguration({ parameterName, plainHttpHosts, readParameter }: IssuerOptions) {
  let cached: { value: string; untilMs: number; found: Promise<Configurations> } | undefined;
  return async (): Promise<Configurations> => {
    const value = await readParameter(parameterName);
    if (value === undefined)
      throw new SignInFailure('sign_in_unavailable', `the parameter ${parameterName} is missing`);
    if (cached?.value === value && cached.untilMs > systemClock()) return cached.found;
    const found = discover(readConfiguration(parameterName, value), plainHttpHosts);
    const entry = { value, untilMs: systemClock() + configurationMs, found };
    cached = entry;
    try {
      return await found;
    } catch (error) {
      if (cached === entry) cached = undefined;
      throw error;
    }
  };
}

interface Configurations {
  readonly forSignIn: client.Configuration;
  /**
   * The same without a check of signatures, which needs the issuer's keys: if they could not be read, a refresh token that the
   * issuer has just replaced would be lost. The answer comes straight from the issuer, by TLS.
   */
  readonly forRenewal: client.Configuration;
  readonly scopes: readonly string[];
  /** False if the operator wants no offline access: a refresh token that the issuer gives all the same may end long before the session. */
  readonly keepsRefreshTokens: boolean;
}

function readConfiguration(name: string, value: string): z.output<typeof SignInParameter> {
  const { data } = SignInParameter.safeParse(readJson(value));
  if (data) return data;
  // Omits the problem's details, which could quote the secret.
  const problem = 'is not JSON with issuer and clientId, and perhaps clientSecret';
  throw new SignInFailure('sign_in_unavailable', `the parameter ${name} ${problem}`);
}

async function discover(
  { issuer, clientId, clientSecret, offlineAccess = true }: z.output<typeof SignInParameter>,
  plainHttpHosts: PlainHttpHosts,
): Promise<Configurations> {
  const server = new URL(issuer);
  requireAllowed(server, plainHttpHosts);
  const isPlain = server.protocol === 'http:';
  const metadata = { [client.clockTolerance]: toleranceSeconds };
  const authentication = clientSecret === undefined ? client.None() : clientSecretAuth(clientSecret);
  try {
    const forSignIn = await client.discovery(server, clientId, metadata, authentication, {
      timeout: timeoutSeconds,
      [client.customFetch]: limitedFetch(plainHttpHosts),
      // Signatures are checked although the ID token comes straight from the issuer.
      execute: [client.enableNonRepudiationChecks, ...(isPlain ? [client.allowInsecureRequests] : [])],
    });
    const found = forSignIn.serverMetadata();
    const forRenewal = new client.Configuration(found, clientId, metadata, authentication);
    forRenewal.timeout = timeoutSeconds;
    forRenewal[client.customFetch] = limitedFetch(plainHttpHosts);
    if (isPlain) client.allowInsecureRequests(forRenewal);
    const isOffline = offlineAccess && found.scopes_supported?.includes(offlineScope) === true;
    return {
      forSignIn,
      forRenewal,
      scopes: isOffline ? [...signInScopes, offlineScope] : signInScopes,
      keepsRefreshTokens: offlineAccess,
    };
  } catch (error) {
    throw new SignInFailure('sign_in_unavailable', `the issuer cannot be discovered: ${inWords(error)}`);
  }
}

/**
 * Sends the secret by a method that the issuer supports; if the issuer names none, by `client_secret_basic`, the default of
 * OpenID Connect.
 */
function clientSecretAuth(secret: string): client.ClientAuth {
  const [post, basic] = [client.ClientSecretPost(secret), client.ClientSecretBasic(secret)];
  return (server, ...request) => {
    const methods = server.token_endpoint_auth_methods_supported ?? ['client_secret_basic'];
    return (methods.includes('client_secret_basic') ? basic : post)(server, ...request);
  };
}

/** @throws SignInFailure if the URL is neither https nor plain http to an allowed host of this machine */
function requireAllowed({ protocol, hostname }: URL, plainHttpHosts: PlainHttpHosts): void {
  if (protocol === 'https:' || (protocol === 'http:' && plainHttpHosts.has(hostname))) return;
  throw new SignInFailure(
    'sign_in_unavailable',
    `the issuer uses ${protocol}//${hostname}, which is not https`,
  );
}

/** Reads at most {@link maxResponseBytes} of each response. Redirects are not followed. */
function limitedFetch(plainHttpHosts: PlainHttpHosts): client.CustomFetch {
  return async (url, options) => {
    requireAllowed(new URL(url), plainHttpHosts);
    const response = await fetch(url, { ...(options as RequestInit), redirect: 'manual' });
    const chunks: Uint8Array[] = [];
    let size = 0;
    for await (const chunk of response.body ?? []) {
      size += chunk.byteLength;
      if (size > maxResponseBytes)
        throw new SignInFailure('sign_in_unavailable', 'the issuer sent too long a response');
      chunks.push(chunk);
    }
    const body = chunks.length === 0 ? null : Buffer.concat(chunks);
    return new Response(body, { status: response.status, headers: response.headers });
  };
}

function identityOf(claims: client.IDToken | undefined): Identity {
  if (!claims) throw new SignInFailure('sign_in_failed', 'the issuer sent no ID token');
  const { iss, sub, email, email_verified: isVerified, name, auth_time: authTime } = claims;
  return {
    issuer: iss,
    subject: sub,
    isEmailVerified: isVerified === true,
    // An address that is too long is dropped, not cut: its beginning could be another person's address.
    ...(typeof email === 'string' && email.length <= maxTextCharacters && { email }),
    ...(typeof name === 'string' && { name: name.slice(0, maxTextCharacters).toWellFormed() }),
    ...(typeof authTime === 'number' && { provedAtMs: authTime * 1_000 }),
  };
}

function renewalOf(tokens: Awaited<ReturnType<typeof client.refreshTokenGrant>>): Renewal {
  const claims = tokens.claims();
  const { refresh_token: refreshToken } = tokens;
  return {
    kind: 'confirmed',
    ...(claims && { person: { issuer: claims.iss, subject: claims.sub } }),
    ...(refreshToken !== undefined && { refreshToken }),
  };
}

/** True if the issuer says that the token is of no use any more: https://www.rfc-editor.org/rfc/rfc6749#section-5.2 */
const isEnded = (error: unknown): boolean =>
  error instanceof client.ResponseBodyError && error.error === 'invalid_grant' && error.status < 500;

/** The maximum length of the name and address that the issuer reports, which the panel shows: that of an email address. */
const maxTextCharacters = 254;

/** The codes with which an issuer says that it, or the person, declines: https://www.rfc-editor.org/rfc/rfc6749#section-4.1.2.1 */
const refusals = ['access_denied', 'login_required', 'interaction_required', 'consent_required'];
const outages = ['server_error', 'temporarily_unavailable'];

/** Describes a failure without the errors of `openid-client`, because their causes contain codes and tokens. */
function failureOf(error: unknown): SignInFailure {
  if (error instanceof SignInFailure) return error;
  if (error instanceof Error && error.cause instanceof SignInFailure) return error.cause;
  if (error instanceof client.AuthorizationResponseError) {
    if (refusals.includes(error.error))
      return new SignInFailure('sign_in_refused', `the issuer answered ${error.error}`);
    const reason = outages.includes(error.error) ? 'sign_in_unavailable' : 'sign_in_failed';
    return new SignInFailure(reason, 'the issuer answered with an error');
  }
  // `fetch` throws a TypeError if a request failed.
  const isOutage = error instanceof TypeError || inWords(error).endsWith('OAUTH_TIMEOUT');
  return new SignInFailure(
    isOutage ? 'sign_in_unavailable' : 'sign_in_failed',
    `the answer was not accepted: ${inWords(error)}`,
  );
}

/** Returns the name and code of an error of `openid-client`: fixed texts. Its message may quote what the issuer sent. */
function inWords(error: unknown): string {
  const found = error instanceof Error && error.cause instanceof SignInFailure ? error.cause : error;
  if (found instanceof SignInFailure) return found.message;
  const { name = 'Error', code } = error as { name?: string; code?: unknown };
  return typeof code === 'string' ? `${name} ${code}` : name;
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
