import type { MovableClock, TimerClock } from '../clock.ts';
import type { QueueEngine } from '../engines/types.ts';
import type { InvokeOutcome } from '../runtime/execution-environment.ts';

/** The dependencies of an event source on the rest of the cloud. */
export interface SourceSurroundings {
  readonly clock: Pick<MovableClock, 'now' | 'setTimer' | 'offsetMs'>;
  readonly region: string;
  readonly queues: Pick<QueueEngine, 'commitTogether' | 'delete' | 'receive' | 'send'>;
  readonly invoke: (
    functionArn: string,
    event: unknown,
    options?: { readonly traceHeader?: string },
  ) => Promise<InvokeOutcome>;
  /** Called with one-line messages for the developer, such as failures. */
  readonly log: (line: string) => void;
}

export interface EventSource {
  /** Starts no more invocations. Resolves when the running ones have ended. */
  stop(): Promise<void>;
}

/** The longest wait of an SQS receive request. */
const longPollMs = 20_000;

/**
 * Collects a batch: waits for the first records, then for more until the batch is full or the window has passed.
 *
 * @param take resolves with up to `limit` records as soon as there are some, or with none after `waitMs`.
 */
export async function gatherBatch<Record>(
  options: {
    readonly batchSize: number;
    readonly windowSeconds: number;
    readonly clock: TimerClock;
    readonly signal: AbortSignal;
  },
  take: (limit: number, waitMs: number) => Promise<readonly Record[]>,
): Promise<readonly Record[]> {
  const { batchSize, windowSeconds, clock, signal } = options;
  const batch: Record[] = [...(await take(batchSize, longPollMs))];
  const windowEndsAt = clock.now() + windowSeconds * 1000;
  while (batch.length > 0 && batch.length < batchSize && !signal.aborted) {
    const more = await take(batchSize - batch.length, Math.max(0, windowEndsAt - clock.now()));
    if (more.length === 0) break;
    batch.push(...more);
  }
  return batch;
}

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
