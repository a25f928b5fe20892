import type { Readable } from 'node:stream';
import type { Json } from '../../kernel/json.ts';

/** The one way in which adapters reach a platform. */
export interface PlatformHttp {
  /**
   * Sends one request and reads the answer, whatever its status; redirects are answers too and never followed.
   *
   * @throws PlatformError `retry` if the request was provably never sent in full, `unknown` for every other
   * failure: a connection that was cut, a time limit, an answer above 1 MB
   */
  send(request: PlatformRequest): Promise<PlatformAnswer>;

  /** Where an address of the platform is reached: itself, or its stand-in. For addresses that browsers are sent to. */
  addressOf(url: string): string;
}

export interface PlatformRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** The platform's real address: `https://host/path`, with or without a query. */
  readonly url: string;
  /** Added to the address; undefined values are left out. */
  readonly query?: Parameters;
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent as `Authorization: Bearer`. */
  readonly bearer?: string;
  readonly body?: PlatformBody;
  /** For the whole exchange; 20 by default. */
  readonly totalSeconds?: number;
}

export type Parameters = Readonly<Record<string, string | undefined>>;

export type PlatformBody =
  | { readonly form: Parameters }
  | { readonly json: Json }
  /** Opened before the platform is called, so that a file that cannot be read harms nothing. */
  | { readonly open: () => Promise<Readable>; readonly contentType: string; readonly sizeBytes: number }
  /** An explicit `Content-Length: 0`. */
  | { readonly empty: true };

export interface PlatformAnswer {
  readonly status: number;
  /** By lower-case name. `location` is a real address of the platform. */
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly text: string;
  /** The body read as JSON, ids beyond 2^53 as text; undefined if it is none. */
  readonly json: Json | undefined;
  /** Method and address without the query, which may hold secrets: for messages. */
  readonly call: string;
}
