import { errorPage, json, Refusal } from '../kit/answers.ts';
import { isForm } from '../kit/body.ts';
import type { Call } from '../kit/call.ts';
import { refusedScope } from '../kit/login/app-scopes.ts';
import { openAuthorizationCodes } from '../kit/login/authorization-codes.ts';
import { consentPage, openConsents, sendBack } from '../kit/login/consents.ts';
import { issueToken, liveToken, revokeTokens } from '../kit/login/user-tokens.ts';
import type { Records } from '../kit/records.ts';
import { operation } from '../kit/router.ts';
import type { Answer, Operation, Workbench } from '../kit/types.ts';
import type { AppKind, State, Token } from './state.ts';

/** An app registered in the developer portal. */
export interface LinkedinApp {
  readonly id: string;
  readonly secret: string;
  readonly redirectUris: readonly string[];
}

export type LinkedinApps = Readonly<Record<AppKind, LinkedinApp>>;

/**
 * The scopes that each app's products allow. An app with Community Management cannot have another product. The scopes that end in
 * `_feed` are for comments and reactions ("Comments API").
 */
const scopesOf: Readonly<Record<AppKind, readonly string[]>> = {
  member: ['openid', 'profile', 'email', 'w_member_social'],
  organization: [
    'r_basicprofile',
    'w_member_social',
    'w_member_social_feed',
    'w_organization_social',
    'w_organization_social_feed',
    'r_organization_social',
    'r_organization_social_feed',
    'rw_organization_admin',
    'r_organization_followers',
    'r_member_postAnalytics',
  ],
};

interface Grant {
  readonly app: AppKind;
  readonly username: string;
  readonly scopes: readonly string[];
}

const minuteMs = 60_000;
const daySeconds = 86_400;
const codeLifeMs = 30 * minuteMs;
const accessTokenSeconds = 60 * daySeconds;
/**
 * The lifetime of a refresh token, from the consent.
 * https://learn.microsoft.com/en-us/linkedin/shared/authentication/programmatic-refresh-tokens
 */
const refreshTokenSeconds = 365 * daySeconds;

/**
 * Returns the operations of the login and its tokens ("Authorization Code Flow (3-legged OAuth)" and "Programmatic refresh
 * tokens").
 */
