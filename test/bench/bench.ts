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

/** A benchmark: what `npm run bench` runs by its name. */
export interface Bench {
  readonly name: string;
  /** One line for `--help`. */
  readonly describe: string;
  /** @param progress takes one line now and then, for whoever waits */
  run(progress: (line: string) => void): Promise<readonly BenchTable[]>;
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
