import { createHash, generateKeyPairSync, type KeyObject, randomUUID, sign } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Faults of the next ID token, or response. */
export interface IssuerFaults {
  /** Replaces claims; `undefined` removes one. */
  claims?: Record<string, unknown>;
  /** Signs with a key that the issuer does not publish. */
  hasWrongSignature?: boolean;
  /** Gives no refresh token at a sign-in. */
  hasNoRefreshToken?: boolean;
  /** The token endpoint's whole response. */
  tokenResponse?: (response: ServerResponse) => void;
  /** Replaces members of the discovery document. */
  metadata?: Record<string, unknown>;
}

export interface TestIssuer {
  readonly url: string;
  readonly clientId: string;
  readonly clientSecret: string;
  faults: IssuerFaults;
  /** Paths of all requests so far. */
  readonly requests: string[];
  /** Returns the query that a browser brings back after the person has signed in at this URL, without a question mark. */
  answer(authorizationUrl: string, person?: Record<string, unknown>): string;
  /** Its present refresh token. Each use replaces it. */
  refreshToken: string;
  stop(): Promise<void>;
}

interface Grant {
  readonly parameters: URLSearchParams;
  readonly person: Record<string, unknown>;
}

const keyPair = () => generateKeyPairSync('ec', { namedCurve: 'P-256' });

/** Starts an OpenID Connect issuer at which every person signs in at once. */
export async function startIssuer(): Promise<TestIssuer> {
  const [own, foreign] = [keyPair(), keyPair()];
  const grants = new Map<string, Grant>();
  const requests: string[] = [];
  const clientId = 'panel';
  const clientSecret = 'secret-of-the-client';
  const issuer: { url: string; faults: IssuerFaults; refreshToken: string } = {
    url: '',
    faults: {},
    refreshToken: 'refresh-token-1',
  };

  const discovery = () => ({
    issuer: issuer.url,
    authorization_endpoint: `${issuer.url}/authorize`,
    token_endpoint: `${issuer.url}/token`,
    jwks_uri: `${issuer.url}/jwks`,
    end_session_endpoint: `${issuer.url}/logout`,
    response_types_supported: ['code'],
    subject_types_supported: ['public'],
    id_token_signing_alg_values_supported: ['ES256'],
    token_endpoint_auth_methods_supported: ['client_secret_basic', 'none'],
    ...issuer.faults.metadata,
  });

  const redeem = async (request: IncomingMessage, response: ServerResponse) => {
    const form = new URLSearchParams(await text(request));
    if (issuer.faults.tokenResponse) return issuer.faults.tokenResponse(response);
    if (form.get('grant_type') === 'refresh_token') return refresh(form, response);
    const code = form.get('code') ?? '';
    const grant = grants.get(code);
    grants.delete(code);
    const challenge = createHash('sha256')
      .update(form.get('code_verifier') ?? '')
      .digest('base64url');
    const isRight =
      grant?.parameters.get('redirect_uri') === form.get('redirect_uri') &&
      grant?.parameters.get('code_challenge') === challenge;
    if (!grant || !isRight) return json(response, { error: 'invalid_grant', error_description: code }, 400);
    const now = Math.floor(Date.now() / 1_000);
    const claims = {
      iss: issuer.url,
      aud: clientId,
      sub: 'ada',
      iat: now,
      exp: now + 300,
      nonce: grant.parameters.get('nonce'),
      auth_time: now,
      email: 'ada@example.com',
      email_verified: true,
      name: 'Ada',
      ...grant.person,
      ...issuer.faults.claims,
    };
    const { privateKey } = issuer.faults.hasWrongSignature ? foreign : own;
    json(response, {
      access_token: 'access-token-of-the-issuer',
      token_type: 'Bearer',
      id_token: idToken(claims, privateKey),
      ...(issuer.faults.hasNoRefreshToken !== true && { refresh_token: issuer.refreshToken }),
    });
  };

  const refresh = (form: URLSearchParams, response: ServerResponse) => {
    const sent = form.get('refresh_token') ?? '';
    if (sent !== issuer.refreshToken)
      return json(response, { error: 'invalid_grant', error_description: sent }, 400);
    issuer.refreshToken = `refresh-token-${randomUUID()}`;
    const now = Math.floor(Date.now() / 1_000);
    const claims = { iss: issuer.url, aud: clientId, sub: 'ada', iat: now, exp: now + 300 };
    const { privateKey } = issuer.faults.hasWrongSignature ? foreign : own;
    json(response, {
      access_token: 'access-token-of-the-issuer',
      token_type: 'Bearer',
      id_token: idToken({ ...claims, ...issuer.faults.claims }, privateKey),
      refresh_token: issuer.refreshToken,
    });
  };

  const server = createServer(async (request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://issuer');
    requests.push(pathname);
    if (pathname === '/.well-known/openid-configuration') return json(response, discovery());
    if (pathname === '/jwks') {
      const key = own.publicKey.export({ format: 'jwk' });
      return json(response, { keys: [{ ...key, kid: 'key', alg: 'ES256', use: 'sig' }] });
    }
    if (pathname === '/token') return redeem(request, response);
    return json(response, {}, 404);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  issuer.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  return Object.assign(issuer, {
    clientId,
    clientSecret,
    requests,
    answer: (authorizationUrl: string, person: Record<string, unknown> = {}) => {
      const parameters = new URL(authorizationUrl).searchParams;
      const code = `code-${randomUUID()}`;
      grants.set(code, { parameters, person });
      return new URLSearchParams({ code, state: parameters.get('state') ?? '' }).toString();
    },
    stop: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  });
}

function idToken(claims: object, key: KeyObject): string {
  const encoded = [{ alg: 'ES256', kid: 'key' }, claims].map((part) =>
    Buffer.from(JSON.stringify(part)).toString('base64url'),
  );
  const content = encoded.join('.');
  const signature = sign('sha256', Buffer.from(content), { key, dsaEncoding: 'ieee-p1363' });
  return `${content}.${signature.toString('base64url')}`;
}

async function text(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('utf8');
}

function json(response: ServerResponse, body: unknown, status = 200): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}
