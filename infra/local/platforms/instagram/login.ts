import { json, rawJson, redirect } from '../kit/answers.ts';
import { openAuthorizationCodes, randomSecret } from '../kit/authorization-codes.ts';
import { consentDecision, consentPage } from '../kit/consent.ts';
import { operation } from '../kit/router.ts';
import type { Answer, Call, Operation, Workbench } from '../kit/types.ts';
import { loginError, refuse } from './errors.ts';
import { authenticate } from './sessions.ts';
import type { State, Token, User } from './state.ts';

/** The app as it is registered with Instagram. */
export interface InstagramApp {
  /** The *Instagram* app id, not that of the Meta app. */
  readonly id: string;
  readonly secret: string;
  readonly redirectUris: readonly string[];
  /** Of the Meta app around it: signs every other webhook. */
  readonly metaSecret?: string;
  /** Where webhooks go; without it none are sent. */
  readonly webhook?: { readonly callbackUrl: string; readonly verifyToken: string };
}

export const scopes = [
  'instagram_business_basic',
  'instagram_business_content_publish',
  'instagram_business_manage_comments',
  'instagram_business_manage_messages',
  'instagram_business_manage_insights',
] as const;

export type Scope = (typeof scopes)[number];

interface Grant {
  readonly igId: string;
  readonly scopes: readonly string[];
}

const hourMilliseconds = 3_600_000;
const shortLifeMilliseconds = hourMilliseconds;
const longLifeSeconds = 5_183_944;
const minimumRefreshAgeMilliseconds = 24 * hourMilliseconds;

