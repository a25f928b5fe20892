import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** The files that take longest, longest first: begun last, one of them would run on alone while a processor idles. */
const longest = [
  'simulation/crash-points',
  'journeys/kill',
  'contract/platform.contract',
  'simulation/seeds',
  'functions/api/hostile-bodies',
  'journeys/restart',
  'journeys/bad-input',
  'journeys/least-privilege',
  'automations/crash',
];

/** Begins the longest files first and leaves the others in the order that vitest gives them. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    return sorted.toSorted((left, right) => rank(left) - rank(right));
  }
}

function rank({ moduleId }: TestSpecification): number {
  const index = longest.findIndex((name) => moduleId.endsWith(`/${name}.test.ts`));
  return index < 0 ? longest.length : index;
}
