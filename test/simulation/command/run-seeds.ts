import { fork } from 'node:child_process';
import { join } from 'node:path';
import type { RunCommand } from './arguments.ts';
import { unenteredLines } from './coverage.ts';
import { counted, durationText, grouped, type Print, progressPrinter } from './progress.ts';
import { bugArgument, openScenario } from './scenario.ts';
import { shrinkAndSave } from './shrink.ts';

/** The result of one seed. */
export interface SeedReport {
  readonly seed: number;
  /** The first violated check. */
  readonly violation?: string | undefined;
  /** Number of external calls. */
  readonly calls: number;
  /** Number of posts that went live at the platforms. */
  readonly live: number;
}

/** The last report of a process: the files of `lib` that its seeds have not entered. */
export interface EntryReport {
  readonly unentered: readonly string[];
}

/** Sums of the seeds that are done. */
export interface Sums {
  readonly done: number;
  readonly live: number;
  readonly calls: number;
  /** The seeds that failed, in the order of their reports. */
  readonly failing: readonly number[];
}

/**
 * Runs seeds in parallel processes, shows progress, and shrinks the first failure.
 *
 * @returns true if no check failed
 * @throws Error if a process fails
 */
export async function runSeeds(command: RunCommand, print: Print): Promise<boolean> {
  const { from, count, workers, keepGoing, bug } = command;
  const showProgress = progressPrinter(print);
  const startMs = performance.now();
  const elapsedMs = () => performance.now() - startMs;
  let sums: Sums = { done: 0, live: 0, calls: 0, failing: [] };
  const unentered: (readonly string[])[] = [];
  let next = from;

  const nextSeed = (): number | undefined => {
    if (next === from + count || (sums.failing.length > 0 && !keepGoing)) return undefined;
    next += 1;
    return next - 1;
  };
  const note = ({ seed, violation, calls, live }: SeedReport): void => {
    const failing = violation === undefined ? sums.failing : [...sums.failing, seed];
    sums = { done: sums.done + 1, live: sums.live + live, calls: sums.calls + calls, failing };
    showProgress(() => progressText(sums, count, elapsedMs()));
    if (violation === undefined) return;
    print(`seed ${seed}: ${violation}`);
    print(`see it with: npm run simulate -- --replay ${seed}${bugArgument(bug)}`);
  };

  const processes = Math.min(workers, count);
  const planted = bug === undefined ? '' : `, with a planted bug: ${bug}`;
  print(`${counted(count, 'seed')} from ${from}, in ${counted(processes, 'process', 'processes')}${planted}`);
  try {
    await runProcesses(processes, bug, nextSeed, (report) => {
      if ('seed' in report) note(report);
      else unentered.push(report.unentered);
    });
  } finally {
    print(`${shareText(sums, count)} in ${durationText(elapsedMs())}: ${sumsText(sums)}`);
    if (sums.failing.length > 0) print(`failing seeds: ${sums.failing.join(', ')}`);
  }
  if (sums.failing.length === 0) for (const line of unenteredLines(unentered)) print(line);
  const [first] = sums.failing;
  if (first !== undefined && command.shrinks) {
    const failsAgain = await shrinkAndSave(openScenario({ seed: first }, bug), command.directory, print);
    if (!failsAgain) print(`seed ${first} failed before: the simulation is not deterministic`);
  }
  return first === undefined;
}

/** Keeps processes busy until there is no next seed. @throws Error if one fails; the others then end in order */
async function runProcesses(
  processes: number,
  bug: string | undefined,
  nextSeed: () => number | undefined,
  note: (report: SeedReport | EntryReport) => void,
): Promise<void> {
  let hasFailed = false;
  const work = () =>
    new Promise<void>((resolve, reject) => {
      const child = fork(join(import.meta.dirname, 'worker.ts'), bug === undefined ? [] : [bug], {
        // Types are stripped from sources to see whether they have functions.
        execArgv: ['--disable-warning=ExperimentalWarning'],
      });
      let seed: number | undefined;
      const proceed = () => {
        seed = hasFailed ? undefined : nextSeed();
        child.send(seed ?? 'end');
      };
      const fail = (problem: string) => {
        hasFailed = true;
        reject(new Error(`a process ${problem} (seed in progress: ${seed ?? 'none'})`));
      };
      child.on('message', (report: SeedReport | EntryReport) => {
        note(report);
        if ('seed' in report) proceed();
        else child.disconnect();
      });
      child.on('error', (error) => fail(`failed: ${error.message}`));
      child.on('exit', (code, signal) =>
        code === 0 && seed === undefined ? resolve() : fail(`ended with ${signal ?? `code ${code}`}`),
      );
      proceed();
    });
  const outcomes = await Promise.allSettled(Array.from({ length: processes }, work));
  for (const outcome of outcomes) if (outcome.status === 'rejected') throw outcome.reason;
}

/** One line that says how far a run is, and how long it will take. */
export function progressText(sums: Sums, count: number, elapsedMs: number): string {
  const percent = Math.floor((100 * sums.done) / count);
  const leftMs = (elapsedMs / sums.done) * (count - sums.done);
  return `${shareText(sums, count)} (${percent} %), ${durationText(leftMs)} left, ${sumsText(sums)}`;
}

const shareText = ({ done }: Sums, count: number): string => `${grouped(done)} of ${grouped(count)} seeds`;

const sumsText = ({ live, calls, failing }: Sums): string =>
  [counted(live, 'live post'), counted(calls, 'external call'), counted(failing.length, 'failure')].join(
    ', ',
  );
