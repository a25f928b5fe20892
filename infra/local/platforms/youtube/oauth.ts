import { createHash } from 'node:crypto';
import { errorPage, json, Refusal } from '../kit/answers.ts';
import { isForm } from '../kit/body.ts';
import type { Call } from '../kit/call.ts';
import { openAuthorizationCodes } from '../kit/login/authorization-codes.ts';
import { consentPage, openConsents, sendBack } from '../kit/login/consents.ts';
import { operation } from '../kit/router.ts';
import type { Answer, Operation, Workbench } from '../kit/types.ts';
import { accessTokenSeconds, type Credentials } from './credentials.ts';
import { knownScopes } from './scopes.ts';
import type { Grant, State } from './state.ts';

/** An OAuth client of type "web application", as registered in the Google Cloud console. */
export interface GoogleApp {
  /** The client id. */
  readonly id: string;
  readonly secret: string;
  /** The redirect URIs, compared character by character. */
  readonly redirectUris: readonly string[];
}

interface Consent {
  readonly username: string;
  readonly scopes: readonly string[];
  readonly withRefreshToken: boolean;
  readonly codeChallenge?: string;
}

/** Google's codes are valid for a few minutes; the documentation gives no number. */
const codeLifetimeMs = 10 * 60 * 1000;

/** Returns the operations of Google's OAuth 2.0 for web server applications: consent page, token endpoint, revocation. */
export function oauthOperations(
  app: GoogleApp,
  workbench: Workbench,
  { users }: State,
  credentials: Credentials,
): readonly Operation[] {
  const codes = openAuthorizationCodes<Consent>(workbench, '4/0');
  const consents = openConsents(workbench);

  function authorize(call: Call): Answer {
    const request = readAuthorizeRequest(call.query, app);
    const decision = consents.decide(call, request);
    if (decision.kind === 'ask') {
      const logins = users.list().map(({ username }) => username);
      return consentPage(call, {
        platform: 'YouTube',
        application: 'Herald',
        logins,
        scopes: request.scopes,
      });
    }
    const granted =
      decision.kind === 'approve' ? request.scopes.filter((scope) => !decision.declined.includes(scope)) : [];
    if (decision.kind === 'deny' || granted.length === 0) {
      return sendBack(call, request.redirectUri, { error: 'access_denied' });
    }
    const username = decision.login;
    if (users.get(username) === undefined) {
      throw pageRefusal(400, 'invalid_request', `No Google account: ${username}`);
    }
    // Without prompt=consent, only the first consent gives a refresh token. Online access never does.
    const withRefreshToken =
      request.isOffline && (request.forcesConsent || !credentials.hasLiveGrant(username));
    const consent = { username, scopes: granted, withRefreshToken, ...request.codeChallenge };
    const code = codes.issue(consent, request.redirectUri, call.at + codeLifetimeMs);
    const scope = granted.join(' ');
    const back = { code, scope, authuser: '0', prompt: decision.isReturning ? 'none' : 'consent' };
    return consents.approved(call, request, decision, sendBack(call, request.redirectUri, back));
  }

  function token(call: Call): Answer {
    if (!isForm(call)) {
      throw oauthError(400, 'invalid_request', 'The body must be form-encoded.');
    }
    const field = (name: string) => requiredField(call, name);
    const grantType = field('grant_type');
    if (grantType !== 'authorization_code' && grantType !== 'refresh_token') {
      throw oauthError(400, 'unsupported_grant_type', `Invalid grant_type: ${grantType}`);
    }
    if (field('client_id') !== app.id) {
      throw oauthError(401, 'invalid_client', 'The OAuth client was not found.');
    }
    if (field('client_secret') !== app.secret) {
      throw oauthError(401, 'invalid_client', 'Unauthorized');
    }
    if (grantType === 'authorization_code') {
      return exchangeCode(field('code'), field('redirect_uri'), call);
    }
    const refreshed = credentials.refresh(field('refresh_token'), call.at);
    if (refreshed === undefined) {
      throw oauthError(400, 'invalid_grant', 'Token has been expired or revoked.');
    }
    return json(tokenBody(refreshed.accessToken, refreshed.grant));
  }

  function exchangeCode(code: string, redirectUri: string, call: Call): Answer {
    const issued = codes.redeem(code);
    if (issued === undefined) throw oauthError(400, 'invalid_grant', 'Malformed auth code.');
    if (issued.used || call.at >= issued.expiresAt) throw oauthError(400, 'invalid_grant', 'Bad Request');
    if (issued.redirectUri !== redirectUri) throw oauthError(400, 'redirect_uri_mismatch', 'Bad Request');
    const { codeChallenge, ...consent } = issued.grant;
    if (codeChallenge !== undefined) checkVerifier(call.fields['code_verifier'], codeChallenge);
    const { accessToken, grant } = credentials.grant({ ...consent, now: call.at });
    const { refreshToken, endsAt } = grant;
    // "This value is only set when the user grants time-based access."
    // https://developers.google.com/identity/protocols/oauth2/web-server#exchange-authorization-code
    const refresh = { refresh_token: refreshToken, refresh_token_expires_in: secondsUntil(endsAt, call.at) };
    return json({ ...tokenBody(accessToken, grant), ...(refreshToken !== undefined && refresh) });
  }

  function revoke(call: Call): Answer {
    if (credentials.revoke(requiredField(call, 'token'), call.at)) return json({});
    throw oauthError(400, 'invalid_token', 'Token expired or revoked');
  }

  return [
    operation('authorize', 'GET', 'accounts.google.com/o/oauth2/v2/auth', authorize),
    operation('token', 'POST', 'oauth2.googleapis.com/token', token),
    operation('revoke', 'POST', 'oauth2.googleapis.com/revoke', revoke),
  ];
}

