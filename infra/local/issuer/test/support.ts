import * as oidc from 'openid-client';
import { type Issuer, startIssuer } from '../issuer.ts';
import type { IssuerClient } from '../provider.ts';
import type { Settings } from '../settings.ts';

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
  /** Moves the issuer's clock, which stands still otherwise. */
  advance(seconds: number): void;
  /** Sends a valid authorization request with changes; `undefined` leaves a parameter out. */
  authorize(changes?: Fields): Promise<Seen>;
  /** Sends a form of the sign-in page of such a request. */
  proceed(fields: Fields, changes?: Fields, headers?: Readonly<Record<string, string>>): Promise<Seen>;
  /** Signs in as Owner. @returns the code */
  code(changes?: Fields): Promise<string>;
  /** Exchanges a code, as the client `panel` unless the fields say otherwise. */
  exchange(fields: Fields, headers?: Readonly<Record<string, string>>): Promise<Seen>;
  /** Goes to an end-session address, and agrees. */
  signOut(url: string): Promise<Seen>;
  /** Follows redirects within the issuer. */
  visit(url: string, init?: RequestInit): Promise<Seen>;
  set(settings: Partial<Settings>): Promise<Response>;
  close(): Promise<void>;
}

export interface Seen {
  readonly url: string;
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** The query or fragment of the client's address to which the browser is sent; undefined if it is sent nowhere. */
  readonly back: Readonly<Record<string, string>> | undefined;
  readonly json: Record<string, unknown>;
}

export async function openFixture(options: { readonly dataDirectory?: string } = {}): Promise<Fixture> {
  let now = Date.now();
  const clock = { now: () => now };
  const issuer = await startIssuer({ port: 0, clock, people, clients: () => [panel, other], ...options });
  const cookies = new Map<string, string>();

  async function visit(url: string, init: RequestInit = {}): Promise<Seen> {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const headers = {
      accept: 'text/html',
      ...(cookie !== '' && { cookie }),
      ...(init.headers as Record<string, string>),
    };
    const response = await fetch(url, { ...init, headers, redirect: 'manual' });
    for (const line of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      if (value === '') cookies.delete(name);
      else cookies.set(name, value);
    }
    const text = await response.text();
    const location = response.headers.get('location');
    const next = location === null ? undefined : new URL(location, url);
    if (next?.origin === issuer.url) return visit(next.href);
    return {
      url,
      status: response.status,
      headers: response.headers,
      text,
      back: next && Object.fromEntries(new URLSearchParams(next.search || next.hash.slice(1))),
      get json() {
        return JSON.parse(text);
      },
    };
  }

  const fixture: Fixture = {
    issuer,
    cookies,
    advance(seconds) {
      now += seconds * 1_000;
    },
    authorize(changes = {}) {
      const request = formOf({
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
      return visit(`${issuer.url}/auth?${request}`);
    },
    async proceed(fields, changes, headers = {}) {
      const page = await fixture.authorize({ prompt: 'login', ...changes });
      if (page.back !== undefined || page.status !== 200) return page;
      return visit(page.url, {
        method: 'POST',
        headers: { origin: issuer.url, ...headers },
        body: formOf(fields),
      });
    },
    async code(changes = {}) {
      const { back, text } = await fixture.proceed({ person: 'Owner' }, changes);
      if (back?.['code'] === undefined) throw new Error(`there is no code: ${JSON.stringify(back)} ${text}`);
      return back['code'];
    },
    exchange: (fields, headers = {}) =>
      visit(`${issuer.url}/token`, {
        method: 'POST',
        headers: { accept: 'application/json', ...headers },
        body: formOf({
          grant_type: 'authorization_code',
          client_id: panel.id,
          client_secret: panel.secret,
          redirect_uri: panel.redirectUris[0],
          code_verifier: pkce.verifier,
          ...fields,
        }),
      }),
    async signOut(url) {
      const page = await visit(url);
      const [, action = ''] = /<form [^>]*action="([^"]*)"/.exec(page.text) ?? [];
      const [, xsrf] = /name="xsrf" value="([^"]*)"/.exec(page.text) ?? [];
      if (xsrf === undefined) return page;
      return visit(action, { method: 'POST', body: formOf({ xsrf, logout: 'yes' }) });
    },
    visit,
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

/** Returns the claims of a token, without checking its signature. */
export function claimsIn(token: unknown): Record<string, unknown> {
  return JSON.parse(Buffer.from(String(token).split('.')[1] ?? '', 'base64url').toString());
}

/** Runs a relying party with `openid-client`, unmodified. */
export async function relyingParty({ issuer }: Pick<Fixture, 'issuer'>, client = panel) {
  return oidc.discovery(new URL(issuer.url), client.id, client.secret, undefined, {
    execute: [oidc.allowInsecureRequests],
  });
}
