import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** The slowest files, slowest first. If one of them started last, it would run alone while the other processor idles. */
const longest = [
  'contract/unknown-outcomes',
  'bugs/planted-bugs',
  'contract/platform.contract',
  'journeys/kill',
  'journeys/restart',
  'journeys/refusals',
  'journeys/benches',
  'journeys/daily-limits',
  'directed/crash-points',
  'journeys/least-privilege',
  'journeys/admin',
  'journeys/document',
  'actions/crash',
  'directed/outages',
  'panel/connecting',
  'developers/deliveries',
  'panel/account',
  'developers/endpoints',
  'developers/keys',
  'settings/members',
];

/** Starts the slowest files first and keeps vitest's order for the others. */
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
