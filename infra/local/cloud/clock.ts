/**
 * The local cloud's clock. It runs with real time and can be moved forward, so that a schedule that is due in an hour
 * can fire now. Code that waits for a time uses `setTimer`, so it also wakes when the clock is moved past that time.
 */

export interface Clock {
  /** Returns epoch milliseconds. */
  now(): number;
}

export type CancelTimer = () => void;

export interface TimerClock extends Clock {
  /**
   * Calls back once, soon after the clock reaches `atMs` or, if it already has, soon after this call returns. A pending
   * timer does not keep the process alive.
   */
  setTimer(atMs: number, callback: () => void): CancelTimer;
}

export interface MovableClock extends TimerClock {
  /** Moves the clock forward; timers that it passes fire, earliest first. @throws RangeError for an invalid value. */
  advance(byMs: number): void;
  /** Returns the offset of the clock ahead of real time, in milliseconds. */
  offsetMs(): number;
}

/** The longest delay that Node's timers support. A longer one overflows and becomes 1 ms. */
const longestWaitMs = 2 ** 31 - 1;

interface Timer {
  readonly atMs: number;
  readonly callback: () => void;
  handle: NodeJS.Timeout | undefined;
}

/**
 * Creates a clock that starts `offsetMs` ahead of real time.
 *
 * @param options.realNow real time in epoch milliseconds; defaults to `Date.now`.
 * @param options.onMove called with the new offset in milliseconds after each move, so that it can be stored.
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
        throw new RangeError(
          `The clock moves forward by a finite number of milliseconds of at least 0, not by ${byMs}`,
        );
      }
      offsetMs += byMs;
      options.onMove?.(offsetMs);
      for (const timer of [...waiting].sort((one, other) => one.atMs - other.atMs)) {
        arm(timer);
      }
    },
  };
}
