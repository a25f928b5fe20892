import { Worker } from 'node:worker_threads';
import type { MediaProbe } from '../../../../lib/media/schemas.ts';
import { heapLimits } from '../probe/limited-worker.ts';

export interface FuzzRun {
  readonly seed: number;
  /** The number of the first file. */
  readonly first: number;
  readonly count: number;
}

/** The findings of a run. */
export interface FuzzSummary {
  readonly files: number;
  readonly fit: number;
  readonly unfit: number;
  /** Count of each reason, without its numbers and types. */
  readonly reasons: Readonly<Record<string, number>>;
  readonly maxCpuMs: number;
  /** The file that took this long. */
  readonly slowest: string;
  readonly maxGrownBytes: number;
  readonly largest: string;
  readonly maxRanges: number;
  readonly maxReadBytes: number;
  /** Files whose inspection threw, or whose outcome is not valid. */
  readonly failures: readonly string[];
  /** Up to 400 different probes. */
  readonly probes: readonly MediaProbe[];
}

/**
 * Inspects damaged files in a thread whose heap is limited to 64 MB.
 *
 * @throws Error with code `ERR_WORKER_OUT_OF_MEMORY` if an inspection needs more
 */
export function fuzz(run: FuzzRun): Promise<FuzzSummary> {
  const worker = new Worker(new URL('./fuzz-worker.ts', import.meta.url), {
    workerData: run,
    resourceLimits: heapLimits,
  });
  return new Promise((resolve, reject) => {
    worker.on('message', resolve).on('error', reject);
  });
}
