/** The token endpoint (OpenID Connect Core, section 3.1.3; RFC 6749, sections 2.3, 3.2 and 4.1.3; RFC 7636, section 4.6). */
import { createHash, timingSafeEqual } from 'node:crypto';
import { json } from './answers.ts';
import { claimsOf, issueIdToken } from './id-token.ts';
import { isForm, parametersOf } from './parameters.ts';
import type { Settings } from './settings.ts';
import type { SigningKeys } from './signing-keys.ts';
import type { Code, State } from './state.ts';
import type { Answer, Call, IssuerClient } from './types.ts';

const accessTokenSeconds = 300;

interface Surroundings {
  readonly url: string;
  readonly state: State;
  readonly keys: SigningKeys;
  clients(): readonly IssuerClient[];
  settings(): Settings;
}

/** Refuses a token request (RFC 6749, section 5.2). */
class TokenRefusal extends Error {
  readonly answer: Answer;

  constructor(error: string, description: string, status = 400, headers: Record<string, string> = {}) {
    super(description);
    this.answer = json({ error, error_description: description }, status, headers);
  }
}

/** Exchanges a code for tokens. */
export function tokenEndpoint({ url, state, keys, clients, settings }: Surroundings) {
  async function exchange(call: Call): Promise<Answer> {
    if (!isForm(call)) throw new TokenRefusal('invalid_request', 'The body must be form-encoded');
    const { values, repeated } = parametersOf(call);
    if (repeated.length > 0) throw new TokenRefusal('invalid_request', `${repeated[0]} came more than once`);
    const client = authenticate(call, values, clients());
    if (values['grant_type'] === undefined)
      throw new TokenRefusal('invalid_request', 'grant_type is missing');
    if (values['grant_type'] !== 'authorization_code') {
      throw new TokenRefusal('unsupported_grant_type', 'grant_type must be authorization_code');
    }
    for (const name of ['code', 'redirect_uri', 'code_verifier']) {
      if (values[name] === undefined) throw new TokenRefusal('invalid_request', `${name} is missing`);
    }
    const { grant } = redeem(client, values, call.at);
    const accessToken = state.accessTokens.add({ grant, expiresAt: call.at + accessTokenSeconds * 1_000 });
    remember(values['code'], accessToken);
    const idToken = await issueIdToken(grant, {
      issuer: url,
      accessToken,
      at: call.at,
      keys,
      settings: settings(),
    });
    return json({
      access_token: accessToken,
      token_type: 'Bearer',
      expires_in: accessTokenSeconds,
      scope: grant.scopes.join(' '),
      id_token: idToken,
    });
  }

  /** Uses the code up, also if it is then refused. A code that comes again ends what it gave (RFC 6749, section 4.1.2). */
  function redeem(client: IssuerClient, values: Readonly<Record<string, string>>, at: number): Code {
    const name = values['code'] ?? '';
    const code = state.codes.find(name, at);
    if (code === undefined) throw new TokenRefusal('invalid_grant', 'The code is unknown or has expired');
    if (code.isUsed) {
      state.accessTokens.remove(code.accessToken);
      throw new TokenRefusal('invalid_grant', 'The code was used before; its tokens are revoked');
    }
    state.codes.replace(name, { ...code, isUsed: true });
    if (code.grant.clientId !== client.id)
      throw new TokenRefusal('invalid_grant', 'The code was issued to another client');
    if (code.redirectUri !== values['redirect_uri'])
      throw new TokenRefusal('invalid_grant', 'redirect_uri is not that of the authorization request');
    const verifier = values['code_verifier'] ?? '';
    if (!/^[\w.~-]{43,128}$/.test(verifier) || digest(verifier) !== code.codeChallenge)
      throw new TokenRefusal('invalid_grant', 'code_verifier does not match code_challenge');
    return code;
  }

  function remember(name = '', accessToken: string): void {
    const code = state.codes.find(name, 0);
    if (code !== undefined) state.codes.replace(name, { ...code, accessToken });
  }

  return {
    async token(call: Call): Promise<Answer> {
      try {
        return await exchange(call);
      } catch (error) {
        if (error instanceof TokenRefusal) return error.answer;
        throw error;
      }
    },
    /** The claims about the person (OpenID Connect Core, section 5.3; errors: RFC 6750, section 3). */
    userInfo({ headers, at }: Call): Answer {
      const [, given] = /^Bearer ([\w-]+)$/i.exec(headers.authorization ?? '') ?? [];
      if (given === undefined) return json({}, 401, { 'www-authenticate': 'Bearer' });
      const found = state.accessTokens.find(given, at);
      if (found === undefined) {
        const error = 'invalid_token';
        return json({ error }, 401, { 'www-authenticate': `Bearer error="${error}"` });
      }
      return json(claimsOf(found.grant, settings()));
    },
  };
}

/**
 * Identifies the client by HTTP Basic or by fields of the form, but not by both (RFC 6749, section 2.3).
 *
 * @throws TokenRefusal if it is unknown, or its secret is missing or wrong
 */
function authenticate(
  { headers }: Call,
  values: Readonly<Record<string, string>>,
  clients: readonly IssuerClient[],
): IssuerClient {
  const basic = readBasic(headers.authorization);
  if (basic !== undefined && values['client_secret'] !== undefined) {
    throw new TokenRefusal('invalid_request', 'The client must authenticate in one way');
  }
  const { id, secret } = basic ?? { id: values['client_id'], secret: values['client_secret'] };
  if (basic !== undefined && values['client_id'] !== undefined && values['client_id'] !== id) {
    throw new TokenRefusal(
      'invalid_request',
      'client_id differs from the client of the Authorization header',
    );
  }
  const client = clients.find((one) => one.id === id);
  if (client === undefined || !isSame(client.secret ?? '', secret ?? '')) {
    const challenge = { 'www-authenticate': `Basic realm="simulated issuer"` };
    const status = headers.authorization === undefined ? 400 : 401;
    throw new TokenRefusal(
      'invalid_client',
      'Client authentication failed',
      status,
      status === 401 ? challenge : {},
    );
  }
  return client;
}

/** Id and secret are form-encoded inside the header (RFC 6749, section 2.3.1). */
function readBasic(header: string | undefined): { id: string; secret: string } | undefined {
  if (header === undefined) return undefined;
  const [, credentials = ''] = /^Basic ([\w+/=-]+)$/i.exec(header) ?? [];
  const [id = '', secret = ''] = Buffer.from(credentials, 'base64').toString().split(':', 2);
  const [decodedId] = new URLSearchParams(`v=${id}`).values();
  const [decodedSecret] = new URLSearchParams(`v=${secret}`).values();
  return { id: decodedId ?? '', secret: decodedSecret ?? '' };
}

const digest = (text: string): string => createHash('sha256').update(text).digest('base64url');

function isSame(one: string, other: string): boolean {
  const [left, right] = [one, other].map((text) => createHash('sha256').update(text).digest());
  return left !== undefined && right !== undefined && timingSafeEqual(left, right);
}
