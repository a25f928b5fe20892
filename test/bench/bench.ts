/** A table of figures. A missed bound is marked in its row and makes the whole run fail. */
export interface BenchTable {
  readonly title: string;
  readonly columns: readonly string[];
  readonly rows: readonly (readonly string[])[];
  /** How the figures were measured, and what they do not show. */
  readonly notes: readonly string[];
  readonly bounds: BoundCount;
}

export interface BoundCount {
  readonly met: number;
  readonly missed: number;
}

/** A benchmark that `npm run bench` runs by its name. */
export interface Bench {
  readonly name: string;
  /** One line for `--help`. */
  readonly describe: string;
  /** @param progress receives an occasional line about the progress */
  run(progress: (line: string) => void): Promise<readonly BenchTable[]>;
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
