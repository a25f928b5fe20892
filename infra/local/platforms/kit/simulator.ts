import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { isFromWebPage, webPageRefusal } from '@herald/loopback/web-pages.ts';
import { json } from './answers.ts';
import type { SimulatorClock } from './call.ts';
import type { EndlessBody } from './faults.ts';
import { isControl, openPlatform, type Served } from './open-platform.ts';
import type { Exchange } from './recording/exchange.ts';
import type { Answer, PlatformDefinition, Simulator } from './types.ts';

export interface SimulatorOptions {
  readonly definition: PlatformDefinition;
  /**
   * The ledger's directory. Two simulators of one platform need two directories. If it is absent, all state is in memory
   * and lost at `stop`: a simulator then starts and stops several times faster.
   */
  readonly dataDirectory?: string;
  readonly clock: SimulatorClock;
  /** 0 means any free port. */
  readonly port: number;
  /** See `OpenPlatformOptions`. */
  readonly onExchange?: (exchange: Exchange) => void;
}

/** The interval, in real milliseconds, of checks for due held calls: the clock can be moved. */
const pollMs = 50;

/**
 * Starts a platform on one loopback port. Each of its real hosts is at `{url}/{host}`, the control address at
 * `{url}/_control`. All state is in the ledger, so a start on the same directory continues where the last run ended,
 * even if that run was killed.
 */
export async function startSimulator(options: SimulatorOptions): Promise<Simulator> {
  const { definition, clock, dataDirectory } = options;

  // Closes idle connections after 5 s, the default, because real platforms close them too.
  const server = createServer({ requestTimeout: 0 });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(options.port, '127.0.0.1', resolve);
  });
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the server has no port');
  const url = `http://127.0.0.1:${address.port}`;

  const platform = openPlatform({
    definition,
    clock,
    ...(dataDirectory !== undefined && { dataDirectory }),
    baseUrl: (host) => `${url}/${host}`,
    hasRealTimers: true,
    ...(options.onExchange && { onExchange: options.onExchange }),
  });
  let stopped = false;

  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    const { method = 'GET', url: target = '/', headers } = request;
    if (isControl(target) && isFromWebPage(headers)) {
      const { status, error } = webPageRefusal;
      return sendAnswer(response, json({ error }, status));
    }
    const served = platform
      .serve({ method, target, headers, body: request })
      .then((outcome) => send(response, outcome));
    served.catch((error: unknown) => {
      // Ignore errors if the caller has hung up or the ledger is closed. Anything else is a bug in the simulator.
      if (stopped || response.destroyed) return;
      console.error(`${definition.name} simulator: ${target}`, error);
      if (!response.headersSent)
        sendAnswer(response, json({ error: 'the simulator failed; see its log' }, 500));
    });
  });
  const poll = setInterval(() => {
    if ((platform.nextChangeMs() ?? Infinity) <= clock.now()) void platform.settle();
  }, pollMs).unref();

  return {
    url,
    control: `${url}/_control`,
    async stop() {
      stopped = true;
      clearInterval(poll);
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      server.closeAllConnections();
      await closed;
      await platform.stop();
    },
  };
}

/** Sends the outcome; nothing if the caller has hung up. */
async function send(response: ServerResponse, outcome: Served): Promise<void> {
  switch (outcome.kind) {
    case 'answer':
      return sendAnswer(response, outcome.answer);
    case 'closed':
      response.destroy();
      return;
    case 'silent':
      return;
    case 'endless':
      return sendEndless(response, outcome);
  }
}

function sendAnswer(response: ServerResponse, { status, headers = {}, body = '', bytes }: Answer): void {
  if (response.destroyed || typeof body !== 'string') return;
  const sent = bytes ?? body;
  response.writeHead(status, { ...headers, 'content-length': Buffer.byteLength(sent) });
  response.end(sent);
}

/** Sends an endless body as fast as the caller reads, or slower. */
async function sendEndless(response: ServerResponse, body: EndlessBody): Promise<void> {
  const { first, piece, pieces, pauseMs, last } = body;
  response.writeHead(200, { 'content-type': 'application/json' });
  response.write(first);
  for (let sent = 0; sent < pieces && !response.destroyed; sent += 1) {
    if (!response.write(piece)) await untilDrained(response);
    if (pauseMs > 0) await delay(pauseMs, undefined, { ref: false });
  }
  if (!response.destroyed) response.end(last);
}

function untilDrained(response: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      response.off('drain', done).off('close', done);
      resolve();
    };
    response.on('drain', done).on('close', done);
  });
}
