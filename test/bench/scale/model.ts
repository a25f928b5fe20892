/** Estimates what AWS does with many targets, from measured figures and public default quotas. Pure. */

/** Lambda gives a function this part of a processor per megabyte, up to one. */
const megabytesPerProcessor = 1_769;

/** Growth of Lambda's pollers of a queue: https://docs.aws.amazon.com/lambda/latest/dg/services-sqs-scaling.html */
const pollersAtFirst = 5;
const pollersMorePerSecond = 300 / 60;

/** The function that makes targets live. */
export interface Worker {
  readonly memoryMegabytes: number;
  readonly batchSize: number;
  /** The most environments of its mapping. */
  readonly environments: number;
  /** Processor time of one target in its last seconds, in milliseconds. */
  readonly processorMs: number;
  /** The shortest time that a batch takes: calls to the platform and to AWS. */
  readonly leastBatchMs: number;
}

/** Returns the duration of a full batch: its targets share the processor of their environment. */
export function batchMs({ memoryMegabytes, batchSize, processorMs, leastBatchMs }: Worker): number {
  const share = Math.min(1, memoryMegabytes / megabytesPerProcessor);
  return Math.max(leastBatchMs, (batchSize * processorMs) / share);
}

export interface Drain {
  /** The time at which the last target is live, in seconds after the time at which all are due. */
  readonly lastSeconds: number;
  /** The time at which half of the targets are live. */
  readonly halfSeconds: number;
  /** The environments that work at the end. */
  readonly environments: number;
}

/**
 * Models the publishing of targets that are due in the same second, until all are live.
 *
 * @param warm the number of environments with pollers at that moment. On a quiet queue five
 */
export function drain(targetCount: number, worker: Worker, warm = pollersAtFirst): Drain {
  const stepSeconds = 0.05;
  const perEnvironment = worker.batchSize / (batchMs(worker) / 1_000);
  let live = 0;
  let halfSeconds = 0;
  // The first batches are live once they are worked.
  for (let seconds = batchMs(worker) / 1_000, passed = 0; ; seconds += stepSeconds, passed += stepSeconds) {
    const environments = Math.min(
      worker.environments,
      Math.max(pollersAtFirst, warm) + pollersMorePerSecond * passed,
    );
    live +=
      passed === 0
        ? Math.min(targetCount, environments * worker.batchSize)
        : environments * perEnvironment * stepSeconds;
    if (halfSeconds === 0 && live >= targetCount / 2) halfSeconds = seconds;
    if (live >= targetCount)
      return { lastSeconds: seconds, halfSeconds, environments: Math.floor(environments) };
  }
}

/** Posts per month, and how they are distributed. */
export interface Traffic {
  readonly postsPerMonth: number;
  readonly targetsPerPost: number;
  /** The part of a day's targets that are due in its busiest second. */
  readonly burst: number;
}

/** Returns the number of targets that are due in the busiest second. */
export const burstOf = ({ postsPerMonth, targetsPerPost, burst }: Traffic): number =>
  Math.round((postsPerMonth / 30) * targetsPerPost * burst);

/** A part of AWS with a default quota or a bound of ours, and what a burst needs of it. */
export interface Part {
  readonly name: string;
  readonly limit: number;
  readonly unit: string;
  /** Returns the amount of it that a burst of this many targets needs, if its targets go live as fast as the workers can. */
  readonly needed: (targets: number) => number;
}

/** The parts in the order in which they break: the one that the traffic exceeds most first. */
export function inOrder(
  parts: readonly Part[],
  targets: number,
): readonly (Part & { readonly ratio: number })[] {
  return parts
    .map((part) => ({ ...part, ratio: part.needed(targets) / part.limit }))
    .toSorted((one, other) => other.ratio - one.ratio);
}
