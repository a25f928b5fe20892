import { buffer } from 'node:stream/consumers';
import type { Answer, Exchanged, ExchangeFailure } from '../../../lib/http-client/exchange.ts';
import { dayMs, hourMs, minuteMs, secondMs } from '../../../lib/kernel/clock.ts';
import type { PlatformHttp } from '../../../lib/platforms/contract/http.ts';
import type { Platform } from '../../../lib/platforms/contract/names.ts';
import { createPlatformHttp } from '../../../lib/platforms/shared/http.ts';
import {
  longestIdleMs,
  type PlatformTransport,
  type TransportRequest,
} from '../../../lib/platforms/shared/http-transport.ts';
import { currentProcess, type Process } from '../world/process.ts';
import type { World } from '../world/world.ts';
import type { Platforms } from './platforms.ts';
import { refusalOf } from './refusals.ts';

/** The default limit of an exchange, as in `http-transport.ts`. */
const totalSecondsByDefault = 20;
/** Maximum delay of a request or a response. */
const longestDelayMs = 5 * minuteMs;

/** The story cuts a platform's error after this many characters. */
const mostErrorText = 100;

/** The fate of one exchange besides being slow. */
type NetworkFault = 'refused' | 'lost before' | 'lost after' | 'revoked' | { readonly planned: string };

/**
 * The connections to a platform. The adapters' requests are encoded and their responses read as in production; only the
 * bytes travel through the simulated world. Connections break, requests and responses are late by up to minutes, and the
 * platform refuses, fails and talks nonsense.
 */
export function createNetwork({ world, platforms, onLastCall }: NetworkSetting) {
  const connections = createConnections(world);
  return (platform: Platform): PlatformHttp => {
    const transport: PlatformTransport = {
      connectAhead: () => world.call(currentProcess(), `connects to ${platform}`, () => undefined),
      async send(request) {
        const process = currentProcess();
        if (request.isLastCall) onLastCall(process, platform);
        const isClosed = connections.use(process, request);
        const exchanged = await exchange(world, platforms, platform, request, isClosed);
        connections.keep(process, request);
        return exchanged;
      },
    };
    return createPlatformHttp({ platform, transport });
  };
}

interface NetworkSetting {
  readonly world: World;
  readonly platforms: Platforms;
  /** Called when a process sends a last call. */
  readonly onLastCall: (process: Process, platform: Platform) => void;
}

/** Time after which a platform closes an idle connection, as Node.js does by default. */
const closedAfterMs = 5 * secondMs;

/**
 * The connections that environments keep after a request, as `openTransport` does. A last call has a connection of its
 * own. A request on a connection that the platform has closed meanwhile fails, unless it is a GET, which is repeated.
 */
function createConnections(world: World) {
  const usedMs = new Map<string, number>();
  const nameOf = ({ name }: Process, { target }: TransportRequest) => `${name} ${target.host}`;
  return {
    /** Takes a connection for a request. @returns whether the request fails because the platform has closed it */
    use(process: Process, request: TransportRequest): boolean {
      if (request.isLastCall) return false;
      const name = nameOf(process, request);
      const idleMs = world.now() - (usedMs.get(name) ?? Number.NEGATIVE_INFINITY);
      usedMs.delete(name);
      return request.method !== 'GET' && idleMs <= longestIdleMs && idleMs > closedAfterMs;
    },
    keep(process: Process, request: TransportRequest): void {
      if (!request.isLastCall) usedMs.set(nameOf(process, request), world.now());
    },
  };
}

/** A network on which nothing goes wrong and no time passes, for what happens before a run. */
export function idealNetworkTo(platforms: Platforms, platform: Platform): PlatformHttp {
  const transport: PlatformTransport = {
    connectAhead: async () => undefined,
    send: async (request) => ({ answer: await serve(platforms, platform, request, await bodyOf(request)) }),
  };
  return createPlatformHttp({ platform, transport });
}

