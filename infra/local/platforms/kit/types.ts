import type { IncomingHttpHeaders } from 'node:http';
import type { Call, SimulatorClock } from './call.ts';
import type { Ledger } from './ledger.ts';
import type { Reads } from './reads.ts';

export interface Answer {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

export type Handler = (call: Call) => Answer | Promise<Answer>;

/** A name that depends on the path, the headers or the query, for example if one address serves several kinds of ids. */
export interface NameByPath {
  readonly names: readonly string[];
  of(params: Readonly<Record<string, string>>, headers: IncomingHttpHeaders, query: URLSearchParams): string;
}

export interface Operation {
  readonly name: string | NameByPath;
  readonly method: string;
  /** Host and path with named segments: `graph.instagram.com/:version/:igId/media`. */
  readonly pattern: string;
  /** `fields`: a form or a JSON object, up to 1 MiB, parsed before the handler runs; `stream`: the handler reads it. */
  readonly body: 'fields' | 'stream';
  readonly handler: Handler;
  /** Whether a planned fault applies to this call. Default: faults planned for the operation's name or for `*`. */
  faultApplies?(planned: FaultMatch, call: Call): boolean;
}

export interface FaultMatch {
  /** The name that the fault was planned for, or `*`. */
  readonly match: string;
  /** Such as `error:190`, `timeout` or `drop-reply`. */
  readonly fault: string;
}

export interface Faults {
  /** Uses up one planned fault for this name, if there is one. For steps that are not requests. */
  take(name: string): PlannedFault | undefined;
}

export interface PlannedFault {
  /** Such as `error:190`, `timeout` or `drop-reply`. */
  readonly fault: string;
  /** The text after the colon. */
  readonly code?: string;
}

/** What the kit provides to a platform. */
export interface Workbench {
  readonly clock: SimulatorClock;
  readonly ledger: Ledger;
  readonly faults: Faults;
  readonly reads: Reads;
  /** The directory of the ledger and of the platform's own files. */
  readonly dataDirectory: string;
  /** The loopback address of a real host: `{url}/{host}`. */
  baseUrl(host: string): string;
  /** The current limit: the default, or the value from `PUT {control}/limits`. */
  limit(name: string): number;
  /** The current setting: the default, or the value from `PUT {control}/settings`. */
  setting(name: string): unknown;
}

/** A running platform: its operations, and its answers for the faults that the kit injects. */
export interface Platform {
  readonly operations: readonly Operation[];
  /** Control operations that let a test act as the platform's users. Patterns begin with `_control/`. */
  readonly controls?: readonly Operation[];
  /** Steps that are not requests but can have a planned fault, such as the processing of a file. */
  readonly steps?: readonly string[];
  /** The platform's real answer for one of its codes (`190`, `9004/2207052`) or an HTTP status (`500`). */
  error(code: string, call: Call): Answer;
  rateLimited(call: Call): Answer;
  /** Makes the token of this call expire now. */
  expireToken(call: Call): void;
  /** The answer for a path or method that the platform does not have. */
  unknownPath(call: Call): Answer;
  /** Headers to add to every answer, such as the usage so far. */
  headers?(call: Call): Readonly<Record<string, string>>;
  /** The answer to `GET {control}/accounts`. */
  accounts(): readonly unknown[];
  /** Resolves when no work continues in the background. */
  idle?(): Promise<void>;
  /** Called when the simulator stops: ends background work and waits for it. */
  stop?(): Promise<void>;
}

/** What `startSimulator` needs to run a platform. */
export interface PlatformDefinition {
  readonly name: string;
  /** Rate limits and caps, with the real platform's values. */
  readonly limits: Readonly<Record<string, number>>;
  /** Behaviours that a test may change, with their default values. */
  readonly settings?: Readonly<Record<string, unknown>>;
  open(workbench: Workbench): Platform;
}

export interface Simulator {
  /** Loopback address without a trailing slash; each real host is at `{url}/{host}`. */
  readonly url: string;
  readonly control: string;
  stop(): Promise<void>;
}
