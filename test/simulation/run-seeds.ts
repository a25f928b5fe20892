import { fork } from 'node:child_process';
import { join } from 'node:path';

/** What became of one seed. */
export interface SeedReport {
  readonly seed: number;
  /** What must never be, and was. */
  readonly violation?: string;
  /** How many outside calls were made. */
  readonly calls: number;
  /** How much went live at the platforms. */
  readonly live: number;
}

/** What a worker process tells: that it could run a seed, or what became of one. */
export type WorkerMessage = SeedReport | 'ready';

/** The next seed for it; none when there is nothing left to do. */
export interface WorkerOrder {
  readonly seed?: number;
}

export interface SeedRange {
  readonly from: number;
  readonly count: number;
  /** Processes side by side: one for each core. */
  readonly workers: number;
  /** Goes on after a failure. */
  readonly keepGoing?: boolean;
}

/**
 * Runs many seeds over a number of processes.
 *
 * @param onReport hears of each seed as it is done, in no order
 * @throws Error where a process ends by itself
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
      child.on('exit', (code) => (code === 0 ? resolve() : reject(new Error(`a worker ended with ${code}`))));
    });

  await Promise.all(Array.from({ length: range.workers }, runWorker));
}
