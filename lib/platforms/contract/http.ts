import type { Readable } from 'node:stream';
import type { Json } from '../../kernel/json.ts';

/** The HTTP client of all adapters. */
export interface PlatformHttp {
  /**
   * Sends one request and returns the response, whatever its status. Redirects are returned, never followed. A GET is
   * repeated once, on a new connection, if the server resets its reused connection before any response.
   *
   * @throws PlatformError `retry` if the request was provably never sent in full, `unknown` for every other
   * failure: a lost connection, a timeout, a response above 1 MB
   */
  send(request: PlatformRequest): Promise<PlatformResponse>;

  /**
   * Opens a connection to the URL's origin, with its TLS handshake, and holds it for the next request to that origin
   * that is marked as a last call. Resolves once the connection is open, or could not be opened; the call then opens
   * its own. Never rejects.
   */
  connectAhead(url: string): Promise<void>;

  /** Maps a URL of the platform to the one that serves it: the same URL, or the simulator's. For URLs that browsers open. */
  addressOf(url: string): string;
}

export interface PlatformRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** The platform's real URL: `https://host/path`, with or without a query. */
  readonly url: string;
  /** Parameters to add to the URL; undefined values are left out. */
  readonly query?: Parameters;
  readonly headers?: Readonly<Record<string, string>>;
  /** The token to send as `Authorization: Bearer`. */
  readonly bearer?: string;
  readonly body?: PlatformBody;
  /** The time limit of the whole exchange; 20 by default. */
  readonly totalSeconds?: number;
  /** Ends the exchange when it fires. The request may then have taken effect. */
  readonly signal?: AbortSignal | undefined;
  /**
   * True if the call makes something live, so that it must not fail on a dying connection. It then uses a connection on which
   * nothing was sent before: the one opened ahead if it is still open and young, otherwise a new one. Never a reused one.
   */
  readonly isLastCall?: true;
}

/** The time limit of a call, and its mark as a last call. */
export type CallLimits = Pick<PlatformRequest, 'totalSeconds' | 'isLastCall'>;

export type Parameters = Readonly<Record<string, string | undefined>>;

export type PlatformBody =
  | { readonly form: Parameters }
  | { readonly json: Json }
  /** A body that is opened before the platform is called, so that an unreadable file has no effect at the platform. */
  | { readonly open: () => Promise<Readable>; readonly contentType: string; readonly sizeBytes: number }
  /** An empty body with an explicit `Content-Length: 0`. */
  | { readonly empty: true };

export interface PlatformResponse {
  readonly status: number;
  /** The headers by lower-case name. `location` is always a real URL of the platform, never the simulator's. */
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly text: string;
  /** The parsed JSON body, with integers beyond 2^53 as text; undefined if the body is not JSON. */
  readonly json: Json | undefined;
  /** Method, host and path, for messages. Without the query, which may hold secrets. */
  readonly call: string;
}
