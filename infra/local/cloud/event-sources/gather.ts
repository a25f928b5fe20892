import type { TimerClock } from '../clock.ts';

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
