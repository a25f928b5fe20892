import { secondMs } from '../../../lib/kernel/clock.ts';

/** A processor is 1,769 MB. https://docs.aws.amazon.com/lambda/latest/dg/configuration-memory.html */
const megabytesPerProcessor = 1_769;
/** The size of a batch of the stream (`infra/constructs/triggers.ts`). */
const batchSize = 100;

/** The relay's work on a shard of distant posts with one target each. */
export interface ShardWork {
  readonly megabytes: number;
  readonly processorMsPerChange: number;
  /** Changes that are sent or scheduled at once, and the time of each such round. */
  readonly round: { readonly changes: number; readonly ms: number };
}

/** SQS takes ten messages per request, of which the relay makes five at once. */
export const sending = (ms: number) => ({ changes: 50, ms });
/** The relay asked Scheduler for ten schedules at once. */
export const scheduling = (ms: number) => ({ changes: 10, ms });

function batchMs({ megabytes, processorMsPerChange, round }: ShardWork, changes: number): number {
  const share = Math.min(1, megabytes / megabytesPerProcessor);
  return Math.ceil(changes / round.changes) * round.ms + (changes * processorMsPerChange) / share;
}

/** The changes per second that the relay works if it is never idle. Pure. */
export const changesPerSecond = (work: ShardWork): number =>
  batchSize / (batchMs(work, batchSize) / secondMs);

/** The time after which the last of changes that were committed at once is done. Pure. */
export function lastOfManyMs(work: ShardWork, changes: number): number {
  return Math.floor(changes / batchSize) * batchMs(work, batchSize) + batchMs(work, changes % batchSize);
}

/**
 * The longest time that a change takes while changes are committed evenly: it waits for the batch in progress and is then in one that has
 * what was committed meanwhile. Infinite if the relay falls behind. Pure.
 */
export function lastOfStreamMs(work: ShardWork, perSecond: number): number {
  if (changesPerSecond(work) < perSecond) return Number.POSITIVE_INFINITY;
  let changes = 1;
  for (let round = 0; round < batchSize; round += 1)
    changes = Math.min(batchSize, Math.max(1, Math.ceil((batchMs(work, changes) / secondMs) * perSecond)));
  return 2 * batchMs(work, changes);
}
