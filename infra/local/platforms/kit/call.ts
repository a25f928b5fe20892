import type { IncomingHttpHeaders } from 'node:http';
import type { Readable } from 'node:stream';

/** The local cloud's movable clock, in epoch milliseconds. */
export interface SimulatorClock {
  now(): number;
}

/** One request to the platform. Its body is parsed unless the operation reads the raw stream. */
export interface Call {
  /** The platform's own name for the operation. */
  readonly operation: string;
  readonly method: string;
  /** The path and query as they were sent. */
  readonly target: string;
  /** The real host the request is meant for, such as `graph.instagram.com`. */
  readonly host: string;
  /** The path below the host, beginning with `/`, still encoded, without the query. */
  readonly path: string;
  /** The named segments of the operation's pattern, decoded. */
  readonly params: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  readonly headers: IncomingHttpHeaders;
  /** Query parameters, overridden by the body's fields (form or JSON). Only the query if the body is a stream. */
  readonly fields: Readonly<Record<string, unknown>>;
  /** The credential of `Authorization: Bearer`. */
  readonly bearer?: string;
  /** The arrival of the request, in epoch milliseconds of the simulator's clock. */
  readonly at: number;
  /** The raw body: only an operation with `body: 'stream'` may read it. */
  readonly body: Readable;
}
