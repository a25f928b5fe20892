import { getHeapStatistics } from 'node:v8';
import { inspectFile } from '../../../../lib/media/probe/inspect.ts';
import type { Inspection } from '../../../../lib/media/uploads/complete-upload.ts';

/** The result and the cost of an inspection. */
export interface MeasuredInspection {
  readonly found: Inspection;
  /** Processor time of this thread. */
  readonly cpuMs: number;
  /** The largest growth of this thread's heap, and of the buffers outside it, that was seen at a read or at the end. */
  readonly grownBytes: number;
  readonly ranges: number;
  readonly readBytes: number;
}

/**
 * Inspects a file in this thread.
 *
 * @param sizeBytes the size of the file, if it is larger than its bytes: the rest is zeros
 */
export async function measureInspection(
  bytes: Uint8Array,
  contentType: string,
  sizeBytes: number = bytes.length,
): Promise<MeasuredInspection> {
  const usedBytes = () => {
    const { used_heap_size, external_memory } = getHeapStatistics();
    return used_heap_size + external_memory;
  };
  let [ranges, readBytes, grownBytes] = [0, 0, 0];
  const beforeBytes = usedBytes();
  const note = () => {
    grownBytes = Math.max(grownBytes, usedBytes() - beforeBytes);
  };
  const before = process.threadCpuUsage();
  const found = await inspectFile(
    async (first, last) => {
      ranges += 1;
      readBytes += last - first + 1;
      const range = new Uint8Array(last - first + 1);
      range.set(bytes.subarray(first, last + 1));
      note();
      return range;
    },
    sizeBytes,
    contentType,
  );
  const { user, system } = process.threadCpuUsage(before);
  note();
  return { found, cpuMs: (user + system) / 1_000, grownBytes, ranges, readBytes };
}
