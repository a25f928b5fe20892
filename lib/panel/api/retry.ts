import type { ApiError } from './api-error.ts';

export const maxAttempts = 4;
const firstWaitMs = 300;
const longestWaitMs = 10_000;

/**
 * Returns the wait before a failed request is sent again; `undefined` if that cannot help, or if a request may have had its effect
 * and would have it twice.
 *
 * @param attempt the number of the attempt that failed, from 1
 * @param isSafe whether sending it twice has the effect of sending it once
 * @param random from 0 to 1
 */
export function waitBeforeRetry(
  error: ApiError,
  attempt: number,
  isSafe: boolean,
  random: number,
): number | undefined {
  if (!isSafe || attempt >= maxAttempts) return undefined;
  const { status, code, retryAfterMs } = error;
  if (code === 'offline') return undefined;
  if (status === 429) {
    // The service says when. Without that, or with a long wait, the person decides.
    return retryAfterMs !== undefined && retryAfterMs <= longestWaitMs
      ? retryAfterMs + random * 250
      : undefined;
  }
  if (status !== 0 && ![502, 503, 504].includes(status)) return undefined;
  if (retryAfterMs !== undefined && retryAfterMs > longestWaitMs) return undefined;
  const backoff = firstWaitMs * 2 ** (attempt - 1);
  return Math.max(retryAfterMs ?? 0, backoff / 2 + (random * backoff) / 2);
}

/** Waits, unless the signal aborts. */
export function pause(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const abort = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', abort);
      resolve();
    }, milliseconds);
    if (signal?.aborted) abort();
    else signal?.addEventListener('abort', abort, { once: true });
  });
}
