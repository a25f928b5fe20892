import type { TestCloud, TestCloudOptions } from '../support/local-cloud.ts';

/** A table of figures. A missed bound is marked in its row and makes the whole run fail. */
export interface BenchTable {
  readonly title: string;
  readonly columns: readonly string[];
  readonly rows: readonly (readonly string[])[];
  /** The method of measurement, and the limits of what the figures show. */
  readonly notes: readonly string[];
  readonly bounds: BoundCount;
}

export interface BoundCount {
  readonly met: number;
  readonly missed: number;
}

/** The environment of a bench. `npm run bench` and the test of all benches each pass their own. */
export interface BenchContext {
  /** Receives an occasional line about the progress. */
  readonly progress: (line: string) => void;
  /** Returns the folder of the synthesized service. */
  readonly assembly: () => Promise<string>;
  /** Runs the service on a local cloud during a measurement. */
  readonly withCloud: <Result>(
    options: CloudOptions,
    measure: (cloud: TestCloud) => Promise<Result>,
  ) => Promise<Result>;
}

export type CloudOptions = Pick<
  TestCloudOptions,
  'jitter' | 'observer' | 'dailyLimits' | 'retentionDays' | 'sharesProcessor' | 'memoryMegabytes'
>;

/** The tests run the `smallest` size, which shows that the bench works; its figures mean nothing. */
export type SizeName = 'full' | 'smallest';

/** A benchmark that `npm run bench` runs by its name. */
export interface Bench {
  readonly name: string;
  /** One line for `--help`. */
  readonly describe: string;
  /** The only operating system that it runs on; absent: any. */
  readonly system?: NodeJS.Platform;
  /** @param size default: `full` */
  run(around: BenchContext, size?: SizeName): Promise<readonly BenchTable[]>;
}

/** Defines a bench by its sizes and its measurement. */
export function defineBench<Size>({
  sizes,
  measure,
  ...rest
}: Omit<Bench, 'run'> & {
  readonly sizes: Readonly<Record<SizeName, Size>>;
  measure(size: Size, around: BenchContext): Promise<readonly BenchTable[]>;
}): Bench {
  return { ...rest, run: (around, size = 'full') => measure(sizes[size], around) };
}

/** The cell that says whether a bound is met; empty if there is no bound. */
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

/**
 * Returns the middle value, or the lower of the two middle values.
 *
 * @throws Error if there are no values
 */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((left, right) => left - right);
  const middle = sorted[Math.floor((sorted.length - 1) / 2)];
  if (middle === undefined) throw new Error('cannot take the median of no values');
  return middle;
}
