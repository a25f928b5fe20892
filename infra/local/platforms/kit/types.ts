import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import type { Ledger } from './ledger.ts';

/** The local cloud's movable clock, in epoch milliseconds. */
export interface SimulatorClock {
  now(): number;
}

/** One request to the platform, parsed as far as its operation asks. */
export interface Call {
  /** The platform's own name of what is called. */
  readonly operation: string;
  readonly method: string;
  /** The real host the request is meant for, such as `graph.instagram.com`. */
  readonly host: string;
  /** Below the host, beginning with `/`; still encoded, without the query. */
  readonly path: string;
  /** The named segments of the operation's pattern, decoded. */
  readonly params: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  readonly headers: IncomingHttpHeaders;
  /** Query parameters overlaid with the body's fields (form or JSON); the query alone where the body is a stream. */
  readonly fields: Readonly<Record<string, unknown>>;
  /** The credential of `Authorization: Bearer`. */
  readonly bearer?: string;
  /** When the request arrived, in epoch milliseconds of the simulator's clock. */
  readonly at: number;
  /** The raw request: only an operation with `body: 'stream'` may read it. */
  readonly request: IncomingMessage;
}

export interface Answer {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

export type Handler = (call: Call) => Answer | Promise<Answer>;

/** A name that depends on the path, the headers or the query, as where one address reads objects of several kinds. */
export interface NameByPath {
  readonly names: readonly string[];
  of(params: Readonly<Record<string, string>>, headers: IncomingHttpHeaders, query: URLSearchParams): string;
}

export interface Operation {
  readonly name: string | NameByPath;
  readonly method: string;
  /** Host and path with named segments: `graph.instagram.com/:version/:igId/media`. */
  readonly pattern: string;
  /** `fields`: a form or a JSON object, up to 1 MiB, parsed beforehand; `stream`: left to the handler. */
  readonly body: 'fields' | 'stream';
  readonly handler: Handler;
  /** Which planned faults this call meets; without it those planned for its name. */
  meets?(planned: FaultMatch, call: Call): boolean;
}

export interface FaultMatch {
  /** The name that the fault was planned for, or `*`. */
  readonly match: string;
  /** Such as `error:190`, `timeout` or `drop-reply`. */
  readonly fault: string;
}

export interface Faults {
  /** Uses up one planned fault for this name, if there is one. For steps that are no request of their own. */
  take(name: string): PlannedFault | undefined;
}

export interface PlannedFault {
  /** Such as `error:190`, `timeout` or `drop-reply`. */
  readonly fault: string;
  /** What follows the colon. */
  readonly code?: string;
}

/** What the kit lends to a platform. */
export interface Workbench {
  readonly clock: SimulatorClock;
  readonly ledger: Ledger;
  readonly faults: Faults;
  /** Where the ledger lives, and room for a platform's files. */
  readonly dataDirectory: string;
  /** The loopback address that stands for a real host: `{url}/{host}`. */
  baseUrl(host: string): string;
  /** The cap in force: the platform's own, or what `PUT {control}/limits` made of it. */
  limit(name: string): number;
  /** The switch in force: the platform's own, or what `PUT {control}/settings` made of it. */
  setting(name: string): unknown;
}

/** A platform that runs: its operations and how it words what the kit makes happen. */
export interface Platform {
  readonly operations: readonly Operation[];
  /** What a test calls to play the platform's users: patterns below the control address, as `_control/users`. */
  readonly controls?: readonly Operation[];
  /** Steps that are no request but may be hit by a fault, such as the processing of a file. */
  readonly steps?: readonly string[];
  /** The platform's real answer for one of its codes (`190`, `9004/2207052`) or an HTTP status (`500`). */
  error(code: string, call: Call): Answer;
  rateLimited(call: Call): Answer;
  /** From now on the token of this call counts as expired. */
  expireToken(call: Call): void;
  /** For a path or method that the platform does not have. */
  unknownPath(call: Call): Answer;
  /** Headers on every answer, such as the usage so far. */
  headers?(call: Call): Readonly<Record<string, string>>;
  /** For `GET {control}/accounts`. */
  accounts(): readonly unknown[];
  /** Waits for work that still runs when the simulator stops. */
  stop?(): Promise<void>;
}

/** A platform as the kit starts it. */
export interface PlatformDefinition {
  readonly name: string;
  /** Daily caps and their values at the real platform. */
  readonly limits: Readonly<Record<string, number>>;
  /** Behaviours a test may switch, with their usual values. */
  readonly settings?: Readonly<Record<string, unknown>>;
  open(workbench: Workbench): Platform;
}

export interface Simulator {
  /** Loopback address without a trailing slash; each real host is at `{url}/{host}`. */
  readonly url: string;
  readonly control: string;
  stop(): Promise<void>;
}
