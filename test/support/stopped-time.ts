import { vi } from 'vitest';

/**
 * Stops the time that limits and waits of the code run on: `setTimeout` and `performance.now`. Sockets, and the timers inside
 * Node.js, go on. So no limit ends a test because the machine is slow. `vi.useRealTimers` lets the time go on.
 *
 * A test about a limit moves the time itself, with `vi.advanceTimersByTime`, when the thing that the limit is for can no
 * longer happen: when a server has taken a request that it will never answer, for example. The result is then the same however early
 * or late the time moves.
 *
 * @param now stops the calendar as well, at this time in epoch milliseconds
 */
export function stopTime(now?: number): void {
  const toFake = ['setTimeout', 'clearTimeout', 'performance'] as const;
  if (now === undefined) vi.useFakeTimers({ toFake: [...toFake] });
  else vi.useFakeTimers({ toFake: [...toFake, 'Date'], now });
}

/** Moves the stopped time again and again until the work ends. What it waits for must never come. */
export async function elapse<Value>(milliseconds: number, work: Promise<Value>): Promise<Value> {
  let isOver = false;
  const over = work.finally(() => {
    isOver = true;
  });
  over.catch(() => undefined);
  while (!isOver) {
    vi.advanceTimersByTime(milliseconds);
    await new Promise((resolve) => setImmediate(resolve));
  }
  return over;
}
