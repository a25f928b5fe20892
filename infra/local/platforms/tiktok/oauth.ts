import { errorPage, json, Refusal } from '../kit/answers.ts';
import { isForm } from '../kit/body.ts';
import type { Call } from '../kit/call.ts';
import { refusedScope } from '../kit/login/app-scopes.ts';
import { openAuthorizationCodes } from '../kit/login/authorization-codes.ts';
import { consentPage, endConsents, openConsents, sendBack } from '../kit/login/consents.ts';
import { issueToken, liveToken, revokeTokens, type UserToken } from '../kit/login/user-tokens.ts';
import type { Records } from '../kit/records.ts';
import { operation } from '../kit/router.ts';
import type { Answer, Operation, Workbench } from '../kit/types.ts';
import { oauthError } from './errors.ts';
import { openIdOf, type State } from './state.ts';

/** An app registered in the developer portal. */
export interface TiktokApp {
  /** The client key. */
  readonly id: string;
  readonly secret: string;
  /** Compared character by character. */
  readonly redirectUris: readonly string[];
}

/** The scopes that the app's products allow it to request. */
const knownScopes = [
  'user.info.basic',
  'user.info.profile',
  'user.info.stats',
  'video.publish',
  'video.upload',
  'video.list',
];

interface Grant {
  readonly username: string;
  readonly scopes: readonly string[];
}

const codeLifeMs = 10 * 60_000;
/**
 * The lifetime of a refresh token, from the moment it is issued; each refresh issues a new one.
 * https://developers.tiktok.com/docs/en/oauth-user-access-token-management
 */
const refreshTokenSeconds = 180 * 86_400;

