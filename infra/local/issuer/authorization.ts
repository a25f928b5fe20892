/** The authorization endpoint, and the page on which a person signs in. */
import { seeOther, withParameters } from './answers.ts';
import { type AuthorizationRequest, checkRequest, type ReturnedError } from './authorization-request.ts';
import { errorPage, signInPage } from './pages.ts';
import { cookieOf, isForm, parametersOf } from './parameters.ts';
import type { BrowserSession, State } from './state.ts';
import type { Answer, Call, IssuerClient, KnownPerson, Person } from './types.ts';

/** How long a code lives (RFC 6749, section 4.1.2, recommends at most 10 minutes). */
export const codeSeconds = 60;
/** How long a browser stays signed in at the issuer; the same as with Cognito's managed login. */
export const browserSessionSeconds = 3_600;

interface Surroundings {
  readonly url: string;
  readonly state: State;
  readonly people: readonly KnownPerson[];
  clients(): readonly IssuerClient[];
}

/**
 * The name of the cookie by which the issuer knows a browser. It has the port, because browsers send cookies to all
 * ports of a host.
 */
export function browserCookie(url: string): string {
  return `simulated-issuer-${new URL(url).port}`;
}

/** `authorize` answers the client's request, `proceed` the forms of the page. */
export function authorizationEndpoint({ url, state, people, clients }: Surroundings) {
  const cookie = browserCookie(url);

  /** Sends the browser back to the client (RFC 6749, section 4.1.2; `iss`: RFC 9207, section 2). */
  function sendBack(
    redirectUri: string,
    result: Readonly<Record<string, string | undefined>>,
    headers?: Readonly<Record<string, string>>,
  ): Answer {
    return seeOther(withParameters(redirectUri, { ...result, iss: url }), headers);
  }

  const refuse = (redirectUri: string, given: string | undefined, { error, description }: ReturnedError) =>
    sendBack(redirectUri, { error, error_description: description, state: given });

  function grant(
    request: AuthorizationRequest,
    { person, signedInAt }: Pick<BrowserSession, 'person' | 'signedInAt'>,
    at: number,
    headers?: Readonly<Record<string, string>>,
  ): Answer {
    const { client, redirectUri, codeChallenge, scopes, nonce } = request;
    const code = state.codes.add({
      grant: { clientId: client.id, person, scopes, nonce, signedInAt },
      redirectUri,
      codeChallenge,
      expiresAt: at + codeSeconds * 1_000,
      isUsed: false,
    });
    return sendBack(redirectUri, { code, state: request.state }, headers);
  }

  function authorize(call: Call): Answer {
    const parameters = parametersOf(call);
    const checked = checkRequest(parameters, clients());
    if (checked.kind === 'shown') return errorPage(checked.problem);
    if (checked.kind === 'returned') return refuse(checked.redirectUri, checked.state, checked.error);
    const { request } = checked;
    const { redirectUri, loginHint } = request;
    const session = state.browsers.find(cookieOf(call, cookie), call.at);
    if (session !== undefined && suffices(session, request, call.at)) return grant(request, session, call.at);
    if (request.prompts.includes('none')) {
      const description = 'Nobody has signed in in this browser recently enough';
      return refuse(redirectUri, request.state, { error: 'login_required', description });
    }
    return signInPage({ people, parameters: parameters.values, redirectUri, loginHint });
  }

  function proceed(call: Call): Answer {
    // A page of another site must not sign somebody in.
    if (!isForm(call) || call.headers.origin !== url)
      return errorPage('Only the page of this identity provider may send this form.', 403);
    const parameters = parametersOf(call);
    const { person: label, email, name, cancel, ...requested } = parameters.values;
    const checked = checkRequest({ ...parameters, values: requested }, clients());
    if (checked.kind === 'shown') return errorPage(checked.problem);
    if (checked.kind === 'returned') return refuse(checked.redirectUri, checked.state, checked.error);
    const { request } = checked;
    if (cancel !== undefined) {
      const description = 'The person cancelled';
      return refuse(request.redirectUri, request.state, { error: 'access_denied', description });
    }
    const person = people.find((one) => one.label === label) ?? personOf(email, name);
    if (person === undefined) {
      return signInPage({
        people,
        parameters: requested,
        redirectUri: request.redirectUri,
        loginHint: email,
        problem: 'Enter an email address, such as ada@example.com.',
      });
    }
    // Each sign-in gets a new cookie, so that a cookie that somebody planted is worth nothing.
    state.browsers.remove(cookieOf(call, cookie));
    const session = {
      person: { email: person.email, name: person.name },
      signedInAt: call.at,
      expiresAt: call.at + browserSessionSeconds * 1_000,
    };
    const value = state.browsers.add(session);
    return grant(request, session, call.at, {
      'set-cookie': `${cookie}=${value}; Path=/; HttpOnly; SameSite=Lax; Max-Age=${browserSessionSeconds}`,
    });
  }

  return { authorize, proceed };
}

/** Whether the person need not sign in again (OpenID Connect Core, section 3.1.2.1, `prompt` and `max_age`). */
function suffices(
  { signedInAt }: BrowserSession,
  { prompts, maxAgeSeconds = Infinity }: AuthorizationRequest,
  at: number,
): boolean {
  if (prompts.some((prompt) => prompt !== 'none')) return false;
  // A `max_age` of 0 means the same as `prompt=login`.
  return maxAgeSeconds > 0 && at - signedInAt <= maxAgeSeconds * 1_000;
}

function personOf(email: string | undefined, name = ''): Person | undefined {
  const address = email?.trim();
  if (address === undefined || !/^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(address)) return undefined;
  return { email: address, name: name.trim() };
}
