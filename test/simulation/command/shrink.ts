import type { Scenario } from '../simulate.ts';
import { reductions as allReductions, type Reduction } from './reductions.ts';

/** The result of running a version. */
export interface VersionResult {
  readonly violation: string | undefined;
  /** Number of external calls of the run: the length of its story. */
  readonly calls: number;
}

export interface ShrinkOptions {
  readonly maxRuns: number;
  /** If aborted, the smallest version so far is the result. */
  readonly signal?: AbortSignal;
  readonly reductions?: Readonly<Record<string, Reduction>>;
  /** Called before each run with the number of runs so far and the smallest failing version. */
  readonly onRun?: (runs: number, smallest: Scenario) => void;
}

export interface Shrunk {
  readonly scenario: Scenario;
  /** The violation of that scenario. */
  readonly violation: string;
  readonly calls: number;
  readonly runs: number;
  /** True if nothing more can be removed; false if the runs did not suffice. */
  readonly isMinimal: boolean;
}

/**
 * The random seeds of the world that a version gets, as offsets to the best one's. To drop something shifts the random
 * numbers of everything after it, so a version that could fail often does not. All versions get the first seeds before any
 * gets the next, because the seed that failed is the best guess.
 */
const seedOffsets = [[0], range(1, 4), range(5, 24)];

/** Fewer parts are not worth a story that is longer by more than this factor. */
const longerStory = 1.2;

/** Number of other seeds of the world that the smallest version gets at the end, to find a shorter story. */
const seedsForLength = 40;

/**
 * Makes a failing scenario smaller for as long as it still violates the same check: greedy delta debugging (Zeller and
 * Hildebrandt 2002).
 *
 * @param scenario a scenario that fails
 * @param failure what its run led to
 * @param run runs a version; may reject if the version makes no sense
 */
export async function shrink(
  scenario: Scenario,
  failure: VersionResult,
  run: (version: Scenario) => Promise<VersionResult>,
  { maxRuns, signal, reductions = allReductions, onRun }: ShrinkOptions,
): Promise<Shrunk> {
  const wanted = maskedViolation(failure.violation ?? '');
  const tried = new Set<string>([JSON.stringify(scenario)]);
  let best = { scenario, violation: failure.violation ?? '', calls: failure.calls };
  let runs = 0;
  const isOver = () => runs >= maxRuns || signal?.aborted === true;

  /** @returns whether the version fails in the same way, with at most so many calls; it is then the best */
  async function isBetter(version: Scenario, maxCalls = best.calls * longerStory): Promise<boolean> {
    const text = JSON.stringify(version);
    if (isOver() || tried.has(text)) return false;
    tried.add(text);
    onRun?.(runs, best.scenario);
    runs += 1;
    const { violation, calls } = await run(version).catch(() => ({ violation: undefined, calls: 0 }));
    if (violation === undefined || maskedViolation(violation) !== wanted || calls > maxCalls) return false;
    best = { scenario: version, violation, calls };
    return true;
  }

  async function tryVersions(reduction: Reduction, offsets: readonly number[]): Promise<boolean> {
    for (const version of reduction(best.scenario)) {
      for (const offset of offsets) {
        if (await isBetter(withSeed(version, version.world.seed + offset))) return true;
        if (isOver()) return false;
      }
    }
    return false;
  }

  /** @returns whether a reduction succeeded with these seeds */
  async function reduceAll(offsets: readonly number[]): Promise<boolean> {
    let isSmaller = false;
    for (const reduction of Object.values(reductions))
      while (await tryVersions(reduction, offsets)) isSmaller = true;
    return isSmaller;
  }

  for (let level = 0; level < seedOffsets.length && !isOver(); )
    level = (await reduceAll(seedOffsets[level] ?? [])) ? 0 : level + 1;
  const isMinimal = !isOver();
  const smallest = best.scenario;
  for (const offset of range(1, seedsForLength))
    await isBetter(withSeed(smallest, smallest.world.seed + offset), best.calls - 1);
  return { ...best, runs, isMinimal };
}

const withSeed = (scenario: Scenario, seed: number): Scenario => ({
  ...scenario,
  world: { ...scenario.world, seed },
});

/** The whole numbers from `first` to `last`, both included. */
function range(first: number, last: number): number[] {
  return Array.from({ length: last - first + 1 }, (_, index) => first + index);
}

/** A violation without what differs between runs of one bug: ids, numbers, quoted texts, and the stack of an error. */
export function maskedViolation(violation: string): string {
  return violation
    .split('\n', 1)
    .join()
    .replaceAll(/[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}/g, 'ID')
    .replaceAll(/"[^"]*"/g, 'TEXT')
    .replaceAll(/\d+/g, 'N');
}
