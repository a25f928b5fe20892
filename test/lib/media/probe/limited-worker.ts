import { Worker } from 'node:worker_threads';
import type { MeasuredInspection } from './measure.ts';

/**
 * Limits of a thread's heap: 64 MB together. What an inspection reads is outside the heap, and is limited by the number of
 * bytes that it may read.
 */
export const heapLimits = { maxOldGenerationSizeMb: 48, maxYoungGenerationSizeMb: 16 } as const;

export interface LimitedWorker {
  /**
   * Inspects a file in the worker's thread.
   *
   * @throws Error with code `ERR_WORKER_OUT_OF_MEMORY` if the heap is too small; whatever the inspection throws
   */
  inspect(bytes: Uint8Array, contentType: string): Promise<MeasuredInspection>;
  close(): Promise<number>;
}

/** Starts a thread with a limited heap that inspects one file at a time. */
export function startLimitedWorker(): LimitedWorker {
  const worker = new Worker(new URL('./inspect-in-worker.ts', import.meta.url), {
    resourceLimits: heapLimits,
  });
  return {
    inspect: (bytes, contentType) =>
      new Promise((resolve, reject) => {
        const shared = new SharedArrayBuffer(bytes.length);
        new Uint8Array(shared).set(bytes);
        worker.removeAllListeners();
        worker.on('message', resolve).on('error', reject);
        worker.postMessage({ shared, contentType });
      }),
    close: () => worker.terminate(),
  };
}
