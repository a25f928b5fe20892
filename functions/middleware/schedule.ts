import middy from '@middy/core';
import type { Context, ScheduledEvent } from 'aws-lambda';
import { secondMs, systemClock } from '../../lib/kernel/clock.ts';
import { logger } from '../wire/logger.ts';
import { handlerFactory, type Wired, type Wires } from '../wire/start.ts';

/** How many of each thing were found; `failures` went wrong. */
type Counts = Readonly<Record<string, number>>;

interface ScheduleOptions {
  /** Logged with the counts if anything was found. */
  readonly message: string;
  /** Default: info. */
  readonly level?: 'info' | 'warn';
  /** The end of the function's time that is left to what has begun. Default: 15 s. */
  readonly reserveMs?: number;
}

/**
 * Makes the handler of a function that runs at a fixed rate. It fails once all is done that can be, so that operators
 * hear of the rest.
 *
 * @param run begins nothing after the deadline, in epoch milliseconds
 */
export function scheduleHandler<Uses extends Wires>(
  uses: Uses,
  { message, level = 'info', reserveMs = 15 * secondMs }: ScheduleOptions,
  run: (dependencies: Wired<Uses>, deadlineMs: number) => Promise<Counts>,
) {
  return handlerFactory(uses, (dependencies) =>
    middy<ScheduledEvent, void, Error, Context>().handler(async (_event, context) => {
      const deadlineMs = systemClock() + context.getRemainingTimeInMillis() - reserveMs;
      const counts = await run(dependencies, deadlineMs);
      if (Object.values(counts).some((count) => count > 0)) logger[level](message, { ...counts });
      const { failures = 0 } = counts;
      if (failures > 0) throw new Error(`${failures} of what was found failed: the log names each`);
    }),
  );
}
