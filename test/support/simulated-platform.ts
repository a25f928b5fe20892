import { buffer } from 'node:stream/consumers';
import type { SimulatorClock } from '@herald/platform-simulators/kit/call.ts';
import { openPlatform, type Served } from '@herald/platform-simulators/kit/open-platform.ts';
import type { Exchange } from '@herald/platform-simulators/kit/recording/exchange.ts';
import { startSimulator } from '@herald/platform-simulators/kit/simulator.ts';
import type { PlatformDefinition } from '@herald/platform-simulators/kit/types.ts';
import type { Exchanged, ExchangeFailure } from '../../lib/http-client/exchange.ts';
import type { PlatformTransport, TransportRequest } from '../../lib/platforms/shared/http-transport.ts';
import { simulatorCalls } from './simulator-calls.ts';

/** A simulated platform with its state in memory. */
export interface SimulatedPlatform {
  /** Its address; absent if requests reach it without sockets. */
  readonly url?: string;
  /** Carries requests to it, without limits of time. */
  readonly transport: PlatformTransport;
  /** Sends a request as `fetch` does. @param target host and path, such as `/graph.instagram.com/v25.0/me` */
  fetch(target: string, init: RequestInit): Promise<Response>;
  /** Requests a page as a browser does. */
  visit(address: URL, headers?: Readonly<Record<string, string>>): Promise<Page>;
  /** Calls its control address. @throws Error with the response, if it is refused */
  control(path: string, method?: string, body?: unknown): Promise<unknown>;
  stop(): Promise<void>;
}

export interface Page {
  readonly headers: Headers;
  readonly text: string;
}

export type OpenSimulated = (
  definition: PlatformDefinition,
  clock: SimulatorClock,
  onExchange: (exchange: Exchange) => void,
) => Promise<SimulatedPlatform>;

/** Starts a platform that requests reach over HTTP. */
export const openOverHttp: OpenSimulated = async (definition, clock, onExchange) => {
  const calls = simulatorCalls(clock.now);
  const { url, control, stop } = await startSimulator({
    definition,
    clock,
    port: 0,
    onExchange: (exchange) => {
      onExchange(exchange);
      calls.onExchange(exchange);
    },
  });
  return {
    url,
    transport: calls.transport,
    fetch: (target, init) => fetch(`${url}${target}`, init),
    async visit(address, headers = {}) {
      const answer = await fetch(address, { redirect: 'manual', headers });
      return { headers: answer.headers, text: await answer.text() };
    },
    async control(path, method = 'GET', body) {
      const answer = await fetch(`${control}/${path}`, {
        method,
        headers: { 'content-type': 'application/json' },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      });
      if (!answer.ok) throw new Error(await answer.text());
      return answer.json();
    },
    stop,
  };
};

/** Opens a platform that requests reach without sockets, at a fraction of the cost. */
export const openInMemory: OpenSimulated = async (definition, clock, onExchange) => {
  const baseUrl = (host: string) => `https://${host}`;
  const platform = openPlatform({ definition, clock, baseUrl, hasRealTimers: true, onExchange });
  const targetOf = ({ host, pathname, search }: URL) => `/${host}${pathname}${search}`;
  const answerOf = (served: Served) => {
    if (served.kind !== 'answer') throw new Error(`the platform gave no answer: ${served.kind}`);
    return served.answer;
  };
  return {
    transport: {
      connectAhead: async () => {},
      async send(request) {
        const aborted = new Promise<'aborted'>((resolve) => {
          request.signal?.addEventListener('abort', () => resolve('aborted'), { once: true });
        });
        const body = await Promise.race([bodyOf(request), aborted]);
        if (body === 'aborted') return failed('the exchange was aborted', 'unknown');
        if (body === 'unreadable') return failed('the body could not be read', 'half-sent');
        const served = await platform.serve({
          method: request.method,
          target: targetOf(request.target),
          headers: { host: request.target.host, ...lowerCased(request.headers) },
          ...(body && { body }),
        });
        return exchangedOf(served);
      },
    },
    async fetch(target, { method = 'GET', headers, body }) {
      const bytes = body ? { body: Buffer.from(String(body)) } : {};
      const request = { method, target, headers: Object.fromEntries(new Headers(headers)), ...bytes };
      const {
        status,
        headers: answered = {},
        body: text,
        bytes: file,
      } = answerOf(await platform.serve(request));
      return new Response(file === undefined ? text : Buffer.from(file), {
        status,
        headers: { ...answered },
      });
    },
    async visit(address, headers = {}) {
      const request = { method: 'GET', target: targetOf(address), headers };
      const { headers: answered = {}, body } = answerOf(await platform.serve(request));
      return { headers: new Headers(answered), text: body };
    },
    async control(path, method = 'GET', body) {
      const bytes = body === undefined ? undefined : Buffer.from(JSON.stringify(body));
      const headers = { 'content-type': 'application/json', 'content-length': String(bytes?.length ?? 0) };
      const target = `/_control/${path}`;
      const answer = answerOf(
        await platform.serve({ method, target, headers, ...(bytes && { body: bytes }) }),
      );
      if (answer.status >= 400) throw new Error(answer.body);
      return JSON.parse(answer.body);
    },
    stop: () => platform.stop(),
  };
};

/** The whole body; `unreadable` if it fails, or has another length than the request says. */
async function bodyOf({ body }: TransportRequest): Promise<Buffer | undefined | 'unreadable'> {
  if (body === undefined || !('source' in body)) return body;
  const bytes = await buffer(body.source).catch(() => undefined);
  return bytes?.length === body.sizeBytes ? bytes : 'unreadable';
}

const tooLate = 'no complete response within 20 s';

function exchangedOf(served: Served): Exchanged {
  switch (served.kind) {
    case 'answer': {
      const { status, headers = {}, body } = served.answer;
      return { answer: { status, headers: lowerCased(headers), body: Buffer.from(body) } };
    }
    case 'closed':
      return failed('the connection failed (ECONNRESET)', 'unknown');
    case 'silent':
      return failed(tooLate, 'unknown');
    case 'endless':
      return failed(served.pauseMs > 0 ? tooLate : 'the response is larger than 1000000 bytes', 'unknown');
  }
}

function failed(message: string, reached: ExchangeFailure['reached']): Exchanged {
  return {
    failure: { message, reached, code: undefined, isStale: false, answer: undefined, cause: undefined },
  };
}

const lowerCased = (headers: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
