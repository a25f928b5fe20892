import { createHmac, timingSafeEqual } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { parseArgs } from 'node:util';
import * as z from 'zod';
import { minuteMs, secondMs } from '../../../lib/kernel/clock.ts';
import { findLocalRun, type LocalRun, readLocalClock } from '../../local-cloud.ts';
import { readable } from '../../readable.ts';
import { type DevCommand, UsageError } from './command.ts';

const help = `Receive the webhooks of the local run, check their signatures and print them: npm run dev:receiver

It registers itself at the workspace for all events, and deletes its registration at the end (Ctrl-C).

Options
  --port <number>      where to listen on this machine; 0 for any free port (4000)
  --workspace <name>   whose events (demo)
  --status <number>    answer each event with this status, such as 500, to see Herald's retries (200)
`;

const Registered = z.object({ webhook: z.object({ id: z.string(), secret: z.string() }) });
const Listed = z.object({ webhooks: z.array(z.object({ id: z.string(), url: z.string() })) });
const Event = z.object({ id: z.string(), type: z.string(), createdAt: z.string(), data: z.unknown() });

/** Maximum size of a request's body. Events are small. */
const maxBytes = 1024 * 1024;

/** Receives webhooks until the process is told to end. */
export const receiverCommand: DevCommand = {
  help,
  async run(words) {
    const { values } = parseArgs({
      args: [...words],
      options: { port: { type: 'string' }, workspace: { type: 'string' }, status: { type: 'string' } },
    });
    const port = readNumber('--port', values.port ?? '4000', 0, 65_535);
    const status = readNumber('--status', values.status ?? '200', 200, 599);
    const run = await findLocalRun();
    const { workspace: name = 'demo' } = values;
    const workspace = run.workspaces.find((each) => each.name === name);
    if (workspace === undefined)
      throw new UsageError(
        `there is no workspace ${name}: use one of ${run.workspaces.map((each) => each.name).join(', ')}`,
      );

    const server = createServer();
    server.listen(port, '127.0.0.1');
    await once(server, 'listening').catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EADDRINUSE') throw error;
      throw new Error(`port ${port} is in use: stop the other program, or choose another port with --port`);
    });
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/herald`;
    const api = apiOf(run, workspace.apiKey);
    const { id, secret } = await register(api, url);
    server.on('request', (request, response) => {
      receive(request, run, secret).then(
        ({ isAccepted, text }) => {
          console.log(text.split('\n').map(readable).join('\n'));
          answer(response, isAccepted ? status : 401);
        },
        (error: unknown) => {
          console.error(error instanceof Error ? error.message : error);
          answer(response, 400);
        },
      );
    });
    console.log(`Receiving the events of the workspace ${name} at ${url}. To stop, press Ctrl-C.`);
    await endOf(process);
    server.close();
    server.closeAllConnections();
    // The local run may have ended first.
    await api('DELETE', `/v1/webhooks/${id}`).catch(() => {});
  },
};

function readNumber(option: string, text: string, min: number, max: number): number {
  if (/^\d{1,5}$/.test(text) && Number(text) >= min && Number(text) <= max) return Number(text);
  throw new UsageError(`${option} must be a number from ${min} to ${max}, not ${text}`);
}

type Api = (method: string, path: string, body?: object) => Promise<unknown>;

function apiOf({ apiUrl }: LocalRun, apiKey: string): Api {
  return async (method, path, body) => {
    const response = await fetch(`${apiUrl}${path}`, {
      method,
      headers: { authorization: `Bearer ${apiKey}`, ...(body && { 'content-type': 'application/json' }) },
      ...(body && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path} answered ${response.status}: ${text}`);
    return text === '' ? undefined : JSON.parse(text);
  };
}

/**
 * Registers the receiver. A killed receiver leaves its registration behind, but nobody knows its secret any more: it gets a new
 * one.
 */
async function register(api: Api, url: string): Promise<{ readonly id: string; readonly secret: string }> {
  const { webhooks } = Listed.parse(await api('GET', '/v1/webhooks'));
  const left = webhooks.find((webhook) => webhook.url === url);
  if (left !== undefined) await api('DELETE', `/v1/webhooks/${left.id}`);
  return Registered.parse(await api('POST', '/v1/webhooks', { url, events: ['*'] })).webhook;
}

/**
 * Receives a request.
 *
 * @returns true if the request comes from Herald, and the text to print
 */
async function receive(
  request: IncomingMessage,
  run: LocalRun,
  secret: string,
): Promise<{ readonly isAccepted: boolean; readonly text: string }> {
  const body = await readBody(request);
  // The local run's clock may be ahead of this machine's.
  const { now } = await readLocalClock(run);
  const header = String(request.headers['x-service-signature'] ?? '');
  if (!isFromHerald(body, header, secret, Date.parse(now)))
    return {
      isAccepted: false,
      text: 'Refused a request whose signature is wrong. Another endpoint of the workspace may have this address.',
    };
  const { id, type, createdAt, data } = Event.parse(JSON.parse(body.toString()));
  return {
    isAccepted: true,
    text: `${createdAt}  ${type}  ${id}  (signature verified)\n${JSON.stringify(data, null, 2)}`,
  };
}

async function readBody(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > maxBytes) throw new Error('Refused a request of more than 1 MiB.');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

function answer(response: ServerResponse, status: number): void {
  response.writeHead(status).end();
}

/** Resolves when the process is told to end. */
function endOf(target: NodeJS.Process): Promise<void> {
  return new Promise((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) target.once(signal, () => resolve());
  });
}

/** Maximum age of a request. An older one may be a replay. */
const maxAgeMs = 5 * minuteMs;

/**
 * Returns true if the header `X-Service-Signature` is valid, checked as `docs/webhooks.md` tells receivers to. Pure.
 *
 * @param rawBody the bytes as they arrived
 * @param secret the endpoint's whole secret, `whsec_…`
 * @param nowMs epoch milliseconds
 */
export function isFromHerald(rawBody: Uint8Array, header: string, secret: string, nowMs: number): boolean {
  const parts = header.split(',').map((part) => part.split('='));
  const seconds = parts.find(([name]) => name === 't')?.[1];
  if (!(Math.abs(nowMs - Number(seconds) * secondMs) <= maxAgeMs)) return false;
  const expected = createHmac('sha256', secret).update(`${seconds}.`).update(rawBody).digest();
  return parts.some(([name, hex = '']) => {
    const given = Buffer.from(hex, 'hex');
    return name === 'v1' && given.length === expected.length && timingSafeEqual(given, expected);
  });
}
