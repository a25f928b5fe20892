/** The login of Instagram and of Threads. The two differ only in names, addresses and some texts. */

import { json } from '../kit/answers.ts';
import { isForm } from '../kit/body.ts';
import type { Call } from '../kit/call.ts';
import { refusedScope } from '../kit/login/app-scopes.ts';
import { openAuthorizationCodes } from '../kit/login/authorization-codes.ts';
import { consentPage, openConsents, sendBack } from '../kit/login/consents.ts';
import type { Records } from '../kit/records.ts';
import { operation } from '../kit/router.ts';
import type { Answer, Operation, Workbench } from '../kit/types.ts';
import type { MetaApp } from './platform.ts';
import type { MetaToken } from './tokens.ts';

export interface LoginToken extends MetaToken {
  readonly kind: 'short' | 'long';
  readonly expiresAt: number;
}

/** The differences between the platforms. `Owner` is the part of a token that identifies its account. */
export interface Login<User, Owner> {
  readonly platform: string;
  readonly app: MetaApp;
  readonly users: Records<User>;
  readonly tokens: Records<Owner & LoginToken>;
  /** Host and path of the authorize page and the code exchange; `graph` is a host only. */
  readonly addresses: { readonly authorize: string; readonly code: string; readonly graph: string };
  /** The first scope is mandatory: it can be neither omitted nor declined. */
  readonly scopes: readonly string[];
  readonly scopeSeparator: RegExp;
  /** Returns true if an authorize request asks a person who has consented before. */
  readonly asksAgain: (call: Call) => boolean;
  readonly tokenPrefix: string;
  /** The prefix of the grant types, such as `ig` in `ig_exchange_token`. */
  readonly grantPrefix: string;
  readonly words: { readonly unknownCode: string; readonly otherRedirectUri: string };
  readonly ownerOf: (user: User) => Owner;
  readonly authenticate: (call: Call) => { readonly token: Owner & LoginToken };
  /** Returns the answer to the exchange of a code. */
  readonly codeAnswer: (token: Owner & LoginToken) => Answer;
  readonly refuse: (code: '100', message: string) => never;
}

const hourMilliseconds = 3_600_000;
const longLifeSeconds = 5_183_944;
const unsupported = 'Unsupported request - method type: get';
const denied = {
  error: 'access_denied',
  error_reason: 'user_denied',
  error_description: 'The user denied your request.',
};

