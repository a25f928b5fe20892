import type { Narrow } from './worlds.ts';

/** A change of one place in the service's source. */
export interface Patch {
  /** The path of the file in the repository. */
  readonly file: string;
  /** The text to replace. The file contains it exactly once. */
  readonly replace: string;
  readonly with: string;
}

/** A bug that the simulation must find. */
export interface PlantedBug {
  readonly patches: readonly Patch[];
  /** The judge's expected finding. */
  readonly finding: RegExp;
  /** A seed that finds it, and that passes without it. */
  readonly seed: number;
  /** Narrows the scenario of the seed to what the bug needs. */
  readonly narrow?: Narrow;
}

/** A bug that a named test must find: random histories reach it too rarely, or never. */
export interface TestedBug {
  readonly patches: readonly Patch[];
  /** The path of the test's file, and its name. */
  readonly caughtBy: readonly [file: string, test: string];
}
