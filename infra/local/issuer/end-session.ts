/** The end-session endpoint (OpenID Connect RP-Initiated Logout 1.0). */
import { seeOther, withParameters } from './answers.ts';
import { browserCookie } from './authorization.ts';
import { errorPage, signedOutPage } from './pages.ts';
import { cookieOf, parametersOf } from './parameters.ts';
import type { SigningKeys } from './signing-keys.ts';
import type { State } from './state.ts';
import type { Answer, Call, IssuerClient } from './types.ts';

interface Surroundings {
  readonly url: string;
  readonly state: State;
  readonly keys: SigningKeys;
  clients(): readonly IssuerClient[];
}

/**
 * Signs the browser out of the issuer. It does not ask first: the target of the redirect must be registered, which section 3
 * accepts as proof that the client sent the browser.
 */
export function endSessionEndpoint({ url, state, keys, clients }: Surroundings) {
  const cookie = browserCookie(url);
  return (call: Call): Answer => {
    const { values, repeated } = parametersOf(call);
    if (repeated.length > 0) return errorPage(`${repeated[0]} came more than once.`);
    const { id_token_hint: hint, client_id: clientId, post_logout_redirect_uri: target } = values;
    const hinted = hint === undefined ? undefined : keys.verified(hint);
    if (hint !== undefined && hinted?.['iss'] !== url) {
      return errorPage('id_token_hint is not an id token of this issuer.');
    }
    // Section 2: the client that is named must be the one that the token was issued to.
    if (hinted !== undefined && clientId !== undefined && hinted['aud'] !== clientId) {
      return errorPage('id_token_hint was issued to another client.');
    }
    const client = clients().find(({ id }) => id === (clientId ?? hinted?.['aud']));
    if (clientId !== undefined && client === undefined) return errorPage(`There is no client ${clientId}.`);
    if (target !== undefined && client?.postLogoutRedirectUris.includes(target) !== true) {
      return errorPage(`The redirect URI ${target} is not registered for the time after sign-out.`);
    }
    state.browsers.remove(cookieOf(call, cookie));
    const forget = { 'set-cookie': `${cookie}=; Path=/; HttpOnly; SameSite=Lax; Max-Age=0` };
    if (target !== undefined) return seeOther(withParameters(target, { state: values['state'] }), forget);
    const page = signedOutPage();
    return { ...page, headers: { ...page.headers, ...forget } };
  };
}
