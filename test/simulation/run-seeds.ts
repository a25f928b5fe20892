import { fork } from 'node:child_process';
import { join } from 'node:path';

/** The result of one seed. */
export interface SeedReport {
  readonly seed: number;
  /** The first violated check. */
  readonly violation?: string;
  /** How many external calls were made. */
  readonly calls: number;
  /** How many posts went live at the platforms. */
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
  /** Whether to continue after a failure. */
  readonly keepGoing?: boolean;
}

/**
 * Runs many seeds in parallel processes.
 *
 * @param onReport called with the report of each seed, in no particular order
 * @throws Error if a process exits with a failure
 */
export async function runSeeds(range: SeedRange, onReport: (report: SeedReport) => void): Promise<void> {
  let next = range.from;
  let isStopped = false;
  const end = range.from + range.count;

  const nextOrder = (): WorkerOrder => {
    if (isStopped || next === end) return {};
    next += 1;
    return { seed: next - 1 };
  };

  const runWorker = () =>
    new Promise<void>((resolve, reject) => {
      const child = fork(join(import.meta.dirname, 'worker.ts'), { execArgv: [] });
      child.on('message', (message: WorkerMessage) => {
        if (message === 'ready') {
          child.send(nextOrder());
          return;
        }
        if (message.violation !== undefined && !range.keepGoing) isStopped = true;
        onReport(message);
      });
      child.on('error', reject);
      child.on('exit', (code) =>
        code === 0 ? resolve() : reject(new Error(`a worker process exited with code ${code}`)),
      );
    });

  await Promise.all(Array.from({ length: range.workers }, runWorker));
}
