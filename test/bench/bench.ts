import type { TestCloud, TestCloudOptions } from '../support/local-cloud.ts';

/** One column's cells are all texts; a bound that is missed says so in its row and counts for the whole run. */
export interface BenchTable {
  readonly title: string;
  readonly columns: readonly string[];
  readonly rows: readonly (readonly string[])[];
  /** How the figures were made, and what they cannot tell. */
  readonly notes: readonly string[];
  readonly bounds: BoundCount;
}

export interface BoundCount {
  readonly met: number;
  readonly missed: number;
}

/** What a bench works with. `npm run bench` and the test that runs every bench once give their own. */
export interface Surroundings {
  /** Takes one line now and then, for whoever waits. */
  readonly progress: (line: string) => void;
  /** @returns the folder of the synthesized service */
  readonly assembly: () => Promise<string>;
  /** Runs the service on a local cloud while something is measured. */
  readonly withCloud: <Result>(
    options: CloudOptions,
    measure: (cloud: TestCloud) => Promise<Result>,
  ) => Promise<Result>;
}

export type CloudOptions = Pick<TestCloudOptions, 'jitter' | 'observer'>;

/** `smallest` is for the tests: it shows that the bench works, and its figures mean nothing. */
export type SizeName = 'full' | 'smallest';

/** A benchmark: what `npm run bench` runs by its name. */
export interface Bench {
  readonly name: string;
  /** One line for `--help`. */
  readonly describe: string;
  /** The only system that it runs on; absent: any. */
  readonly system?: NodeJS.Platform;
  /** @param size default: full */
  run(around: Surroundings, size?: SizeName): Promise<readonly BenchTable[]>;
}

/** Makes a bench of what it measures and how much of it. */
export function defineBench<Size>({
  sizes,
  measure,
  ...rest
}: Omit<Bench, 'run'> & {
  readonly sizes: Readonly<Record<SizeName, Size>>;
  measure(size: Size, around: Surroundings): Promise<readonly BenchTable[]>;
}): Bench {
  return { ...rest, run: (around, size = 'full') => measure(sizes[size], around) };
}

/** The cell that says whether a bound is met; empty where there is none. */
export function verdict(isMet: boolean | undefined): string {
  if (isMet === undefined) return '';
  return isMet ? 'yes' : 'NO';
}

export function countBounds(verdicts: readonly (boolean | undefined)[]): BoundCount {
  return {
    met: verdicts.filter((isMet) => isMet === true).length,
    missed: verdicts.filter((isMet) => isMet === false).length,
  };
}

/** The middle value; of an even number the lower of the two. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((left, right) => left - right);
  const middle = sorted[Math.floor((sorted.length - 1) / 2)];
  if (middle === undefined) throw new Error('the median of nothing');
  return middle;
}
