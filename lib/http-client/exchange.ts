import type { ClientRequest, IncomingHttpHeaders } from 'node:http';
import type { Socket } from 'node:net';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { secondMs } from '../kernel/clock.ts';

/** The limits of one exchange. An absent limit does not apply. */
export interface ExchangeLimits {
  /** The time until the connection is made: look-up, TCP and TLS together. */
  readonly connectSeconds?: number;
  /** The time until the last byte of the response. */
  readonly totalSeconds: number;
  /** The longest time without a byte in either direction. */
  readonly idleSeconds?: number;
  /** The size of the largest response body. */
  readonly answerBytes?: number;
}

export interface Exchange {
  /** Begins the request with all its headers, but does not end it. */
  readonly start: () => ClientRequest;
  readonly body?: Uint8Array | string | BodyStream | undefined;
  readonly limits: ExchangeLimits;
  /** The `performance.now()` from which the limits count; default: now. */
  readonly startedAt?: number;
  /** True if the beginning of a response that is too long counts as an answer; false (default) if it is a failure. */
  readonly cutsLongAnswer?: boolean;
  /** Ends the exchange when it fires. */
  readonly signal?: AbortSignal | undefined;
}

/** Sends a body and ends the request. @param onUnreadable must be called first if the body ends early or fails */
export type BodyStream = (request: ClientRequest, onUnreadable: (cause: unknown) => void) => Promise<void>;

export interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

export interface ExchangeFailure {
  /** The failure in words, for messages. Contains no address. */
  readonly message: string;
  /**
   * The progress of the request. It has not taken effect if no connection was made (`unsent`) or the body could not be
   * read to its end (`half-sent`). Otherwise nobody knows.
   */
  readonly reached: 'unsent' | 'half-sent' | 'unknown';
  /** The error code of Node.js or OpenSSL, if the connection failed. */
  readonly code: string | undefined;
  /** True if the other side had closed a kept connection before it sent any response. */
  readonly isStale: boolean;
  /** The part of the response that arrived. */
  readonly answer: Answer | undefined;
  readonly cause: unknown;
}

export type Exchanged = { readonly answer: Answer } | { readonly failure: ExchangeFailure };

export const closedEarly = 'the connection was closed before the response was complete';

/** The error codes of an established connection that the other side or the network closed. */
export const closingCodes = ['ECONNRESET', 'EPIPE', 'ECONNABORTED'];

/** Sends one HTTP request and reads its response, whatever its status, within limits. Rejects only if `start` throws. */
export function exchange(options: Exchange): Promise<Exchanged> {
  const { start, body, limits, startedAt = performance.now(), cutsLongAnswer = false, signal } = options;
  const { answerBytes = Number.POSITIVE_INFINITY, connectSeconds, idleSeconds } = limits;
  return new Promise((resolve) => {
    const request = start();
    const isConnected = watchConnection(request);
    const timers: NodeJS.Timeout[] = [];
    let answer: (() => Answer) | undefined;
    let isSettled = false;
    const settle = (exchanged: () => Exchanged, keepsConnection = false) => {
      if (isSettled) return;
      isSettled = true;
      for (const timer of timers) clearTimeout(timer);
      signal?.removeEventListener('abort', abort);
      resolve(exchanged());
      // A connection that is kept may already serve another request.
      if (!keepsConnection) request.destroy();
    };
    const fail = (
      message: string,
      { cause, isHalfSent = false }: { cause?: unknown; isHalfSent?: boolean } = {},
    ) =>
      settle(() => {
        const code = codeOf(cause);
        const isStale = request.reusedSocket && !answer && closingCodes.includes(code ?? '');
        const reached = isHalfSent ? 'half-sent' : isConnected() ? 'unknown' : 'unsent';
        return { failure: { message, reached, code, isStale, answer: answer?.(), cause } };
      });
    const failBy = (cause: unknown) => {
      const code = codeOf(cause);
      fail(code === undefined ? 'the connection failed' : `the connection failed (${code})`, { cause });
    };
    const limit = (seconds: number, what: string, applies = () => true) => {
      const leftMs = startedAt + seconds * secondMs - performance.now();
      timers.push(setTimeout(() => applies() && fail(`${what} within ${seconds} s`), leftMs));
    };

    const abort = () => fail('the exchange was aborted');
    if (signal?.aborted) abort();
    signal?.addEventListener('abort', abort, { once: true });

    limit(limits.totalSeconds, 'no complete response');
    if (connectSeconds !== undefined) limit(connectSeconds, 'no connection', () => !isConnected());
    if (idleSeconds !== undefined) {
      request.setTimeout(idleSeconds * secondMs, () => fail(`no data sent or received for ${idleSeconds} s`));
    }
    request.on('error', failBy);
    request.on('close', () => fail(closedEarly));
    request.on('response', (response) => {
      const chunks: Buffer[] = [];
      let bytes = 0;
      const read = () => ({
        status: response.statusCode ?? 0,
        headers: response.headers,
        body: Buffer.concat(chunks),
      });
      answer = read;
      response.on('data', (chunk: Buffer) => {
        chunks.push(chunk);
        bytes += chunk.length;
        if (bytes <= answerBytes) return;
        if (cutsLongAnswer) settle(() => ({ answer: read() }));
        else fail(`the response is larger than ${answerBytes} bytes`);
      });
      response.on('error', failBy);
      // 'end' comes only for complete responses. If the body was not sent completely by then, the connection is unusable.
      response.on('end', () => settle(() => ({ answer: read() }), request.writableFinished));
    });
    if (typeof body === 'function') {
      body(request, (cause) => fail('the body could not be read', { cause, isHalfSent: true })).catch(failBy);
    } else {
      request.end(body);
    }
  });
}

function watchConnection(request: ClientRequest): () => boolean {
  let isConnected = false;
  request.on('socket', (socket) => {
    const connected = () => {
      isConnected = true;
    };
    if (isEstablished(socket)) connected();
    else socket.once('encrypted' in socket ? 'secureConnect' : 'connect', connected);
  });
  return () => isConnected;
}

/** Returns false while a connection or its TLS handshake is in progress. A reused connection is established from the start. */
function isEstablished(socket: Socket): boolean {
  return !socket.connecting && !('secureConnecting' in socket && socket.secureConnecting);
}

function codeOf(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}

/**
 * Makes a body that sends a stream of exactly `sizeBytes` bytes, with backpressure. If the stream has another length or
 * fails, the other side is left with half a request. `onUnreadable` is called before that happens: the pipeline then
 * closes the connection, which must not look as if the other side had closed it.
 */
export function bodyStream(source: Readable, sizeBytes: number): BodyStream {
  return (request, onUnreadable) =>
    pipeline(
      source,
      async function* (chunks: AsyncIterable<Buffer>) {
        let bytes = 0;
        try {
          for await (const chunk of chunks) {
            bytes += chunk.length;
            if (bytes > sizeBytes) break;
            yield chunk;
          }
          if (bytes !== sizeBytes) throw new Error(`the stream does not have ${sizeBytes} bytes`);
        } catch (cause) {
          onUnreadable(cause);
          throw cause;
        }
      },
      request,
    );
}
