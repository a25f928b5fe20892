import type { Readable } from 'node:stream';
import { bodyStream, type Exchanged, type ExchangeLimits, exchange } from '../../http-client/exchange.ts';
import { freshConnections } from '../../http-client/fresh-connections.ts';
import { type BeginRequest, keptConnections } from '../../http-client/kept-connections.ts';
import { type Clock, secondMs } from '../../kernel/clock.ts';

/** The transport of requests to a platform. */
export interface PlatformTransport {
  /** Makes one exchange, whatever the response's status. */
  send(request: TransportRequest): Promise<Exchanged>;
  /** Opens a connection for the next last call to the URL's origin. Never rejects. */
  connectAhead(target: URL): Promise<void>;
}

/** A request as it is sent. */
export interface TransportRequest {
  readonly method: string;
  readonly target: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer | { readonly source: Readable; readonly sizeBytes: number } | undefined;
  /** The time limit of the whole exchange; absent for the default. */
  readonly totalSeconds?: number | undefined;
  readonly isLastCall?: boolean | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** The default limits. The idle limit exceeds the total on purpose: it applies to calls with a longer `totalSeconds`. */
const defaultLimits: ExchangeLimits = {
  connectSeconds: 5,
  totalSeconds: 20,
  idleSeconds: 30,
  answerBytes: 1_000_000,
};

/**
 * The longest time that a kept connection may be idle. A request on a connection that the server has just closed fails
 * with an unknown outcome. Servers close idle connections after 5 s (Node.js) or more, and may not say so in a header.
 */
export const longestIdleMs = 2 * secondMs;

interface TransportOptions {
  readonly protocol: 'http:' | 'https:';
  /** The limits that differ from the default ones. */
  readonly limits: Partial<ExchangeLimits> | undefined;
  readonly now: Clock;
  /** The certificate authorities to trust instead of the public ones. */
  readonly trust: { readonly ca?: string };
}

/** Opens Node.js's connections to a platform: kept ones, and new ones for last calls. */
export function openTransport({
  protocol,
  limits: changed,
  now,
  trust,
}: TransportOptions): PlatformTransport {
  const limits = { ...defaultLimits, ...changed };
  const beginOnKept = keptConnections(protocol, longestIdleMs, now, trust);
  const { openAhead, beginOnOpened, beginOnNew } = freshConnections(now, trust);
  return {
    connectAhead: openAhead,
    async send({ method, target, headers, body, totalSeconds, isLastCall, signal }) {
      const isStream = body !== undefined && 'source' in body;
      const startedAt = performance.now();
      const sendOn = (begin: BeginRequest) =>
        exchange({
          start: () => begin(target, { method, headers }),
          body: isStream ? bodyStream(body.source, body.sizeBytes) : body,
          limits: { ...limits, totalSeconds: totalSeconds ?? limits.totalSeconds },
          startedAt,
          signal,
        });
      const sent = sendOn(isLastCall ? beginOnOpened : beginOnKept);
      const exchanged = await sent.finally(() => isStream && body.source.destroy());
      const isStale = 'failure' in exchanged && exchanged.failure.isStale;
      return isStale && method === 'GET' ? sendOn(beginOnNew) : exchanged;
    },
  };
}
