import type { IncomingHttpHeaders } from 'node:http';
import type { Background } from './background.ts';
import type { Call, SimulatorClock } from './call.ts';
import type { Ledger } from './ledger.ts';
import type { PartialFiles } from './media/partial-files.ts';
import type { Numbers } from './numbers.ts';
import type { Random } from './random.ts';
import type { Reads } from './reads.ts';
import type { Timers } from './timers.ts';

export interface Answer {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** A function if the body contains random ids, such as the id of an error: it is called when the answer is sent. */
  readonly body?: string | ((random: Random) => string);
  /** The body instead, of an answer that is not text. */
  readonly bytes?: Uint8Array;
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
  /** Returns true if a planned fault applies to this call. By default, faults planned for the operation's name or for `*` apply. */
  faultApplies?(planned: FaultMatch, call: Call): boolean;
}

export interface FaultMatch {
  /** The name that the fault was planned for, or `*`. */
  readonly match: string;
  /** The fault, such as `error:190`, `timeout` or `drop-reply`. */
  readonly fault: string;
}

export interface Faults {
  /** Uses up one planned fault for this name, if there is one. For steps that are not requests. */
  take(name: string): PlannedFault | undefined;
}

export interface PlannedFault {
  /** The fault, such as `error:190`, `timeout` or `drop-reply`. */
  readonly fault: string;
  /** The text after the colon. */
  readonly code?: string;
}

/** The tools that the kit provides to a platform. */
export interface Workbench {
  readonly clock: SimulatorClock;
  readonly ledger: Ledger;
  readonly faults: Faults;
  readonly reads: Reads;
  /** The numbers of posts and accounts. */
  readonly numbers: Numbers;
  /** The source of all random ids and secrets. */
  readonly random: Random;
  /** Work that continues after a call was answered. */
  readonly background: Background;
  /** Timers for later work, such as a retry. Values that are computed from the clock at each read need no timer. */
  readonly timers: Timers;
  /** The `fetch` for the platform's requests; absent: the global `fetch`, with timeouts in real time. */
  readonly fetch?: typeof fetch;
  /** Opens the platform's own files. @param folder is kept across restarts, like the ledger */
  openFiles(folder: string): PartialFiles;
  /** Returns the loopback address of a real host: `{url}/{host}`. */
  baseUrl(host: string): string;
  /** Returns the current limit: the default, or the value from `PUT {control}/limits`. */
  limit(name: string): number;
  /** Returns the current setting: the default, or the value from `PUT {control}/settings`. */
  setting(name: string): unknown;
}

/** A running platform: its operations, and its answers for the faults that the kit injects. */
export interface Platform {
  readonly operations: readonly Operation[];
  /** Control operations that let a test act as the platform's users. Patterns begin with `_control/`. */
  readonly controls?: readonly Operation[];
  /** Steps that are not requests but can have a planned fault, such as the processing of a file. */
  readonly steps?: readonly string[];
  /** Returns the platform's real answer for one of its codes (`190`, `9004/2207052`) or an HTTP status (`500`). */
  error(code: string, call: Call): Answer;
  rateLimited(call: Call): Answer;
  /** Makes the token of this call expire now. */
  expireToken(call: Call): void;
  /** Returns the answer for a path or method that the platform does not have. */
  unknownPath(call: Call): Answer;
  /** Returns headers to add to every answer, such as the usage so far. */
  headers?(call: Call): Readonly<Record<string, string>>;
  /** Returns the answer to `GET {control}/accounts`. */
  accounts(): readonly unknown[];
  /**
   * Makes posts live that go live by the passing of time alone. Called before each call and each reading of the live posts.
   *
   * @param nowMs epoch milliseconds
   */
  settle?(nowMs: number): void;
  /** Returns the time at which `settle` is next needed, in epoch milliseconds; undefined if nothing waits. */
  nextSettleMs?(): number | undefined;
}

/** The definition that `startSimulator` and `openPlatform` need to run a platform. */
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