async function exchange(
  world: World,
  platforms: Platforms,
  platform: Platform,
  request: TransportRequest,
  isClosed: boolean,
): Promise<Exchanged> {
  const process = currentProcess();
  const { method, target } = request;
  const body = await bodyOf(request);
  const seconds = request.totalSeconds ?? totalSecondsByDefault;
  const fault = drawFault(world, platform, request);
  const timeout = new Error(`no complete response within ${seconds} s`);
  const drawDelayMs = (name: 'requestLate' | 'responseLate'): number => {
    if (!world.happens(name)) return 0;
    const delayMs = longestDelayMs * world.random.next() ** 3;
    const part = name === 'requestLate' ? 'request' : 'response';
    world.note('fault', process.name, `the ${part} of ${what} will be ${Math.round(delayMs)} ms late`);
    return delayMs;
  };
  const what = `${platform}: ${method} ${target.pathname}`;
  try {
    return await world.call(
      process,
      what,
      async (): Promise<Exchanged> => {
        if (world.outageOf('platforms')) return failed('no connection within 5 s', 'unsent');
        if (fault === 'refused') return failed('the connection failed (ECONNREFUSED)', 'unsent');
        if (isClosed || fault === 'lost before')
          return failed('the connection failed (ECONNRESET)', 'unknown');
        if (fault === 'revoked') await platforms.revoke(platform);
        if (typeof fault === 'object')
          await platforms.control(platform, 'POST', 'faults', { match: '*', fault: fault.planned });
        const answer = await serve(platforms, platform, request, body);
        if (typeof fault === 'object') await platforms.control(platform, 'DELETE', 'faults');
        if (fault === 'lost after') return failed('the connection failed (ECONNRESET)', 'unknown');
        if (typeof fault === 'object' && fault.planned === 'rate-limit') noteWait(world, platform, answer);
        return { answer };
      },
      {
        milliseconds: [15, 200],
        requestDelayMs: drawDelayMs('requestLate'),
        responseDelayMs: drawDelayMs('responseLate'),
        limit: { ms: seconds * secondMs, error: () => timeout },
        tell: (exchanged) => storyOf(exchanged, fault),
      },
    );
  } catch (error) {
    if (error !== timeout) throw error;
    return failed(timeout.message, 'unknown');
  }
}

function drawFault(
  world: World,
  platform: Platform,
  { method, target }: TransportRequest,
): NetworkFault | undefined {
  const { random } = world;
  if (world.happens('connectionRefused')) return 'refused';
  if (world.happens('connectionLost')) return random.pick(['lost before', 'lost after'] as const);
  if (world.happens('platformFails')) return { planned: random.pick(['error:500', 'error-after:500']) };
  if (world.happens('garbled')) return { planned: random.pick(['html', 'half-json', 'empty']) };
  if (world.happens('tokenRevoked')) return 'revoked';
  if (world.happens('tokenExpired')) return { planned: 'expire-token' };
  if (world.happens('rateLimited')) return { planned: 'rate-limit' };
  const isSession = platform === 'youtube' && method === 'PUT' && target.pathname.startsWith('/upload/');
  if (isSession && world.happens('uploadLost')) return { planned: 'error:notFound' };
  if (method === 'POST' && world.happens('rejected')) return { planned: `error:${refusalOf[platform]}` };
  return undefined;
}

/**
 * Notes how long a platform that throttles asks to wait: in its headers, until the next day in UTC on LinkedIn, or an hour,
 * which adapters assume otherwise.
 */
function noteWait(world: World, platform: Platform, { headers }: Answer): void {
  const now = world.now();
  const [, minutes] = /estimated_time_to_regain_access\W+(\d+)/.exec(JSON.stringify(headers)) ?? [];
  const seconds = headers['retry-after'] ?? (minutes === undefined ? undefined : 60 * Number(minutes));
  const usualMs = platform === 'linkedin' ? Math.ceil(now / dayMs) * dayMs - now : hourMs;
  world.noteWait(platform, now + (seconds === undefined ? usualMs : Number(seconds) * secondMs));
}

function storyOf(exchanged: Exchanged, fault: NetworkFault | undefined) {
  const planned = typeof fault === 'object' ? ` (planned: ${fault.planned})` : '';
  if ('failure' in exchanged) return { outcome: exchanged.failure.message };
  const { status, body } = exchanged.answer;
  if (status < 400) return planned === '' ? { more: ` → ${status}` } : { outcome: `${status}${planned}` };
  const [, message = ''] = /"(?:message|error_description|detail)":"([^"]+)"/.exec(body.toString()) ?? [];
  return { outcome: `${status}${planned} ${message.slice(0, mostErrorText)}`.trimEnd() };
}

async function bodyOf({ body }: TransportRequest): Promise<Buffer | undefined> {
  return body !== undefined && 'source' in body ? buffer(body.source) : body;
}

async function serve(
  platforms: Platforms,
  platform: Platform,
  { method, target, headers }: TransportRequest,
  body: Buffer | undefined,
): Promise<Answer> {
  const served = await platforms.serve(platform, {
    method,
    target: `/${target.host}${target.pathname}${target.search}`,
    headers,
    ...(body && { body }),
  });
  if (served.kind !== 'answer') throw new Error(`${platform} gave no answer: ${served.kind}`);
  const { status, headers: answered = {}, body: text } = served.answer;
  return { status, headers: lowerCased(answered), body: Buffer.from(text) };
}

/** The names of headers, as Node.js reads them. */
const lowerCased = (headers: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));

function failed(message: string, reached: ExchangeFailure['reached']): Exchanged {
  return {
    failure: { message, reached, code: undefined, isStale: false, answer: undefined, cause: undefined },
  };
}
