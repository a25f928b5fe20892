import { buffer } from 'node:stream/consumers';
import { type OpenPlatform, openPlatform } from '@herald/platform-simulators/kit/open-platform.ts';
import type { PlatformDefinition } from '@herald/platform-simulators/kit/types.ts';
import { closedEarly, type Exchanged, type ExchangeFailure } from '../../lib/http-client/exchange.ts';
import type { Clock } from '../../lib/kernel/clock.ts';
import type { PlatformTransport, TransportRequest } from '../../lib/platforms/shared/http-transport.ts';

/** The default limit of an exchange, as in `http-transport.ts`. */
const totalSecondsByDefault = 20;

/** A simulated platform in this process. No real time passes in it, so no limit can be over too early. */
export interface PlatformInMemory {
  /** The URL at which `transport` reaches the platform, for `PlatformHttpOptions.baseUrls`. */
  readonly url: string;
  /** Carries an adapter's requests. If the platform never answers, the limit of the exchange is over at once. */
  readonly transport: PlatformTransport;
  /** Sends a request as `fetch` does, to a path such as `/_control/requests`. @throws Error if there is no answer */
  fetch(target: string, init: RequestInit): Promise<Response>;
  stop(): Promise<void>;
}

export function openPlatformInMemory(definition: PlatformDefinition, now: Clock): PlatformInMemory {
  const url = `http://${definition.name}.test`;
  const platform = openPlatform({ definition, clock: { now }, baseUrl: (host) => `${url}/${host}` });
  return {
    url,
    transport: {
      connectAhead: async () => {},
      send: (request) => exchange(platform, request),
    },
    async fetch(target, { method = 'GET', headers, body }) {
      const request = { method, target, headers: Object.fromEntries(new Headers(headers)) };
      const served = await platform.serve({ ...request, ...(body && { body: Buffer.from(String(body)) }) });
      if (served.kind !== 'answer') throw new Error(`${method} ${target}: ${served.kind}`);
      const { answer } = served;
      return new Response(answer.body, { status: answer.status, headers: { ...answer.headers } });
    },
    stop: () => platform.stop(),
  };
}

async function exchange(
  platform: OpenPlatform,
  { method, target, headers, body: sent, totalSeconds = totalSecondsByDefault }: TransportRequest,
): Promise<Exchanged> {
  const body = sent !== undefined && 'source' in sent ? await buffer(sent.source) : sent;
  const request = { method, target: `${target.pathname}${target.search}`, headers };
  const served = await platform.serve({ ...request, ...(body && { body }) });
  switch (served.kind) {
    case 'answer': {
      const { status, headers: answered = {}, body: text } = served.answer;
      return { answer: { status, headers: lowerCased(answered), body: Buffer.from(text) } };
    }
    case 'closed':
      return failed(closedEarly);
    case 'silent':
      return failed(`no complete response within ${totalSeconds} s`);
    case 'endless':
      return failed(
        served.pauseMs > 0 ? `no complete response within ${totalSeconds} s` : 'the response is too large',
      );
  }
}

const failed = (message: string): { readonly failure: ExchangeFailure } => ({
  failure: {
    message,
    reached: 'unknown',
    code: undefined,
    isStale: false,
    answer: undefined,
    cause: undefined,
  },
});

/** The names of headers, as Node.js reads them. */
const lowerCased = (headers: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
