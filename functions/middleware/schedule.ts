import middy from '@middy/core';
import type { Context, ScheduledEvent } from 'aws-lambda';
import { secondMs, systemClock } from '../../lib/kernel/clock.ts';
import { logger } from '../wire/logger.ts';
import { handlerFactory, type Wired, type Wires } from '../wire/start.ts';

/** The number of items processed, by kind. `failures` counts those that failed. */
type Counts = Readonly<Record<string, number>>;

interface ScheduleOptions {
  /** The log message for the counts, if any is above 0. */
  readonly message: string;
  /** Default: info. */
  readonly level?: 'info' | 'warn';
  /** Counts of ordinary work. If no other is above 0, they are logged with this message, at level info. */
  readonly routine?: { readonly message: string; readonly counts: readonly string[] };
  /** The time before the function's time limit at which it begins nothing more. Default: 15 s. */
  readonly reserveMs?: number;
}

/**
 * Creates the handler of a function that runs at a fixed rate. If some items fail, it throws after everything else is
 * done, so that an alarm tells operators.
 *
 * @param run must not begin anything after the deadline, in epoch milliseconds
 */
export function scheduleHandler<Uses extends Wires>(
  uses: Uses,
  { message, level = 'info', routine, reserveMs = 15 * secondMs }: ScheduleOptions,
  run: (dependencies: Wired<Uses>, deadlineMs: number) => Promise<Counts>,
) {
  return handlerFactory(uses, (dependencies) =>
    middy<ScheduledEvent, void, Error, Context>().handler(async (_event, context) => {
      const deadlineMs = systemClock() + context.getRemainingTimeInMillis() - reserveMs;
      const counts = await run(dependencies, deadlineMs);
      const found = Object.keys(counts).filter((name) => (counts[name] ?? 0) > 0);
      const isRoutine = routine !== undefined && found.every((name) => routine.counts.includes(name));
      if (found.length > 0)
        logger[isRoutine ? 'info' : level](isRoutine ? routine.message : message, { ...counts });
      const { failures = 0 } = counts;
      if (failures > 0) throw new Error(`${failures} items failed; the log lines before this one name them`);
    }),
  );
}
