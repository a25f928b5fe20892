import { json, rawJson, redirect } from '../kit/answers.ts';
import { openAuthorizationCodes, randomSecret } from '../kit/authorization-codes.ts';
import { consentDecision, consentPage } from '../kit/consent.ts';
import { operation } from '../kit/router.ts';
import type { Answer, Call, Operation, Workbench } from '../kit/types.ts';
import { loginError, refuse } from './errors.ts';
import { authenticate, scopes } from './sessions.ts';
import type { State, Token } from './state.ts';

/** The app as it is registered with Threads. */
export interface ThreadsApp {
  /** The *Threads* app id, not that of the Meta app. */
  readonly id: string;
  readonly secret: string;
  readonly redirectUris: readonly string[];
}

interface Grant {
  readonly userId: string;
  readonly scopes: readonly string[];
}

const hourMilliseconds = 3_600_000;
const longLifeSeconds = 5_183_944;

/** The authorize page, the exchange of its code, the long-lived token with its refresh, and its inspection. */
export function loginOperations(workbench: Workbench, state: State, app: ThreadsApp): Operation[] {
  const codes = openAuthorizationCodes<Grant>(workbench.ledger, 'AQ');

  function authorize(call: Call): Answer {
    const { client_id, redirect_uri, response_type, scope, state: given } = call.fields;
    if (client_id !== app.id) return loginError('Invalid platform app');
    if (typeof redirect_uri !== 'string' || !isRegistered(redirect_uri)) {
      return loginError('Invalid redirect_uri');
    }
    if (response_type !== 'code') return loginError('Only response type "code" is allowed');
    const wanted = typeof scope === 'string' ? scope.split(/[ ,]+/) : [];
    const unknown = wanted.filter((name) => !scopes.some((known) => known === name));
    if (unknown.length > 0) return loginError(`Invalid Scopes: ${unknown.join(', ')}`);
    if (!wanted.includes('threads_basic')) return loginError('Invalid Scopes: threads_basic is required');

    const back = (result: Record<string, string>) =>
      redirect(withQuery(redirect_uri, { ...result, ...(typeof given === 'string' && { state: given }) }));
    const decision = consentDecision(call);
    const users = state.users.list();
    if (decision.kind === 'deny') return back(denied);
    if (decision.kind === 'ask') {
      const logins = users.map(({ username }) => username);
      const application = `App ${app.id}`;
      return consentPage(call, { platform: 'Threads', application, logins, scopes: wanted });
    }
    const user = users.find(({ username }) => username === decision.login);
    if (user === undefined) return loginError(`No account named ${decision.login}`);
    const granted = wanted.filter((name) => name === 'threads_basic' || !decision.declined.includes(name));
    const grant = { userId: user.id, scopes: granted };
    return back({ code: codes.issue(grant, redirect_uri, call.at + hourMilliseconds) });
  }

  /** Loopback http stands for https here, and nothing else does. */
  function isRegistered(redirectUri: string): boolean {
    if (!app.redirectUris.includes(redirectUri) || !URL.canParse(redirectUri)) return false;
    const { protocol, hostname } = new URL(redirectUri);
    return protocol === 'https:' || ['127.0.0.1', 'localhost', '[::1]'].includes(hostname);
  }

  /** `POST /oauth/access_token`: a form and nothing else. */
  function exchangeCode(call: Call): Answer {
    const isForm = call.headers['content-type']?.startsWith('application/x-www-form-urlencoded') === true;
    const { client_id, client_secret, grant_type, redirect_uri, code } = isForm ? call.fields : {};
    if (client_id !== app.id) return loginError('Invalid platform app');
    if (client_secret !== app.secret) return loginError('Error validating client secret.');
    if (grant_type !== 'authorization_code') return loginError('Invalid grant_type');
    const found = typeof code === 'string' ? codes.redeem(code) : undefined;
    if (found === undefined || found.used) return loginError('This authorization code has been used');
    if (found.expiresAt <= call.at) return loginError('This authorization code has expired.');
    if (found.redirectUri !== redirect_uri) {
      return loginError('Error validating verification code: the redirect_uri is not identical');
    }
    const { value, userId } = issueToken(found.grant, 'short', call.at);
    // A bare number above 2^53, as the real answer has it: written as text, for no number can hold it.
    return rawJson(`{"access_token":"${value}","user_id":${userId}}`);
  }

  function issueToken({ userId, scopes: granted }: Grant, kind: Token['kind'], at: number): Token {
    const life = kind === 'short' ? hourMilliseconds : longLifeSeconds * 1000;
    const value = randomSecret('THAA');
    const token: Token = { value, userId, scopes: granted, kind, issuedAt: at, expiresAt: at + life };
    state.tokens.put(value, token);
    return token;
  }

  function longTokenAnswer(call: Call, token: Token): Answer {
    const { value } = issueToken(token, 'long', call.at);
    return json({ access_token: value, token_type: 'bearer', expires_in: longLifeSeconds });
  }

  function exchangeToken(call: Call): Answer {
    const { grant_type, client_secret } = call.fields;
    if (grant_type !== 'th_exchange_token' || client_secret !== app.secret) refuse('100', unsupported);
    const { token } = authenticate(call, state, workbench);
    if (token.kind !== 'short') refuse('100', unsupported);
    return longTokenAnswer(call, token);
  }

  function refreshToken(call: Call): Answer {
    if (call.fields['grant_type'] !== 'th_refresh_token') refuse('100', unsupported);
    const { token } = authenticate(call, state, workbench);
    if (token.kind !== 'long') refuse('100', unsupported);
    if (call.at - token.issuedAt < 24 * hourMilliseconds) {
      refuse('100', '(#100) The access token must be at least 24 hours old to be refreshed');
    }
    return longTokenAnswer(call, token);
  }

  function debugToken(call: Call): Answer {
    authenticate(call, state, workbench);
    const token = state.tokens.get(String(call.fields['input_token']));
    if (token === undefined) return json({ data: { is_valid: false, scopes: [] } });
    const { deadSubcode, expiresAt, userId, scopes: granted } = token;
    return rawJson(
      `{"data":{"type":"USER","is_valid":${deadSubcode === undefined && expiresAt > call.at},` +
        `"expires_at":${Math.floor(expiresAt / 1000)},"scopes":${JSON.stringify(granted)},"user_id":${userId}}}`,
    );
  }

  return [
    operation('authorize', 'GET', 'threads.net/oauth/authorize', authorize),
    operation('authorize', 'POST', 'threads.net/oauth/authorize', authorize),
    operation('oauth/access_token', 'POST', 'graph.threads.net/oauth/access_token', exchangeCode),
    operation('access_token', 'GET', 'graph.threads.net/access_token', exchangeToken),
    operation('refresh_access_token', 'GET', 'graph.threads.net/refresh_access_token', refreshToken),
    operation('debug_token', 'GET', 'graph.threads.net/v1.0/debug_token', debugToken),
  ];
}

const unsupported = 'Unsupported request - method type: get';

const denied = {
  error: 'access_denied',
  error_reason: 'user_denied',
  error_description: 'The user denied your request.',
};

/** Threads ends the address with `#_`, which is no part of the code. */
function withQuery(redirectUri: string, query: Record<string, string>): string {
  return `${redirectUri}${redirectUri.includes('?') ? '&' : '?'}${new URLSearchParams(query)}#_`;
}
