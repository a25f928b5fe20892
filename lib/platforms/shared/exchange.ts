import type { ClientRequest, IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { secondMs } from '../../kernel/clock.ts';
import { PlatformError } from '../contract/errors.ts';

export interface ExchangeLimits {
  /** From the name look-up to the end of the TLS handshake. */
  readonly connectSeconds: number;
  /** From the call to the last byte of the answer. */
  readonly totalSeconds: number;
  /** Without a byte in either direction. */
  readonly idleSeconds: number;
  readonly answerBytes: number;
}

export interface Exchange {
  /** Names the call in messages; holds no secret. */
  readonly call: string;
  readonly start: (headers: Record<string, string>) => ClientRequest;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: ExchangeBody;
  readonly limits: ExchangeLimits;
}

export type ExchangeBody =
  | { readonly bytes: Buffer; readonly contentType?: string }
  | { readonly open: () => Promise<Readable>; readonly contentType: string; readonly sizeBytes: number };

export interface RawAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly text: string;
}

/**
 * One HTTP exchange within its limits.
 *
 * @throws PlatformError `retry` where the request was provably never sent in full, `unknown` for every other failure
 */
export async function exchange({ call, start, headers, body, limits }: Exchange): Promise<RawAnswer> {
  const source = body && 'open' in body ? await openSource(body.open) : undefined;
  try {
    return await new Promise<RawAnswer>((resolve, reject) => {
      const request = start({ ...headers, ...bodyHeaders(body) });
      const wire = watchConnection(request);
      const timers = new Set<NodeJS.Timeout>();
      let isSettled = false;
      const settle = (end: () => void) => {
        if (isSettled) return;
        isSettled = true;
        for (const timer of timers) clearTimeout(timer);
        end();
      };
      const fail = (what: string, cause?: unknown) =>
        settle(() => {
          const told = cause instanceof PlatformError ? cause : failure(wire, `${call}: ${what}`, cause);
          reject(told);
          request.destroy();
        });
      const limit = (seconds: number, what: string, applies = () => true) =>
        timers.add(setTimeout(() => applies() && fail(`${what} within ${seconds} s`), seconds * secondMs));

      limit(limits.totalSeconds, 'no complete answer');
      limit(limits.connectSeconds, 'no connection', () => !wire.connected);
      request.setTimeout(limits.idleSeconds * secondMs, () => fail(`nothing for ${limits.idleSeconds} s`));
      request.on('error', (error) => fail(describe(error), error));
      request.on('close', () => fail('the connection was closed'));
      request.on('response', (response) =>
        collect(response, limits.answerBytes, fail, (text) =>
          settle(() => {
            resolve({ status: response.statusCode ?? 0, headers: plainHeaders(response), text });
            // An answer that came before the whole body was sent: the rest is of no use.
            if (!request.writableFinished) request.destroy();
          }),
        ),
      );
      if (body && source && 'sizeBytes' in body) {
        const onUnreadable = (cause: unknown) => fail('the media file', unreadable(cause));
        pipeline(source, exactly(body.sizeBytes, onUnreadable), request).catch((error) =>
          fail(describe(error), error),
        );
      } else {
        request.end(body && 'bytes' in body ? body.bytes : undefined);
      }
    });
  } finally {
    source?.destroy();
  }
}

/** Whether the platform can have seen anything of the request. */
interface Wire {
  connected: boolean;
}

function watchConnection(request: ClientRequest): Wire {
  const wire = { connected: false };
  request.on('socket', (socket) => {
    const connected = () => {
      wire.connected = true;
    };
    if (request.reusedSocket) connected();
    else socket.once('encrypted' in socket ? 'secureConnect' : 'connect', connected);
  });
  return wire;
}

function failure({ connected }: Wire, message: string, cause: unknown): PlatformError {
  return new PlatformError(connected ? 'unknown' : 'retry', message, { cause });
}

function collect(
  response: IncomingMessage,
  mostBytes: number,
  fail: (what: string, cause?: unknown) => void,
  done: (text: string) => void,
): void {
  const chunks: Buffer[] = [];
  let bytes = 0;
  response.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes > mostBytes) fail(`an answer of more than ${mostBytes} bytes`);
    else chunks.push(chunk);
  });
  response.on('error', (error) => fail('the answer was cut off', error));
  response.on('end', () =>
    response.complete ? done(Buffer.concat(chunks).toString('utf8')) : fail('the answer was cut off'),
  );
}

async function openSource(open: () => Promise<Readable>): Promise<Readable> {
  try {
    return await open();
  } catch (cause) {
    throw unreadable(cause);
  }
}

/**
 * Passes exactly so many bytes on. Anything else leaves the platform with half a request, which it cannot act upon:
 * the remedy is `retry` even though bytes were sent. The fault is told at once, for the pipeline cuts the connection
 * before it fails, and that must not be taken for the platform's doing.
 */
function exactly(expectedBytes: number, onUnreadable: (cause: unknown) => void) {
  return async function* (source: AsyncIterable<Buffer>) {
    let bytes = 0;
    try {
      for await (const chunk of source) {
        bytes += chunk.length;
        if (bytes > expectedBytes) break;
        yield chunk;
      }
      if (bytes !== expectedBytes) throw new Error(`not ${expectedBytes} bytes`);
    } catch (cause) {
      onUnreadable(cause);
      throw cause;
    }
  };
}

function unreadable(cause: unknown): PlatformError {
  return new PlatformError('retry', 'the media file could not be read', { cause });
}

function bodyHeaders(body: ExchangeBody | undefined): Record<string, string> {
  if (body === undefined) return {};
  return {
    ...(body.contentType !== undefined && { 'content-type': body.contentType }),
    'content-length': String('bytes' in body ? body.bytes.length : body.sizeBytes),
  };
}

function plainHeaders({ headers }: IncomingMessage): Record<string, string | undefined> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, Array.isArray(value) ? value.join(', ') : value]),
  );
}

function describe(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? String(error.code) : undefined;
  return code === undefined ? 'the connection failed' : `the connection failed (${code})`;
}
