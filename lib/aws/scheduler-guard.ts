import { type Clock, secondMs } from '../kernel/clock.ts';
import type { Schedules } from './schedules.ts';

/** The maximum number of simultaneous requests. Ten are 100 to 200 a second. */
const mostAtOnce = 10;
/** The duration from which a request shows that Scheduler is slow. */
const slowMs = 0.5 * secondMs;
/** The number of failures in a row that shows that it is down or throttles. */
const mostFailures = 3;
/** The time for which it is then left alone. */
const restMs = 20 * secondMs;

/** The error of a request that was not made because Scheduler is being left alone. */
export class SchedulerRestsError extends Error {
  override readonly name = 'SchedulerRestsError';
}

/**
 * Protects other work from a Scheduler that is slow, down or throttling: after one slow request or three failures in a row, no
 * request is made for 20 seconds. For one execution environment.
 *
 * @returns the schedules, whose requests may also throw SchedulerRestsError
 */
export function guardSchedules(schedules: Schedules, now: Clock): Schedules {
  let running = 0;
  let failures = 0;
  let restsUntilMs = 0;
  const waiting: (() => void)[] = [];

  async function enter(): Promise<void> {
    if (running < mostAtOnce) running += 1;
    // A request that leaves passes its place on.
    else await new Promise<void>((resolve) => waiting.push(resolve));
  }

  function leave(): void {
    const next = waiting.shift();
    if (next) next();
    else running -= 1;
  }

  function rest(): void {
    failures = 0;
    restsUntilMs = now() + restMs;
  }

  async function request<Result>(send: () => Promise<Result>): Promise<Result> {
    const startMs = now();
    if (startMs < restsUntilMs) throw new SchedulerRestsError('Scheduler is slow, or fails');
    try {
      const result = await send();
      failures = 0;
      return result;
    } catch (error) {
      failures += 1;
      if (failures >= mostFailures) rest();
      throw error;
    } finally {
      if (now() - startMs > slowMs) rest();
    }
  }

  async function inTurn<Result>(send: () => Promise<Result>): Promise<Result> {
    await enter();
    try {
      return await request(send);
    } finally {
      leave();
    }
  }

  return {
    create: (...of) => inTurn(() => schedules.create(...of)),
    remove: (name) => inTurn(() => schedules.remove(name)),
  };
}