export function oauthOperations(
  workbench: Workbench,
  { members, accessTokens, refreshTokens }: State,
  apps: LinkedinApps,
): Operation[] {
  const { random, setting } = workbench;
  const codes = openAuthorizationCodes<Grant>(workbench, 'AQ');
  const consents = openConsents(workbench);

  function authorize(call: Call): Answer {
    const { client_id, redirect_uri, response_type, scope } = call.fields;
    const app = kindOf(client_id);
    if (app === undefined) return refused('The passed in client_id is invalid');
    if (typeof redirect_uri !== 'string' || !apps[app].redirectUris.includes(redirect_uri)) {
      return refused('The redirect_uri does not match the registered value');
    }
    const back = (result: Record<string, string>) => sendBack(call, redirect_uri, result);
    if (response_type !== 'code') {
      return back({ error: 'invalid_request', error_description: 'response_type must be code' });
    }
    const wanted = typeof scope === 'string' ? scope.split(' ').filter((name) => name !== '') : [];
    const foreign = refusedScope(workbench, scopesOf[app], wanted);
    if (foreign !== undefined || wanted.length === 0) {
      const description = `Scope "${foreign ?? ''}" is not authorized for your application`;
      return back({ error: 'unauthorized_scope_error', error_description: description });
    }
    // LinkedIn has no parameter that asks a returning member again ("the authorization screen is bypassed").
    const request = {
      app: apps[app].id,
      scopes: wanted,
      asksAgain: false,
      lastsMs: accessTokenSeconds * 1000,
    };
    const decision = consents.decide(call, request);
    if (decision.kind === 'deny') {
      const description = 'The user cancelled the authorization';
      return back({ error: 'user_cancelled_authorize', error_description: description });
    }
    const logins = members.list().map(({ username }) => username);
    if (decision.kind === 'ask') {
      return consentPage(call, {
        platform: 'LinkedIn',
        application: `Herald (${app})`,
        logins,
        scopes: wanted,
      });
    }
    if (!logins.includes(decision.login)) return refused(`No member named ${decision.login}`);
    // On the real page a person cannot decline a scope, but LinkedIn has silently dropped scopes.
    const scopes = wanted.filter((name) => !decision.declined.includes(name));
    const code = codes.issue({ app, username: decision.login, scopes }, redirect_uri, call.at + codeLifeMs);
    return consents.approved(call, request, decision, back({ code }));
  }

  function kindOf(clientId: unknown): AppKind | undefined {
    const kinds: readonly AppKind[] = ['member', 'organization'];
    return kinds.find((kind) => apps[kind].id === clientId);
  }

  function accessToken(call: Call): Answer {
    if (!isForm(call)) {
      throw oauthError('invalid_request', 'The body must be form-encoded');
    }
    const { grant_type, client_id, client_secret } = call.fields;
    const app = kindOf(client_id);
    if (app === undefined || client_secret !== apps[app].secret) {
      throw oauthError('invalid_client', 'Client authentication failed', 401);
    }
    if (grant_type === 'authorization_code') return exchangeCode(app, call);
    if (grant_type === 'refresh_token') return refresh(app, call);
    throw oauthError('invalid_request', 'A required parameter "grant_type" is missing or invalid');
  }

  function exchangeCode(app: AppKind, { fields, at }: Call): Answer {
    const { code, redirect_uri } = fields;
    const found = typeof code === 'string' ? codes.redeem(code) : undefined;
    if (found === undefined || found.used || found.expiresAt <= at || found.grant.app !== app) {
      throw oauthError('invalid_request', 'Unable to retrieve access token: authorization code not found');
    }
    if (found.redirectUri !== redirect_uri) {
      throw oauthError(
        'invalid_redirect_uri',
        'Unable to retrieve access token: appid/redirect uri/code verifier does not match authorization code.',
      );
    }
    revokeOtherScopes(found.grant);
    const token = issue(accessTokens, found.grant, 'AQX', accessTokenSeconds, at);
    if (setting(`${app}RefreshTokens`) !== true) return json(tokenBody(token));
    const lasting = issue(refreshTokens, found.grant, 'AQW', refreshTokenSeconds, at);
    return json({ ...tokenBody(token), ...refreshBody(lasting, at) });
  }

  /** Returns the same refresh token: its lifetime of one year counts from the consent. */
  function refresh(app: AppKind, { fields, at }: Call): Answer {
    const lasting = liveToken(refreshTokens, fields['refresh_token'], at);
    if (lasting?.app !== app) {
      throw oauthError(
        'invalid_request',
        'The provided authorization grant or refresh token is invalid, expired or revoked.',
      );
    }
    const token = issue(accessTokens, lasting, 'AQX', accessTokenSeconds, at);
    return json({ ...tokenBody(token), ...refreshBody(lasting, at) });
  }

  /** Revokes every earlier token of the member for the app after a consent to different scopes. */
  function revokeOtherScopes({ app, username, scopes }: Grant): void {
    const wanted = [...scopes].sort().join(' ');
    const isOther = (token: Token) => token.app === app && [...token.scopes].sort().join(' ') !== wanted;
    revokeTokens({ accessTokens, refreshTokens }, username, isOther);
  }

  /** Issues a token of about 500 characters, as the real ones. */
  function issue(tokens: Records<Token>, grant: Grant, prefix: string, seconds: number, at: number): Token {
    const value = prefix + Array.from({ length: 18 }, () => random.secret()).join('');
    return issueToken<Grant>(tokens, grant, { value, seconds, at });
  }

  return [
    operation('authorization', 'GET', 'www.linkedin.com/oauth/v2/authorization', authorize),
    operation('accessToken', 'POST', 'www.linkedin.com/oauth/v2/accessToken', accessToken),
  ];
}

function tokenBody({ value, scopes }: Token) {
  return {
    access_token: value,
    expires_in: accessTokenSeconds,
    scope: scopes.join(','),
    token_type: 'Bearer',
  };
}

function refreshBody({ value, expiresAt }: Token, at: number) {
  return { refresh_token: value, refresh_token_expires_in: Math.floor((expiresAt - at) / 1000) };
}

function oauthError(error: string, description: string, status = 400): Refusal {
  return new Refusal(json({ error, error_description: description }, status));
}

function refused(message: string): Answer {
  return errorPage('LinkedIn', 'Bummer, something went wrong.', message);
}
