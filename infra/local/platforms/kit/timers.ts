import type { SimulatorClock } from './call.ts';

/** Work that a platform does later by itself, such as sending a webhook again. */
export interface Timers {
  later(delayMs: number, work: () => void): void;
}

/** Runs the work after a real time. It does not keep the process alive. */
export const realTimers: Timers = {
  later: (delayMs, work) => void setTimeout(work, delayMs).unref(),
};

/** Timers of the simulator's clock. The owner of the clock calls `runDue`. */
export interface ClockTimers extends Timers {
  /** Runs all work that is due, earliest first. */
  runDue(): void;
  /** Returns the time of the next due work, in epoch milliseconds; undefined without any. */
  nextMs(): number | undefined;
}

export function openClockTimers(clock: SimulatorClock): ClockTimers {
  let waiting: { readonly atMs: number; readonly work: () => void }[] = [];
  return {
    later(delayMs, work) {
      const atMs = clock.now() + delayMs;
      const place = waiting.findIndex((other) => other.atMs > atMs);
      waiting.splice(place < 0 ? waiting.length : place, 0, { atMs, work });
    },
    runDue() {
      for (let next = waiting[0]; next !== undefined && next.atMs <= clock.now(); next = waiting[0]) {
        waiting = waiting.slice(1);
        next.work();
      }
    },
    nextMs: () => waiting[0]?.atMs,
  };
}
