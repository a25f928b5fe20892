import type { ClientRequest, IncomingHttpHeaders } from 'node:http';
import { secondMs } from '../kernel/clock.ts';

/** What is absent is not limited. */
export interface ExchangeLimits {
  /** Look-up, TCP and TLS together. */
  readonly connectSeconds?: number;
  /** To the last byte of the answer. */
  readonly totalSeconds: number;
  /** Without a byte in either direction. */
  readonly idleSeconds?: number;
  /** Of the answer's body. */
  readonly answerBytes?: number;
}

export interface Exchange {
  /** Begins the request, with all its headers, and does not end it. */
  readonly start: () => ClientRequest;
  readonly body?: Uint8Array | string | BodyStream | undefined;
  readonly limits: ExchangeLimits;
  /** From when the times count, by `performance.now()`; now by default. */
  readonly startedAt?: number;
  /** Whether the beginning of an answer that is too long counts as the answer; else it is a failure. */
  readonly cutsLongAnswer?: boolean;
}

/** Sends a body and ends the request. @param onUnreadable to be called if the body ends early, before that shows */
export type BodyStream = (request: ClientRequest, onUnreadable: (cause: unknown) => void) => Promise<void>;

export interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

export interface ExchangeFailure {
  /** For messages; names no address. */
  readonly message: string;
  /**
   * Whether the request can have had an effect: no connection was made (`unsent`), the body could not be read to its
   * end (`half-sent`), so in both cases it cannot; or nobody knows.
   */
  readonly reached: 'unsent' | 'half-sent' | 'unknown';
  /** Of Node.js or OpenSSL, if the connection failed. */
  readonly code: string | undefined;
  /** The other side had closed a connection that was kept, before any answer. */
  readonly isStale: boolean;
  /** As much of it as came. */
  readonly answer: Answer | undefined;
  readonly cause: unknown;
}

export type Exchanged = { readonly answer: Answer } | { readonly failure: ExchangeFailure };

export const closedEarly = 'the connection was closed before the answer was complete';

/** The other side, or the network, ended a connection that stood. */
export const closingCodes = ['ECONNRESET', 'EPIPE', 'ECONNABORTED'];

/** One HTTP request and its answer, whatever its status, within limits. Rejects only if `start` throws. */
export function exchange(options: Exchange): Promise<Exchanged> {
  const { start, body, limits, startedAt = performance.now(), cutsLongAnswer = false } = options;
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
      resolve(exchanged());
      // Once it is kept, the connection may already be another request's.
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

    limit(limits.totalSeconds, 'no complete answer');
    if (connectSeconds !== undefined) limit(connectSeconds, 'no connection', () => !isConnected());
    if (idleSeconds !== undefined) {
      request.setTimeout(idleSeconds * secondMs, () => fail(`nothing for ${idleSeconds} s`));
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
        else fail(`an answer of more than ${answerBytes} bytes`);
      });
      response.on('error', failBy);
      // Comes of complete answers only. One that came before the whole body was sent leaves a connection of no use.
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
    if (request.reusedSocket) connected();
    else socket.once('encrypted' in socket ? 'secureConnect' : 'connect', connected);
  });
  return () => isConnected;
}

function codeOf(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}
