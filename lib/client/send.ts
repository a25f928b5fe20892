import { errorOf, HeraldError } from './errors.ts';

/** The limits of a request. */
export interface Limits {
  /** The greatest number of attempts. Default: 6. */
  readonly maxAttempts?: number | undefined;
  /** The greatest time of one attempt. Default: 30 seconds, as long as API Gateway waits. */
  readonly attemptTimeoutMs?: number | undefined;
  /** The greatest time of all attempts and the waits between them. Default: two minutes. */
  readonly totalTimeoutMs?: number | undefined;
}

export const defaultLimits = { maxAttempts: 6, attemptTimeoutMs: 30_000, totalTimeoutMs: 120_000 };

/** The client's ways to the network, to the time and to chance, which tests replace. */
export interface Surroundings {
  readonly fetch: typeof globalThis.fetch;
  /** Returns the time in milliseconds. */
  readonly now: () => number;
  /** Waits, and rejects with the signal's reason if it aborts. */
  readonly sleep: (ms: number, signal: AbortSignal | undefined) => Promise<void>;
  /** Returns a number from 0 up to 1. */
  readonly random: () => number;
}

/** Returns the default values with those of the same names in the options, the last of which counts. */
export function withDefaults<Values extends object>(
  defaults: Values,
  ...options: readonly { readonly [Name in keyof Values]?: Values[Name] | undefined }[]
): Values {
  const values = { ...defaults };
  for (const each of options)
    for (const name of Object.keys(defaults) as (keyof Values)[]) values[name] = each[name] ?? values[name];
  return values;
}

export const realSurroundings: Surroundings = {
  // Taken at each call, so that tools which replace it later are used too.
  fetch: (...args) => globalThis.fetch(...args),
  now: Date.now,
  sleep: (ms, signal) =>
    new Promise((resolve, reject) => {
      const stop = () => {
        clearTimeout(timer);
        reject(signal?.reason);
      };
      const timer = setTimeout(() => {
        signal?.removeEventListener('abort', stop);
        resolve();
      }, ms);
      if (signal?.aborted) stop();
      else signal?.addEventListener('abort', stop, { once: true });
    }),
  random: Math.random,
};

export interface Request {
  /** Its name in messages, such as `getPost`. */
  readonly name: string;
  readonly method: string;
  readonly url: string;
  readonly headers: Headers;
  readonly body?: string | Blob | undefined;
  /** True if a second request does no harm if the first one was carried out. */
  readonly isRepeatable: boolean;
  readonly limits: typeof defaultLimits;
  readonly signal: AbortSignal | undefined;
}

/**
 * Sends a request, and again while that may help and does no harm.
 *
 * @returns the body of the answer
 * @throws HeraldError
 */
export async function send(request: Request, surroundings: Surroundings): Promise<string> {
  const { limits, signal } = request;
  const { now, sleep, random } = surroundings;
  const end = now() + limits.totalTimeoutMs;
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await sendOnce(request, Math.min(limits.attemptTimeoutMs, end - now()), surroundings);
    } catch (error) {
      if (!(error instanceof HeraldError) || attempt >= limits.maxAttempts || !mayRepeat(request, error))
        throw error;
      const waitMs = waitAfter(attempt, error.retryAfterSeconds, random());
      if (now() + waitMs >= end) throw error;
      await sleep(waitMs, signal);
    }
  }
}

/** Codes of answers after which nothing was done, and nothing stands in the way of the same request a little later. */
const nothingWasDone: ReadonlySet<string> = new Set(['changed_concurrently', 'slots_contended']);

function mayRepeat({ isRepeatable }: Request, { status, code }: HeraldError): boolean {
  if (status === 429 || nothingWasDone.has(code)) return true;
  // The operator has to act first.
  if (code === 'platform_not_configured') return false;
  // Everything else may have been done, also if the answer is 503: the service had begun, and did not end in time.
  return isRepeatable && (status === undefined || status >= 500);
}

/** Returns the milliseconds to wait. A part is random, so that many clients do not come back at the same moment. */
function waitAfter(attempt: number, retryAfterSeconds: number | undefined, random: number): number {
  if (retryAfterSeconds !== undefined) return retryAfterSeconds * 1000 * (1 + random / 4);
  return random * Math.min(20_000, 500 * 2 ** attempt);
}

async function sendOnce(request: Request, timeoutMs: number, { fetch, now }: Surroundings): Promise<string> {
  const { name, method, url, headers, body, signal } = request;
  signal?.throwIfAborted();
  // AbortSignal.any would keep a reference for as long as a caller's signal lives, in some versions of Node.js.
  const controller = new AbortController();
  const stop = () => controller.abort(signal?.reason);
  const timer = setTimeout(stop, timeoutMs);
  signal?.addEventListener('abort', stop, { once: true });
  let response: Response;
  let text: string;
  try {
    // A redirect would turn POST into GET.
    const redirect = 'manual';
    const sent = body !== undefined && { body };
    response = await fetch(url, { method, headers, redirect, signal: controller.signal, ...sent });
    text = await response.text();
  } catch (cause) {
    signal?.throwIfAborted();
    if (controller.signal.aborted)
      throw new HeraldError({ message: `${name}: no answer in time`, code: 'timed_out', cause });
    throw new HeraldError({
      message: `${name}: no answer: ${reasonIn(cause)}`,
      code: 'connection_failed',
      cause,
    });
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', stop);
  }
  if (response.ok) return text;
  throw errorOf(name, response, text, now());
}

/** Node.js says only "fetch failed", and keeps the reason as cause. */
function reasonIn(cause: unknown): string {
  const { message = '', cause: inner } = (cause ?? {}) as {
    message?: string;
    cause?: { message?: string; code?: string };
  };
  return inner?.message || inner?.code || message || 'the connection failed';
}
