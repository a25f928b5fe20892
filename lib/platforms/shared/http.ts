import http from 'node:http';
import https from 'node:https';
import type { Readable } from 'node:stream';
import { type Clock, systemClock } from '../../kernel/clock.ts';
import type { Json } from '../../kernel/json.ts';
import type { Platform } from '../contract/names.ts';
import { type ExchangeLimits, exchange } from './exchange.ts';
import { parsePlatformJson } from './json.ts';

/** The one way in which adapters reach a platform. */
export interface PlatformHttp {
  /**
   * Sends one request and reads the answer, whatever its status; redirects are answers too and never followed.
   *
   * @throws PlatformError `retry` where the request was provably never sent in full, `unknown` for every other
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
  /** The body read as JSON, ids beyond 2^53 as text; undefined where it is none. */
  readonly json: Json | undefined;
  /** Method and address without the query, which may hold secrets: for messages. */
  readonly call: string;
}

export interface PlatformHttpOptions {
  readonly platform: Platform;
  /**
   * Stand-ins by platform: with `http://127.0.0.1:1234`, `https://host/path` is reached at
   * `http://127.0.0.1:1234/host/path`. Without one the platform itself is called.
   */
  readonly baseUrls?: Readonly<Partial<Record<Platform, string>>>;
  readonly limits?: Partial<ExchangeLimits>;
  readonly now?: Clock;
}

/** The idle limit is above the total on purpose: it is for calls that ask for more time than the others. */
const defaultLimits: ExchangeLimits = {
  connectSeconds: 5,
  totalSeconds: 20,
  idleSeconds: 30,
  answerBytes: 1_000_000,
};

/**
 * How long a connection may lie unused. A frozen function wakes up with connections that the platform closed long
 * ago; a last call on one of them would fail with its outcome unknown.
 */
const longestIdleMs = 10_000;

export function createPlatformHttp(options: PlatformHttpOptions): PlatformHttp {
  const { platform, now = systemClock } = options;
  const limits = { ...defaultLimits, ...options.limits };
  const base = options.baseUrls?.[platform];
  const transport = base?.startsWith('http:') ? http : https;
  const agent = new transport.Agent({ keepAlive: true });
  const idleSince = new WeakMap<object, number>();
  agent.on('free', (socket: object) => idleSince.set(socket, now()));

  const addressOf = (url: string) => {
    if (!url.startsWith('https://')) throw new TypeError('platforms are called by https only');
    return base === undefined ? url : `${base}/${url.slice('https://'.length)}`;
  };
  const realAddress = (url: string) =>
    base !== undefined && url.startsWith(`${base}/`) ? `https://${url.slice(base.length + 1)}` : url;

  const closeStale = () => {
    for (const socket of Object.values(agent.freeSockets).flatMap((sockets) => sockets ?? [])) {
      if (now() - (idleSince.get(socket) ?? 0) > longestIdleMs) socket.destroy();
    }
  };

  return {
    addressOf,
    async send({ method, url, query = {}, headers = {}, bearer, body, totalSeconds }) {
      const target = new URL(addressOf(url));
      for (const [name, value] of given(query)) target.searchParams.set(name, value);
      const call = `${method} ${withoutQuery(url)}`;
      closeStale();
      const answer = await exchange({
        call,
        start: (allHeaders) => transport.request(target, { method, headers: allHeaders, agent }),
        headers: {
          accept: 'application/json',
          ...(bearer !== undefined && { authorization: `Bearer ${bearer}` }),
          ...headers,
        },
        ...encode(body),
        limits: { ...limits, totalSeconds: totalSeconds ?? limits.totalSeconds },
      });
      const { location } = answer.headers;
      return {
        ...answer,
        headers: { ...answer.headers, ...(location !== undefined && { location: realAddress(location) }) },
        json: parsePlatformJson(answer.text),
        call,
      };
    },
  };
}

function encode(body: PlatformBody | undefined) {
  if (body === undefined) return {};
  if ('empty' in body) return { body: { bytes: Buffer.alloc(0) } };
  if ('open' in body) return { body };
  return 'form' in body
    ? {
        body: {
          bytes: Buffer.from(new URLSearchParams(given(body.form)).toString()),
          contentType: 'application/x-www-form-urlencoded',
        },
      }
    : {
        body: {
          bytes: Buffer.from(JSON.stringify(body.json)),
          contentType: 'application/json; charset=UTF-8',
        },
      };
}

function given(parameters: Parameters): [string, string][] {
  return Object.entries(parameters).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]]));
}

function withoutQuery(url: string): string {
  return url.slice('https://'.length).replace(/\?.*$/s, '');
}
