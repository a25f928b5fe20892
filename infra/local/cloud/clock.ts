/**
 * The local cloud's time. It runs with real time and can be moved forward, so that a schedule in an hour can be
 * seen to fire in a moment; whatever waits for a moment waits through `setTimer` and wakes when the clock passes it.
 */

export interface Clock {
  /** Epoch milliseconds. */
  now(): number;
}

export type CancelTimer = () => void;

export interface TimerClock extends Clock {
  /**
   * Calls back once, soon after the clock reaches `atMs` (at once when it already has), never within this call.
   * A waiting timer does not keep the process alive.
   */
  setTimer(atMs: number, callback: () => void): CancelTimer;
}

export interface MovableClock extends TimerClock {
  /** Moves the clock forward; timers that it passes fire at once, earliest first. */
  advance(byMs: number): void;
  /** How far the clock is ahead of real time, in milliseconds. */
  offsetMs(): number;
}

/** The longest wait that Node's timers hold without overflowing to one millisecond. */
const longestWaitMs = 2 ** 31 - 1;

interface Timer {
  readonly atMs: number;
  readonly callback: () => void;
  handle: NodeJS.Timeout | undefined;
}

/**
 * A clock that starts `offsetMs` ahead of real time.
 *
 * @param options.realNow real time in epoch milliseconds; `Date.now` unless a test says otherwise.
 * @param options.onMove told the new offset after each move, so that it can be kept over a restart.
 */
export function createMovableClock(
  options: { offsetMs?: number; realNow?: () => number; onMove?: (offsetMs: number) => void } = {},
): MovableClock {
  const realNow = options.realNow ?? Date.now;
  const waiting = new Set<Timer>();
  let offsetMs = options.offsetMs ?? 0;
  const now = () => realNow() + offsetMs;

  function arm(timer: Timer): void {
    clearTimeout(timer.handle);
    const waitMs = Math.min(Math.max(0, Math.ceil(timer.atMs - now())), longestWaitMs);
    timer.handle = setTimeout(() => wake(timer), waitMs).unref();
  }

  function wake(timer: Timer): void {
    if (now() < timer.atMs) {
      arm(timer);
    } else if (waiting.delete(timer)) {
      timer.callback();
    }
  }

  return {
    now,
    offsetMs: () => offsetMs,
    setTimer(atMs, callback) {
      const timer: Timer = { atMs, callback, handle: undefined };
      waiting.add(timer);
      arm(timer);
      return () => {
        waiting.delete(timer);
        clearTimeout(timer.handle);
      };
    },
    advance(byMs) {
      if (!Number.isFinite(byMs) || byMs < 0) {
        throw new RangeError(`A clock moves forward by a finite number of milliseconds, not by ${byMs}`);
      }
      offsetMs += byMs;
      options.onMove?.(offsetMs);
      for (const timer of [...waiting].sort((one, other) => one.atMs - other.atMs)) {
        arm(timer);
      }
    },
  };
}
