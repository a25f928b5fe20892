import type { Reporter, TestModule } from 'vitest/node';
import { calibrate } from './calibration.ts';
import { cpuSeconds } from './cpu-seconds.ts';

/** Bound in calibrated seconds. A file of unit tests above it is reported. */
const boundSeconds = 5;
/**
 * The run fails if a file takes this many times the bound. The same tests take up to twice the CPU time on a busy machine, whose
 * caches others use, and a run must not fail for that.
 */
const failingFactor = 4;
const listedFiles = 10;

export interface FileCost {
  readonly path: string;
  /** True if the file has a bound. */
  readonly isBounded: boolean;
  readonly seconds: number;
}

/**
 * Returns the lines about the cost of a run. `isTooExpensive` is true if the run must fail.
 *
 * @param costs CPU seconds by file
 * @param secondsPerCalibrated this machine's CPU seconds in one calibrated second
 */
export function judgeCosts(
  costs: readonly FileCost[],
  secondsPerCalibrated: number,
): { readonly lines: readonly string[]; readonly isTooExpensive: boolean } {
  const byCost = costs.toSorted((one, other) => other.seconds - one.seconds);
  const calibrated = ({ seconds }: FileCost) => seconds / secondsPerCalibrated;
  const over = byCost.filter((cost) => cost.isBounded && calibrated(cost) > boundSeconds);
  const tooExpensive = over.filter((cost) => calibrated(cost) > failingFactor * boundSeconds);
  const bound = (factor: number) =>
    `${factor * boundSeconds} calibrated CPU seconds (${(factor * boundSeconds * secondsPerCalibrated).toFixed(1)} on this machine)`;
  return {
    lines: [
      'The most expensive test files, in CPU seconds:',
      ...byCost
        .slice(0, listedFiles)
        .map(({ path, seconds }) => `${seconds.toFixed(1).padStart(7)}  ${path}`),
      ...over
        .filter((cost) => !tooExpensive.includes(cost))
        .map(({ path }) => `${path} is above ${bound(1)}: make it cheaper before it grows.`),
      ...tooExpensive.map(
        ({ path }) =>
          `${path} is above ${bound(failingFactor)}, so the run fails: make it cheaper, or move what is slow to test/deep.`,
      ),
    ],
    isTooExpensive: tooExpensive.length > 0,
  };
}

/** Prints the CPU seconds of the run, and fails it if a file of unit tests is far too expensive. */
export class CpuReport implements Reporter {
  readonly #secondsPerCalibratedAtStart = calibrate();
  readonly #boundedProject: string | undefined;

  /** @param options.boundedProject the project whose files have a bound; default: none */
  constructor({ boundedProject }: { readonly boundedProject?: string } = {}) {
    this.#boundedProject = boundedProject;
  }

  onTestRunEnd(modules: readonly TestModule[]): void {
    const costs = modules.flatMap((module) => {
      const { cpuSeconds: seconds } = module.meta();
      if (seconds === undefined) return [];
      return {
        path: module.relativeModuleId,
        isBounded: module.project.name === this.#boundedProject,
        seconds,
      };
    });
    // The machine may have become busier, or quieter.
    const secondsPerCalibrated = Math.max(this.#secondsPerCalibratedAtStart, calibrate());
    const { lines, isTooExpensive } = judgeCosts(costs, secondsPerCalibrated);
    for (const line of lines) console.log(line);
    console.log(`All tests together took ${Math.round(cpuSeconds(process.pid))} CPU seconds.`);
    if (isTooExpensive) process.exitCode = 1;
  }
}
