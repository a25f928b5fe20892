import * as oidc from 'openid-client';
import { type Issuer, startIssuer } from '../../../../infra/local/issuer/issuer.ts';
import type { Settings } from '../../../../infra/local/issuer/settings.ts';
import type { IssuerClient } from '../../../../infra/local/issuer/types.ts';

export const panel: IssuerClient = {
  id: 'panel',
  secret: 'a secret: 100% & more',
  redirectUris: ['http://127.0.0.1:3001/callback'],
  postLogoutRedirectUris: ['http://127.0.0.1:3001/signed-out'],
};
export const other: IssuerClient = {
  id: 'other',
  redirectUris: ['http://127.0.0.1:3002/callback'],
  postLogoutRedirectUris: [],
};

export const people = [
  { label: 'Owner', email: 'owner@herald.example', name: 'Olive Owner' },
  { label: 'Member', email: 'member@herald.example', name: 'Max Member' },
];

/** A code challenge and its verifier (RFC 7636, appendix B). */
export const pkce = {
  verifier: 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk',
  challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
};

type Fields = Readonly<Record<string, string | readonly string[] | undefined>>;

/** An issuer with two clients, and a browser without scripts. */
export interface Fixture {
  readonly issuer: Issuer;
  /** The browser's cookies. */
  readonly cookies: Map<string, string>;
  advance(seconds: number): void;
  /** Sends a valid authorization request with changes; `undefined` leaves a parameter out. */
  authorize(changes?: Fields, method?: 'GET' | 'POST'): Promise<Seen>;
  /** Sends the form of the sign-in page. */
  proceed(fields: Fields, changes?: Fields, headers?: Readonly<Record<string, string>>): Promise<Seen>;
  /** Signs in as Owner. @returns the code */
  code(changes?: Fields): Promise<string>;
  /** Exchanges a code, as the client `panel` unless the fields say otherwise. */
  exchange(fields: Fields, headers?: Readonly<Record<string, string>>): Promise<Seen>;
  visit(url: string): Promise<Seen>;
  set(settings: Partial<Settings>): Promise<Response>;
  close(): Promise<void>;
}

export interface Seen {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** The query of the address to which the browser is sent; undefined if it is sent nowhere. */
  readonly back: Readonly<Record<string, string>> | undefined;
  readonly json: Record<string, unknown>;
}

export async function openFixture(options: { readonly dataDirectory?: string } = {}): Promise<Fixture> {
  let aheadMs = 0;
  const clock = { now: () => Date.now() + aheadMs };
  const issuer = await startIssuer({ port: 0, clock, people, clients: () => [panel, other], ...options });
  const cookies = new Map<string, string>();

  async function send(url: string, init: RequestInit = {}): Promise<Seen> {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const headers = { ...(cookie !== '' && { cookie }), ...(init.headers as Record<string, string>) };
    const response = await fetch(url, { ...init, headers, redirect: 'manual' });
    for (const line of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      if (value === '') cookies.delete(name);
      else cookies.set(name, value);
    }
    const text = await response.text();
    const location = response.headers.get('location');
    return {
      status: response.status,
      headers: response.headers,
      text,
      back: location === null ? undefined : Object.fromEntries(new URL(location).searchParams),
      get json() {
        return JSON.parse(text);
      },
    };
  }

  const request = (changes: Fields) =>
    formOf({
      response_type: 'code',
      client_id: panel.id,
      redirect_uri: panel.redirectUris[0],
      scope: 'openid email profile',
      state: 'a state & more',
      nonce: 'a nonce',
      code_challenge: pkce.challenge,
      code_challenge_method: 'S256',
      ...changes,
    });

  const fixture: Fixture = {
    issuer,
    cookies,
    advance(seconds) {
      aheadMs += seconds * 1_000;
    },
    authorize: (changes = {}, method = 'GET') =>
      method === 'GET'
        ? send(`${issuer.url}/authorize?${request(changes)}`)
        : send(`${issuer.url}/authorize`, { method, body: request(changes) }),
    proceed: (fields, changes = {}, headers = {}) =>
      send(`${issuer.url}/continue`, {
        method: 'POST',
        headers: { origin: issuer.url, ...headers },
        body: request({ ...changes, ...fields }),
      }),
    async code(changes = {}) {
      const { back, text } = await fixture.proceed({ person: 'Owner' }, changes);
      if (back?.['code'] === undefined) throw new Error(`there is no code: ${JSON.stringify(back)} ${text}`);
      return back['code'];
    },
    exchange: (fields, headers = {}) =>
      send(`${issuer.url}/token`, {
        method: 'POST',
        headers,
        body: formOf({
          grant_type: 'authorization_code',
          client_id: panel.id,
          client_secret: panel.secret,
          redirect_uri: panel.redirectUris[0],
          code_verifier: pkce.verifier,
          ...fields,
        }),
      }),
    visit: (url) => send(url),
    set: (settings) => fetch(`${issuer.control}/settings`, { method: 'PUT', body: JSON.stringify(settings) }),
    close: () => issuer.stop(),
  };
  return fixture;
}

function formOf(fields: Fields): URLSearchParams {
  const form = new URLSearchParams();
  for (const [name, values] of Object.entries(fields))
    for (const value of [values].flat()) if (value !== undefined) form.append(name, value);
  return form;
}

/** Claims of a token, without a look at its signature. */
export function claimsIn(token: unknown): Record<string, unknown> {
  return JSON.parse(Buffer.from(String(token).split('.')[1] ?? '', 'base64url').toString());
}

/** What a relying party does with `openid-client`, unmodified. */
export async function relyingParty({ issuer }: Pick<Fixture, 'issuer'>, client = panel) {
  return oidc.discovery(new URL(issuer.url), client.id, client.secret, undefined, {
    execute: [oidc.allowInsecureRequests],
  });
}