/** The authorize page, the exchange of its code, and the long-lived token with its refresh. */
export function loginOperations(workbench: Workbench, state: State, app: InstagramApp): Operation[] {
  const codes = openAuthorizationCodes<Grant>(workbench.ledger, 'AQ');

  function authorize(call: Call): Answer {
    const { client_id, redirect_uri, response_type, scope, state: given } = call.fields;
    if (client_id !== app.id) return loginError('Invalid platform app');
    if (typeof redirect_uri !== 'string' || !isRegistered(redirect_uri))
      return loginError('Invalid redirect_uri');
    if (response_type !== 'code') return loginError('Only response type "code" is allowed');
    const wanted = typeof scope === 'string' ? scope.split(',') : [];
    const unknown = wanted.filter((name) => !scopes.some((known) => known === name));
    if (unknown.length > 0) return loginError(`Invalid Scopes: ${unknown.join(', ')}`);
    if (!wanted.includes('instagram_business_basic')) {
      return loginError('Invalid Scopes: instagram_business_basic is required');
    }

    const back = (result: Record<string, string>) =>
      redirect(withQuery(redirect_uri, { ...result, ...(typeof given === 'string' && { state: given }) }));
    const decision = consentDecision(call);
    const users = state.users.list();
    if (decision.kind === 'deny') return back(denied);
    if (decision.kind === 'ask') {
      const logins = users.map(({ username }) => username);
      return consentPage(call, {
        platform: 'Instagram',
        application: `App ${app.id}`,
        logins,
        scopes: wanted,
      });
    }
    const user = users.find(({ username }) => username === decision.login);
    if (user === undefined) return loginError(`No account named ${decision.login}`);
    // The basic permission cannot be unticked.
    const granted = wanted.filter((name) => name === scopes[0] || !decision.declined.includes(name));
    const grant = { igId: user.igId, scopes: granted };
    return back({ code: codes.issue(grant, redirect_uri, call.at + hourMilliseconds) });
  }

  function isRegistered(redirectUri: string): boolean {
    if (!app.redirectUris.includes(redirectUri) || !URL.canParse(redirectUri)) return false;
    const { protocol, hostname } = new URL(redirectUri);
    return protocol === 'https:' || ['127.0.0.1', 'localhost', '[::1]'].includes(hostname);
  }

  /** `POST api.instagram.com/oauth/access_token`: a form and nothing else. */
  function exchangeCode(call: Call): Answer {
    const isForm = call.headers['content-type']?.startsWith('application/x-www-form-urlencoded') === true;
    const { client_id, client_secret, grant_type, redirect_uri, code } = isForm ? call.fields : {};
    if (client_id !== app.id) return loginError('Invalid platform app');
    if (client_secret !== app.secret) return loginError('Error validating client secret.');
    if (grant_type !== 'authorization_code') return loginError('Invalid grant_type');
    const found = typeof code === 'string' ? codes.redeem(code) : undefined;
    if (found === undefined) return loginError('Matching code was not found or was already used.');
    if (found.used) return loginError('This authorization code has been used');
    if (found.expiresAt <= call.at) return loginError('This authorization code has expired.');
    if (found.redirectUri !== redirect_uri) {
      return loginError(
        'Error validating verification code. Please make sure your redirect_uri is identical to the one you used in the OAuth dialog request',
      );
    }
    const user = state.users.get(found.grant.igId);
    if (user === undefined) return loginError('Matching code was not found or was already used.');
    const token = issueToken(found.grant, 'short', call.at);
    return shortTokenAnswer(token, user);
  }

  function shortTokenAnswer({ value, scopes: granted }: Token, { scopedId }: User): Answer {
    const isFlat = workbench.setting('tokenAnswer') === 'flat';
    const permissions = JSON.stringify(isFlat ? granted : granted.join(','));
    // The id is a bare number above 2^53, as the real answer has it: written as text, for no number can hold it.
    const token = `{"access_token":"${value}","user_id":${scopedId},"permissions":${permissions}}`;
    return rawJson(isFlat ? token : `{"data":[${token}]}`);
  }

  function issueToken({ igId, scopes: granted }: Grant, kind: Token['kind'], at: number): Token {
    const life = kind === 'short' ? shortLifeMilliseconds : longLifeSeconds * 1000;
    const value = randomSecret('IGAA');
    const token: Token = { value, igId, scopes: granted, kind, issuedAt: at, expiresAt: at + life };
    state.tokens.put(value, token);
    return token;
  }

  function longTokenAnswer(call: Call, token: Token): Answer {
    const { value } = issueToken(token, 'long', call.at);
    return json({ access_token: value, token_type: 'bearer', expires_in: longLifeSeconds });
  }

  function exchangeToken(call: Call): Answer {
    const { grant_type, client_secret } = call.fields;
    if (grant_type !== 'ig_exchange_token' || client_secret !== app.secret) refuse('100', unsupported);
    const { token } = authenticate(call, state);
    if (token.kind !== 'short') refuse('100', unsupported);
    return longTokenAnswer(call, token);
  }

  function refreshToken(call: Call): Answer {
    if (call.fields['grant_type'] !== 'ig_refresh_token') refuse('100', unsupported);
    const { token } = authenticate(call, state);
    if (token.kind !== 'long') refuse('100', unsupported);
    if (call.at - token.issuedAt < minimumRefreshAgeMilliseconds) {
      refuse('100', '(#100) The access token must be at least 24 hours old to be refreshed');
    }
    return longTokenAnswer(call, token);
  }

  return [
    operation('authorize', 'GET', 'www.instagram.com/oauth/authorize', authorize),
    operation('authorize', 'POST', 'www.instagram.com/oauth/authorize', authorize),
    operation('oauth/access_token', 'POST', 'api.instagram.com/oauth/access_token', exchangeCode),
    operation('access_token', 'GET', 'graph.instagram.com/access_token', exchangeToken),
    operation('refresh_access_token', 'GET', 'graph.instagram.com/refresh_access_token', refreshToken),
  ];
}

const unsupported = 'Unsupported request - method type: get';

const denied = {
  error: 'access_denied',
  error_reason: 'user_denied',
  error_description: 'The user denied your request.',
};

/** Instagram ends the address with `#_`, which is no part of the code. */
function withQuery(redirectUri: string, query: Record<string, string>): string {
  return `${redirectUri}${redirectUri.includes('?') ? '&' : '?'}${new URLSearchParams(query)}#_`;
}