/** Returns the operations of the login: authorize page, code exchange, exchange for a long-lived token, and its refresh. */
export function loginOperations<User extends { readonly username: string }, Owner>(
  workbench: Workbench,
  login: Login<User, Owner>,
): Operation[] {
  const { app, addresses, scopes, words } = login;
  const codes = openAuthorizationCodes<Owner & { readonly scopes: readonly string[] }>(workbench, 'AQ');
  const consents = openConsents(workbench);

  function authorize(call: Call): Answer {
    const { client_id, redirect_uri, response_type, scope } = call.fields;
    if (client_id !== app.id) return loginError('Invalid platform app');
    if (typeof redirect_uri !== 'string' || !isRegistered(redirect_uri, app)) {
      return loginError('Invalid redirect_uri');
    }
    if (response_type !== 'code') return loginError('Only response type "code" is allowed');
    const wanted = typeof scope === 'string' ? scope.split(login.scopeSeparator) : [];
    // The page also shows this for a scope that the app was not approved for.
    // https://github.com/gitroomhq/postiz-app/issues/1578
    const refused = refusedScope(workbench, scopes, wanted);
    if (refused !== undefined) return loginError(`Invalid Scopes: ${refused}`);
    const [basic = ''] = scopes;
    if (!wanted.includes(basic)) return loginError(`Invalid Scopes: ${basic} is required`);

    // Meta appends `#_` to the redirect address; it is not part of the code.
    const back = (result: Record<string, string>) => sendBack(call, redirect_uri, result, '#_');
    const request = { app: app.id, scopes: wanted, asksAgain: login.asksAgain(call) };
    const decision = consents.decide(call, request);
    const users = login.users.list();
    if (decision.kind === 'deny') return back(denied);
    if (decision.kind === 'ask') {
      const logins = users.map(({ username }) => username);
      return consentPage(call, {
        platform: login.platform,
        application: `App ${app.id}`,
        logins,
        scopes: wanted,
      });
    }
    const user = users.find(({ username }) => username === decision.login);
    if (user === undefined) return loginError(`No account named ${decision.login}`);
    const granted = wanted.filter((name) => name === basic || !decision.declined.includes(name));
    const grant = { ...login.ownerOf(user), scopes: granted };
    const code = codes.issue(grant, redirect_uri, call.at + hourMilliseconds);
    return consents.approved(call, request, decision, back({ code }));
  }

  /** Exchanges a code. Requires a form; any other request counts as one without parameters. */
  function exchangeCode(call: Call): Answer {
    const { client_id, client_secret, grant_type, redirect_uri, code } = isForm(call) ? call.fields : {};
    if (client_id !== app.id) return loginError('Invalid platform app');
    if (client_secret !== app.secret) return loginError('Error validating client secret.');
    if (grant_type !== 'authorization_code') return loginError('Invalid grant_type');
    const found = typeof code === 'string' ? codes.redeem(code) : undefined;
    if (found === undefined) return loginError(words.unknownCode);
    if (found.used) return loginError('This authorization code has been used');
    if (found.expiresAt <= call.at) return loginError('This authorization code has expired.');
    if (found.redirectUri !== redirect_uri) return loginError(words.otherRedirectUri);
    return login.codeAnswer(issueToken(found.grant, 'short', call.at));
  }

  function issueToken(
    grant: Owner & { readonly scopes: readonly string[] },
    kind: LoginToken['kind'],
    at: number,
  ): Owner & LoginToken {
    const value = workbench.random.secret(login.tokenPrefix);
    const life = kind === 'short' ? hourMilliseconds : longLifeSeconds * 1000;
    const token = { ...grant, value, kind, issuedAt: at, expiresAt: at + life };
    login.tokens.put(value, token);
    return token;
  }

  function longTokenAnswer(call: Call, token: Owner & LoginToken): Answer {
    const { value } = issueToken(token, 'long', call.at);
    return json({ access_token: value, token_type: 'bearer', expires_in: longLifeSeconds });
  }

  function exchangeToken(call: Call): Answer {
    const { grant_type, client_secret } = call.fields;
    if (grant_type !== `${login.grantPrefix}_exchange_token` || client_secret !== app.secret) {
      login.refuse('100', unsupported);
    }
    const { token } = login.authenticate(call);
    if (token.kind !== 'short') login.refuse('100', unsupported);
    return longTokenAnswer(call, token);
  }

  function refreshToken(call: Call): Answer {
    if (call.fields['grant_type'] !== `${login.grantPrefix}_refresh_token`) login.refuse('100', unsupported);
    const { token } = login.authenticate(call);
    if (token.kind !== 'long') login.refuse('100', unsupported);
    if (call.at - token.issuedAt < 24 * hourMilliseconds) {
      login.refuse('100', '(#100) The access token must be at least 24 hours old to be refreshed');
    }
    return longTokenAnswer(call, token);
  }

  const { graph } = addresses;
  return [
    operation('authorize', 'GET', addresses.authorize, authorize),
    operation('authorize', 'POST', addresses.authorize, authorize),
    operation('oauth/access_token', 'POST', addresses.code, exchangeCode),
    operation('access_token', 'GET', `${graph}/access_token`, exchangeToken),
    operation('refresh_access_token', 'GET', `${graph}/refresh_access_token`, refreshToken),
  ];
}

/** Returns true if the address is registered and https. Loopback http counts as https. */
function isRegistered(redirectUri: string, { redirectUris }: MetaApp): boolean {
  if (!redirectUris.includes(redirectUri) || !URL.canParse(redirectUri)) return false;
  const { protocol, hostname } = new URL(redirectUri);
  return protocol === 'https:' || ['127.0.0.1', 'localhost', '[::1]'].includes(hostname);
}

/** Returns an error of the authorize page or of the code exchange. */
export function loginError(message: string, status = 400): Answer {
  return json({ error_type: 'OAuthException', code: status, error_message: message }, status);
}
