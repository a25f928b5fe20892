/** What the parts of the issuer share. */
import type { IncomingHttpHeaders } from 'node:http';

/** A registered relying party. */
export interface IssuerClient {
  readonly id: string;
  /** Absent for a public client, which must not send one. */
  readonly secret?: string;
  /** Compared as strings (RFC 9700, section 2.1). */
  readonly redirectUris: readonly string[];
  readonly postLogoutRedirectUris: readonly string[];
}

/** Somebody who can sign in. */
export interface Person {
  readonly email: string;
  readonly name: string;
}

/** Somebody who signs in with one click on *Continue as <label>*. */
export interface KnownPerson extends Person {
  readonly label: string;
}

export interface IssuerClock {
  /** Epoch milliseconds. */
  now(): number;
}

/** A request to the issuer. */
export interface Call {
  readonly method: string;
  /** Without the query. */
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
  /** The body is longer than the issuer reads. */
  readonly isTooLong: boolean;
  /** Epoch milliseconds, by the issuer's clock. */
  readonly at: number;
}

export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}