/** Returns an OAuth error: `{ error, error_description }`. */
export function oauthErrorAnswer(status: number, error: string, description = 'Bad Request'): Answer {
  return json({ error, error_description: description }, status);
}

function oauthError(status: number, error: string, description: string): Refusal {
  return new Refusal(oauthErrorAnswer(status, error, description));
}

/** Creates a refusal that Google shows to the person instead of redirecting to the app. */
function pageRefusal(status: number, error: string, message: string): Refusal {
  return new Refusal(errorPage(`Error ${status}`, `Error ${status}: ${error}`, message, status));
}

function readAuthorizeRequest(query: URLSearchParams, app: GoogleApp) {
  const required = (name: string) => {
    const value = query.get(name);
    if (value === null || value === '') {
      throw pageRefusal(400, 'invalid_request', `Missing required parameter: ${name}`);
    }
    return value;
  };
  if (required('client_id') !== app.id) {
    throw pageRefusal(401, 'invalid_client', 'The OAuth client was not found.');
  }
  const redirectUri = required('redirect_uri');
  if (!app.redirectUris.includes(redirectUri)) {
    throw pageRefusal(400, 'redirect_uri_mismatch', 'This app sent an invalid request.');
  }
  if (required('response_type') !== 'code') {
    throw pageRefusal(
      400,
      'unsupported_response_type',
      'Only response_type=code is registered for this client.',
    );
  }
  const scopes = required('scope').split(' ');
  const unknown = scopes.filter((scope) => !knownScopes.has(scope));
  if (unknown.length > 0)
    throw pageRefusal(400, 'invalid_scope', `Some scopes are invalid: ${unknown.join(', ')}`);
  const accessType = query.get('access_type') ?? 'online';
  if (accessType !== 'online' && accessType !== 'offline') {
    throw pageRefusal(400, 'invalid_request', `Invalid parameter value for access_type: ${accessType}`);
  }
  const prompts = (query.get('prompt') ?? '').split(' ');
  const forcesConsent = prompts.includes('consent');
  return {
    app: app.id,
    redirectUri,
    scopes,
    isOffline: accessType === 'offline',
    forcesConsent,
    // With `select_account` the person chooses an account on a page.
    asksAgain: forcesConsent || prompts.includes('select_account'),
    codeChallenge: readCodeChallenge(query),
  };
}

/** Reads the challenge of RFC 7636, section 4.3. Only S256 is allowed: 43 characters of base64url. */
function readCodeChallenge(query: URLSearchParams): { codeChallenge?: string } {
  const codeChallenge = query.get('code_challenge');
  const method = query.get('code_challenge_method');
  if (codeChallenge === null && method === null) return {};
  if (method !== 'S256') throw pageRefusal(400, 'invalid_request', 'code_challenge_method must be S256.');
  if (codeChallenge === null || !/^[A-Za-z0-9_-]{43}$/.test(codeChallenge)) {
    throw pageRefusal(400, 'invalid_request', 'Invalid parameter value for code_challenge.');
  }
  return { codeChallenge };
}

function checkVerifier(verifier: unknown, codeChallenge: string): void {
  if (typeof verifier !== 'string') throw oauthError(400, 'invalid_grant', 'Missing code verifier.');
  if (createHash('sha256').update(verifier).digest('base64url') !== codeChallenge) {
    throw oauthError(400, 'invalid_grant', 'Invalid code verifier.');
  }
}

function tokenBody(accessToken: string, { scopes }: Grant) {
  return {
    access_token: accessToken,
    expires_in: accessTokenSeconds,
    scope: scopes.join(' '),
    token_type: 'Bearer',
  };
}

/** Returns the seconds until the end of a grant; undefined, and so absent in the JSON, for a grant without a time limit. */
function secondsUntil(endsAt: number | undefined, at: number): number | undefined {
  return endsAt === undefined ? undefined : Math.floor((endsAt - at) / 1000);
}

function requiredField({ fields }: Call, name: string): string {
  const value = fields[name];
  if (typeof value === 'string' && value !== '') return value;
  throw oauthError(400, 'invalid_request', `Missing required parameter: ${name}`);
}
