/** Invokes each schedule at its time, retries failures, and gives up as its retry policy says. */

import type { CancelTimer, TimerClock } from '../../clock.ts';
import { AwsError } from '../errors.ts';
import type { Schedule, ScheduleStore } from './schedule-store.ts';
import type { Targets } from './target.ts';

export interface Firing {
  /** Sets the timer for the next schedule. Call this after each change of a schedule. */
  rearm(): void;
  stop(): void;
}

const longestBackoffMs = 15 * 60 * 1000;

/** @param dependencies.log called for each schedule that is given up, and if its dead letter could not be sent. */
export function startFiring(dependencies: {
  readonly store: ScheduleStore;
  readonly targets: Targets;
  readonly clock: TimerClock;
  readonly log: (line: string) => void;
}): Firing {
  const { store, targets, clock, log } = dependencies;
  let cancel: CancelTimer | undefined;

  function rearm(): void {
    cancel?.();
    const next = store.next();
    cancel = next?.nextAttemptAtMs === undefined ? undefined : clock.setTimer(next.nextAttemptAtMs, fireDue);
  }

  function fireDue(): void {
    for (let next = store.next(); isDue(next, clock.now()); next = store.next()) attempt(next);
    rearm();
  }

  /** Sends the message before it updates the schedule: a crash in between sends it twice, which AWS may do too. */
  function attempt(schedule: Schedule): void {
    try {
      targets.invoke(schedule);
      finish(schedule);
    } catch (error) {
      if (!(error instanceof AwsError)) throw error;
      fail({ ...schedule, failedAttempts: schedule.failedAttempts + 1 }, error);
    }
  }

  function fail(schedule: Schedule, error: AwsError): void {
    const { MaximumRetryAttempts, MaximumEventAgeInSeconds } = schedule.definition.Target.RetryPolicy;
    const backoffMs = Math.min(1000 * 2 ** (schedule.failedAttempts - 1), longestBackoffMs);
    const nextAttemptAtMs = clock.now() + backoffMs;
    if (schedule.failedAttempts > MaximumRetryAttempts) {
      abandon(schedule, error, 'MaximumRetryAttempts');
    } else if (nextAttemptAtMs > schedule.scheduledAtMs + MaximumEventAgeInSeconds * 1000) {
      abandon(schedule, error, 'MaximumEventAgeInSeconds');
    } else {
      store.put({ ...schedule, nextAttemptAtMs });
    }
  }

  function abandon(schedule: Schedule, error: AwsError, exhausted: string): void {
    try {
      targets.giveUp(schedule, error, exhausted);
    } catch (failure) {
      if (!(failure instanceof AwsError)) throw failure;
      log(`Schedule ${schedule.name}: the dead letter could not be sent: ${failure.message}`);
    }
    log(`Schedule ${schedule.name}: gave up sending to its target: ${error.message}`);
    finish(schedule);
  }

  function finish(schedule: Schedule): void {
    if (schedule.definition.ActionAfterCompletion === 'DELETE') {
      store.delete(schedule.groupName, schedule.name);
    } else {
      store.put({ ...schedule, nextAttemptAtMs: undefined });
    }
  }

  rearm();
  return { rearm, stop: () => cancel?.() };
}

function isDue(schedule: Schedule | undefined, nowMs: number): schedule is Schedule {
  return schedule?.nextAttemptAtMs !== undefined && schedule.nextAttemptAtMs <= nowMs;
}