/** Returns the operations of the login and its tokens (TikTok's guides "Login Kit for Web" and "Manage User Access Tokens"). */
export function oauthOperations(
  workbench: Workbench,
  { users, accessTokens, refreshTokens }: State,
  app: TiktokApp,
): Operation[] {
  const { ledger, random, setting } = workbench;
  const codes = openAuthorizationCodes<Grant>(workbench);
  const consents = openConsents(workbench);

  function authorize(call: Call): Answer {
    const { client_key, redirect_uri, response_type, scope } = call.fields;
    if (client_key !== app.id) return refusedPage('client_key');
    if (typeof redirect_uri !== 'string' || !app.redirectUris.includes(redirect_uri)) {
      return refusedPage('redirect_uri');
    }
    if (response_type !== 'code') return refusedPage('response_type');
    const wanted = typeof scope === 'string' ? scope.split(',').filter((name) => name !== '') : [];
    const back = (result: Record<string, string>) => sendBack(call, redirect_uri, result);
    if (wanted.length === 0 || wanted.some((name) => !knownScopes.includes(name)))
      return refusedPage('scope');
    // "refuses the entire request rather than dropping the one scope": https://github.com/ChatbotXIO/ChatbotX/pull/1231
    if (refusedScope(workbench, knownScopes, wanted) !== undefined) {
      return back({ error: 'invalid_scope', error_type: 'scope' });
    }
    const asksAgain = call.fields['disable_auto_auth'] === '1';
    const request = { app: app.id, scopes: wanted, asksAgain };
    const decision = consents.decide(call, request);
    if (decision.kind === 'deny') {
      return back({ error: 'access_denied', error_description: 'User canceled login' });
    }
    const logins = users.list().map(({ username }) => username);
    if (decision.kind === 'ask') {
      return consentPage(call, { platform: 'TikTok', application: 'Herald', logins, scopes: wanted });
    }
    if (!logins.includes(decision.login)) return refusedPage('login');
    const scopes = wanted.filter((name) => !decision.declined.includes(name));
    const code = codes.issue({ username: decision.login, scopes }, redirect_uri, call.at + codeLifeMs);
    return consents.approved(call, request, decision, back({ code, scopes: scopes.join(',') }));
  }

  /** Returns a refusal. TikTok's token endpoint sometimes refuses with HTTP 200; by default the simulator always does. */
  const refused = (error: string, description: string) =>
    new Refusal(oauthError(error, description, Number(setting('oauthErrorStatus'))));

  function requireApp(call: Call): void {
    if (!isForm(call)) {
      throw refused(
        'invalid_request',
        'Only `application/x-www-form-urlencoded` is supported as Content-Type.',
      );
    }
    const { client_key, client_secret } = call.fields;
    if (client_key !== app.id || client_secret !== app.secret) {
      throw refused('invalid_client', 'Client key or secret is incorrect.');
    }
  }

  function token(call: Call): Answer {
    requireApp(call);
    switch (call.fields['grant_type']) {
      case 'authorization_code':
        return exchange(call);
      case 'refresh_token':
        return refresh(call);
      default:
        throw refused('unsupported_grant_type', 'The grant type is not supported.');
    }
  }

  function exchange({ fields, at }: Call): Answer {
    const { code, redirect_uri } = fields;
    const found = typeof code === 'string' ? codes.redeem(code) : undefined;
    if (found === undefined || found.used || found.expiresAt <= at) {
      throw refused('invalid_grant', 'Authorization code is expired.');
    }
    if (found.redirectUri !== redirect_uri) {
      throw refused('invalid_request', 'Redirect_uri is not matched with the uri when requesting code.');
    }
    return issue(found.grant, at);
  }

  /**
   * Rotates the refresh token: "The previous refresh token stops working once a new one is issued", even if the answer is lost.
   * https://developers.tiktok.com/docs/en/oauth-refresh-a-user-access-token
   */
  function refresh({ fields, at }: Call): Answer {
    const known = liveToken(refreshTokens, fields['refresh_token'], at);
    if (known === undefined) throw refused('invalid_grant', 'Refresh token is invalid or expired.');
    refreshTokens.put(known.value, { ...known, isRevoked: true });
    return issue(known, at);
  }

  function issue({ username, scopes }: Grant, at: number): Answer {
    const accessSeconds = Number(setting('accessTokenSeconds'));
    const make = (tokens: Records<UserToken>, prefix: string, seconds: number) => {
      const value = `${random.secret(prefix)}!${4_000 + ledger.nextNumber('token')}.e1`;
      return issueToken(tokens, { username, scopes }, { value, seconds, at });
    };
    const access = make(accessTokens, 'act.', accessSeconds);
    const lasting = make(refreshTokens, 'rft.', refreshTokenSeconds);
    return json(
      {
        access_token: access.value,
        expires_in: accessSeconds,
        open_id: openIdOf(username),
        refresh_expires_in: refreshTokenSeconds,
        refresh_token: lasting.value,
        scope: scopes.join(','),
        token_type: 'Bearer',
      },
      200,
      { 'cache-control': 'no-cache' },
    );
  }

  /** Revokes every token of the user for the app. */
  function revoke(call: Call): Answer {
    requireApp(call);
    const known = liveToken(accessTokens, call.fields['token'], call.at);
    if (known === undefined) throw refused('invalid_request', 'The access token is invalid or expired.');
    revokeTokens({ accessTokens, refreshTokens }, known.username);
    endConsents(workbench, known.username);
    return { status: 200, headers: { 'cache-control': 'no-cache' } };
  }

  const root = 'open.tiktokapis.com/v2/oauth';
  return [
    operation('oauth.authorize', 'GET', 'www.tiktok.com/v2/auth/authorize/', authorize),
    operation('oauth.token', 'POST', `${root}/token/`, token),
    operation('oauth.revoke', 'POST', `${root}/revoke/`, revoke),
  ];
}

/** Returns TikTok's error page, which names the invalid parameter. */
function refusedPage(parameter: string): Answer {
  return errorPage('TikTok', 'Something went wrong', `We couldn’t log in with TikTok. ${parameter}`);
}
