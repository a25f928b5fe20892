import { fork } from 'node:child_process';
import { join } from 'node:path';

/** The result of one seed. */
export interface SeedReport {
  readonly seed: number;
  /** The first violated check. */
  readonly violation?: string;
  /** Number of external calls. */
  readonly calls: number;
  /** Number of posts that went live at the platforms. */
  readonly live: number;
}

/** A message from a worker process: it is ready for a seed, or reports one. */
export type WorkerMessage = SeedReport | 'ready';

/** The next seed for a worker process; without a seed, nothing is left to do. */
export interface WorkerOrder {
  readonly seed?: number;
}

export interface SeedRange {
  readonly from: number;
  readonly count: number;
  /** The number of parallel processes. */
  readonly workers: number;
  /** True to continue after a failure. */
  readonly keepGoing?: boolean;
  /** The name of a planted bug. */
  readonly bug?: string | undefined;
  /** Seeds to leave out. */
  readonly isDone?: (seed: number) => boolean;
  /** If aborted, no more seeds are started. Those in progress are still reported. */
  readonly signal?: AbortSignal;
  /** Called once, when the first process is ready. */
  readonly onStart?: () => void;
}

/**
 * Runs many seeds in parallel processes.
 *
 * @param onReport called with the report of each seed, in no particular order
 * @throws Error if a process exits with a failure; it names the seeds that the process was running
 */
export async function runSeeds(range: SeedRange, onReport: (report: SeedReport) => void): Promise<void> {
  const { from, count, isDone = () => false, signal } = range;
  const end = from + count;
  let next = from;
  let isStopped = false;
  let isStarted = false;

  const nextSeed = (): number | undefined => {
    if (isStopped || signal?.aborted) return undefined;
    while (next < end && isDone(next)) next += 1;
    next += 1;
    return next > end ? undefined : next - 1;
  };

  const runWorker = () =>
    new Promise<void>((resolve, reject) => {
      const running = new Set<number>();
      // In a process group of its own, so that the terminal's Ctrl-C does not break the seeds in progress.
      const child = fork(join(import.meta.dirname, 'worker.ts'), range.bug === undefined ? [] : [range.bug], {
        execArgv: [],
        detached: true,
      });
      const fail = (problem: string) => {
        isStopped = true;
        const seeds = [...running].join(', ') || 'none';
        reject(new Error(`a worker process ${problem} (seeds in progress: ${seeds})`));
      };
      child.on('message', (message: WorkerMessage) => {
        if (message !== 'ready') {
          running.delete(message.seed);
          if (message.violation !== undefined && !range.keepGoing) isStopped = true;
          onReport(message);
          return;
        }
        if (!isStarted) range.onStart?.();
        isStarted = true;
        const seed = nextSeed();
        if (seed !== undefined) running.add(seed);
        const order: WorkerOrder = seed === undefined ? {} : { seed };
        child.send(order);
      });
      child.on('error', (error) => fail(`failed: ${error.message}`));
      child.on('exit', (code, signalName) =>
        code === 0 ? resolve() : fail(`exited with ${code === null ? signalName : `code ${code}`}`),
      );
    });

  const outcomes = await Promise.allSettled(Array.from({ length: range.workers }, runWorker));
  for (const outcome of outcomes) if (outcome.status === 'rejected') throw outcome.reason;
}
