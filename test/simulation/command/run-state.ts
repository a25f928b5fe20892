import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import * as z from 'zod';
import { bugNames } from '../bugs/planted-bugs.ts';
import { UsageError } from './arguments.ts';
import type { SeedReport } from './run-seeds.ts';

const RunState = z.strictObject({
  /** Identifies the code under test. A run of other code must not continue this one. */
  fingerprint: z.string(),
  from: z.int(),
  count: z.int(),
  bug: z.enum(bugNames).optional(),
  /** The seeds that are done, as sorted ranges with a gap between any two: [first, last], both included. */
  done: z.array(z.tuple([z.int(), z.int()])),
  live: z.int(),
  calls: z.int(),
  failures: z.array(z.object({ seed: z.int(), violation: z.string() })),
  /** Working time of the run, without the time between an interruption and `--resume`. */
  workedMs: z.number(),
});
/** The progress of a long run. */
export type RunState = z.infer<typeof RunState>;

export function newRunState(run: Pick<RunState, 'fingerprint' | 'from' | 'count' | 'bug'>): RunState {
  return { ...run, done: [], live: 0, calls: 0, failures: [], workedMs: 0 };
}

/** Adds the report of a seed. Reports may come in any order; a second report of the same seed changes nothing. */
export function addReport(state: RunState, { seed, violation, calls, live }: SeedReport): RunState {
  if (isDone(state, seed)) return state;
  return {
    ...state,
    done: withSeed(state.done, seed),
    live: state.live + live,
    calls: state.calls + calls,
    failures: violation === undefined ? state.failures : [...state.failures, { seed, violation }],
  };
}

export function isDone({ done }: Pick<RunState, 'done'>, seed: number): boolean {
  return done.some(([first, last]) => first <= seed && seed <= last);
}

export function doneCount({ done }: Pick<RunState, 'done'>): number {
  return done.reduce((sum, [first, last]) => sum + last - first + 1, 0);
}

function withSeed(ranges: RunState['done'], seed: number): RunState['done'] {
  const joins = ([first, last]: readonly [number, number]) => first <= seed + 1 && seed - 1 <= last;
  const joined = ranges.filter(joins).flat();
  const others = ranges.filter((range) => !joins(range));
  const range: [number, number] = [Math.min(seed, ...joined), Math.max(seed, ...joined)];
  return [...others, range].sort(([left], [right]) => left - right);
}

/**
 * Decides whether the saved run can be continued.
 *
 * @param saved the state that was saved; undefined if there is none
 * @param fingerprint that of the code as it is now
 * @returns the state to continue from, or why that is refused and what to do
 */
export function resumable(
  saved: RunState | undefined,
  fingerprint: string,
): { readonly state: RunState } | { readonly refused: string } {
  if (!saved) return { refused: 'There is no run to resume. Start one without --resume.' };
  if (saved.fingerprint === fingerprint) return { state: saved };
  const seeds = `--seeds ${saved.count}${saved.from === 1 ? '' : ` --from ${saved.from}`}`;
  return {
    refused:
      `The code under test has changed since the run was interrupted, so the ${doneCount(saved)} seeds that are done ` +
      `say nothing about it. Start again with: npm run simulate -- ${seeds}\n` +
      'To continue the old run, check out the code as it was, and use --resume there.',
  };
}

const fileIn = (directory: string) => join(directory, 'run.json');

/** Saves the state. Replaces the file in one step, so that a crash leaves the old or the new one. */
export function saveState(directory: string, state: RunState): void {
  const file = fileIn(directory);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(`${file}.new`, JSON.stringify(state));
  renameSync(`${file}.new`, file);
}

/**
 * @returns the saved state; undefined if there is none
 * @throws UsageError if the file is not a saved state
 */
export function loadState(directory: string): RunState | undefined {
  const file = fileIn(directory);
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
  try {
    return RunState.parse(JSON.parse(text));
  } catch {
    throw new UsageError(`${file} is not the state of a run. Delete it, and start without --resume.`);
  }
}

export function removeState(directory: string): void {
  rmSync(fileIn(directory), { force: true });
}
