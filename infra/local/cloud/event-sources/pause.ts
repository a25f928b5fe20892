import type { TimerClock } from '../clock.ts';

/** Waits by the local clock, or until the signal fires. */
export function pause(clock: TimerClock, milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((settle) => {
    if (signal.aborted) return settle();
    const finish = () => {
      cancelTimer();
      signal.removeEventListener('abort', finish);
      settle();
    };
    const cancelTimer = clock.setTimer(clock.now() + milliseconds, finish);
    signal.addEventListener('abort', finish, { once: true });
  });
}
