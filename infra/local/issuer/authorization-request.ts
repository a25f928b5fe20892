/** Checks authorization requests (OpenID Connect Core, section 3.1.2; RFC 6749, section 4.1.1; RFC 7636, section 4.3). */
import type { Parameters } from './parameters.ts';
import type { IssuerClient } from './types.ts';

export interface AuthorizationRequest {
  readonly client: IssuerClient;
  readonly redirectUri: string;
  readonly state: string | undefined;
  readonly nonce: string | undefined;
  readonly scopes: readonly string[];
  readonly codeChallenge: string;
  readonly prompts: readonly string[];
  readonly maxAgeSeconds: number | undefined;
  /** The address to suggest. */
  readonly loginHint: string | undefined;
}

/** An error that the browser takes back to the client (RFC 6749, section 4.1.2.1; OpenID Connect Core, section 3.1.2.6). */
export interface ReturnedError {
  readonly error: string;
  readonly description: string;
}

export type CheckedRequest =
  | { readonly kind: 'valid'; readonly request: AuthorizationRequest }
  /** Client or redirect URI are not known, so the browser must not be redirected. */
  | { readonly kind: 'shown'; readonly problem: string }
  | {
      readonly kind: 'returned';
      readonly redirectUri: string;
      readonly state: string | undefined;
      readonly error: ReturnedError;
    };

/** The scopes that this issuer knows. It ignores others (OpenID Connect Core, section 3.1.2.1). */
export const knownScopes: readonly string[] = ['openid', 'email', 'profile'];
export const knownPrompts: readonly string[] = ['none', 'login', 'consent', 'select_account'];

/** Parameters of features that this issuer lacks, with the error of OpenID Connect Core, section 3.1.2.6. */
const unsupported: Readonly<Record<string, string>> = {
  request: 'request_not_supported',
  request_uri: 'request_uri_not_supported',
  registration: 'registration_not_supported',
};

/** Checks everything that does not depend on who is signed in. Pure. */
export function checkRequest(
  { values, repeated }: Parameters,
  clients: readonly IssuerClient[],
): CheckedRequest {
  const { client_id: clientId, redirect_uri: redirectUri, state } = values;
  for (const name of ['client_id', 'redirect_uri']) {
    if (repeated.includes(name)) return { kind: 'shown', problem: `${name} came more than once.` };
    if (values[name] === undefined) return { kind: 'shown', problem: `${name} is missing.` };
  }
  const client = clients.find(({ id }) => id === clientId);
  if (client === undefined) return { kind: 'shown', problem: `There is no client ${clientId}.` };
  if (redirectUri === undefined || !client.redirectUris.includes(redirectUri)) {
    const registered = client.redirectUris.join(', ') || 'none';
    return {
      kind: 'shown',
      problem: `The redirect URI ${redirectUri} is not registered. Registered: ${registered}.`,
    };
  }
  const error = requestError(values, repeated);
  if (error !== undefined) {
    return {
      kind: 'returned',
      redirectUri,
      state: repeated.includes('state') ? undefined : state,
      error,
    };
  }
  return {
    kind: 'valid',
    request: {
      client,
      redirectUri,
      state,
      nonce: values['nonce'],
      scopes: wordsOf(values['scope']).filter((scope) => knownScopes.includes(scope)),
      codeChallenge: values['code_challenge'] ?? '',
      prompts: wordsOf(values['prompt']),
      maxAgeSeconds: values['max_age'] === undefined ? undefined : Number(values['max_age']),
      loginHint: values['login_hint'],
    },
  };
}

function requestError(
  values: Readonly<Record<string, string>>,
  repeated: readonly string[],
): ReturnedError | undefined {
  const invalid = (description: string) => ({ error: 'invalid_request', description });
  if (repeated.length > 0) return invalid(`${repeated[0]} came more than once`);
  for (const [name, error] of Object.entries(unsupported)) {
    if (values[name] !== undefined) return { error, description: `${name} is not supported` };
  }
  if (values['response_type'] === undefined) return invalid('response_type is missing');
  if (values['response_type'] !== 'code') {
    return { error: 'unsupported_response_type', description: 'response_type must be code' };
  }
  if ((values['response_mode'] ?? 'query') !== 'query') return invalid('response_mode must be query');
  if (!wordsOf(values['scope']).includes('openid')) {
    return { error: 'invalid_scope', description: 'scope must contain openid' };
  }
  // RFC 7636, section 4.3: without a method, the method is plain.
  if (values['code_challenge'] === undefined) return invalid('code_challenge is missing: PKCE is required');
  if (values['code_challenge_method'] !== 'S256') return invalid('code_challenge_method must be S256');
  if (!/^[\w-]{43}$/.test(values['code_challenge'])) {
    return invalid('code_challenge must be a SHA-256 digest in base64url');
  }
  const prompts = wordsOf(values['prompt']);
  if (prompts.some((prompt) => !knownPrompts.includes(prompt))) return invalid('prompt has an unknown value');
  if (prompts.includes('none') && prompts.length > 1) return invalid('prompt has none and another value');
  if (!/^\d{1,9}$/.test(values['max_age'] ?? '0')) return invalid('max_age must be a number of seconds');
  return undefined;
}

const wordsOf = (text = ''): string[] => text.split(' ').filter((word) => word !== '');
