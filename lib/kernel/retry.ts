/**
 * Returns the wait before attempt `attempt + 1`: exponential backoff with full jitter, so that clients that failed together do
 * not retry together (AWS Architecture Blog, "Exponential Backoff And Jitter").
 *
 * @param attempt the number of failed attempts, from 1
 * @param chance a random number in [0, 1)
 * @returns milliseconds, at most `capMs`
 */
export function backoffMs(
  attempt: number,
  { baseMs, capMs }: { baseMs: number; capMs: number },
  chance: number,
): number {
  return Math.round(Math.min(capMs, baseMs * 2 ** (attempt - 1)) * chance);
}

export const sleep = (milliseconds: number): Promise<void> =>
  new Promise((resolve) => setTimeout(resolve, milliseconds));

/**
 * Starts a task again and again, the first time after `milliseconds`. Does not keep the process alive.
 *
 * @param task must not reject
 * @returns a function that stops it
 */
export function every(milliseconds: number, task: () => Promise<void>): () => void {
  const timer = setInterval(() => void task(), milliseconds);
  timer.unref();
  return () => clearInterval(timer);
}
