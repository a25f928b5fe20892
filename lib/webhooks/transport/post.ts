import type { ClientRequest, IncomingMessage } from 'node:http';
import { secondMs } from '../../kernel/clock.ts';
import { closedEarly, failureInWords, isClosing } from './failure.ts';
import type { Connections, ConnectionTarget } from './pinned-agents.ts';
import { shownBytes } from './response.ts';

export interface AttemptLimits {
  /** Look-up, TCP and TLS together. */
  readonly connectSeconds: number;
  /** From the look-up to the last byte of the answer. */
  readonly totalSeconds: number;
  /** So much of the answer is read, and no more; what was read then counts as the answer. */
  readonly answerBytes: number;
}

export interface PinnedPost extends ConnectionTarget {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
  readonly limits: AttemptLimits;
  /** When the attempt began, by `performance.now()`: what went before the POST counts, too. */
  readonly begunAtMs: number;
}

export interface PostOutcome {
  readonly answer?: Answer;
  /** In words; beside an answer where that did not come to its end. */
  readonly failure?: string;
}

export interface Answer {
  readonly statusCode: number;
  readonly retryAfter: string | undefined;
  /** The first bytes, as many as are shown. */
  readonly start: Buffer;
}

/**
 * One POST to exactly the given addresses, within its limits. A kept connection that turns out to be closed is replaced,
 * once: the receiver may then see the event twice, as it has to expect anyway. Never rejects.
 */
export async function postPinned(connections: Connections, post: PinnedPost): Promise<PostOutcome> {
  const outcome = await exchange(connections, post, false);
  if (outcome !== 'stale') return outcome;
  const again = await exchange(connections, post, true);
  return again === 'stale' ? { failure: failureInWords(undefined) } : again;
}

function exchange(
  connections: Connections,
  post: PinnedPost,
  isFresh: boolean,
): Promise<PostOutcome | 'stale'> {
  return new Promise((resolve) => {
    const headers = { ...post.headers, 'content-length': String(post.body.length) };
    const request = connections.begin(post, headers, isFresh);
    const timers: NodeJS.Timeout[] = [];
    let answer: (() => Answer) | undefined;
    let isSettled = false;
    const settle = (outcome: PostOutcome | 'stale', { keepConnection = false } = {}) => {
      if (isSettled) return;
      isSettled = true;
      for (const timer of timers) clearTimeout(timer);
      resolve(outcome);
      // Once it is kept, the connection may already be another request's.
      if (!keepConnection) request.destroy();
    };
    const fail = (failure: string) => settle(answer ? { answer: answer(), failure } : { failure });
    const failBy = (error: unknown) => {
      const isStale = request.reusedSocket && !answer && isClosing(error);
      if (isStale) settle('stale');
      else fail(failureInWords(error));
    };
    const limit = (seconds: number, what: string, applies = () => true) => {
      const leftMs = post.begunAtMs + seconds * secondMs - performance.now();
      timers.push(setTimeout(() => applies() && fail(`${what} within ${seconds} s`), leftMs));
    };

    const isConnected = watchConnection(request);
    limit(post.limits.connectSeconds, 'no connection', () => !isConnected());
    limit(post.limits.totalSeconds, 'no complete answer');
    request.on('error', failBy);
    request.on('close', () => fail(closedEarly));
    request.on('response', (response) => {
      const read = readStart(response, post.limits.answerBytes, () => settle({ answer: read() }));
      answer = read;
      response.on('error', failBy);
      // Comes of complete answers only. One that came before all was sent leaves a connection of no use.
      response.on('end', () => settle({ answer: read() }, { keepConnection: request.writableFinished }));
    });
    request.end(post.body);
  });
}

function watchConnection(request: ClientRequest): () => boolean {
  let isConnected = false;
  request.on('socket', (socket) => {
    isConnected = request.reusedSocket;
    if (isConnected) return;
    socket.once('encrypted' in socket ? 'secureConnect' : 'connect', () => {
      isConnected = true;
    });
  });
  return () => isConnected;
}

/** Reads up to a limit and keeps the beginning; the returned function tells what has come by now. */
function readStart(response: IncomingMessage, mostBytes: number, onEnough: () => void): () => Answer {
  const start: Buffer[] = [];
  let bytes = 0;
  response.on('data', (chunk: Buffer) => {
    if (bytes < shownBytes) start.push(chunk.subarray(0, shownBytes - bytes));
    bytes += chunk.length;
    if (bytes >= mostBytes) onEnough();
  });
  return () => ({
    statusCode: response.statusCode ?? 0,
    retryAfter: response.headers['retry-after'],
    start: Buffer.concat(start),
  });
}
