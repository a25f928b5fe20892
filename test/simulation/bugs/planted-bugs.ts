import { scenarioOf } from '../scenario/history.ts';
import type { Scenario } from '../scenario/plan.ts';
import { conversionBugs } from './conversion-bugs.ts';
import { eventBugs } from './event-bugs.ts';
import { knownBugs } from './known-bugs.ts';
import type { PlantedBug } from './planted-bug.ts';
import { threadBugs } from './thread-bugs.ts';
import { typicalBugs } from './typical-bugs.ts';

/** The bugs that the simulation must find, by name. A simulation that does not find them proves nothing. */
export const plantedBugs = {
  ...knownBugs,
  ...typicalBugs,
  ...conversionBugs,
  ...threadBugs,
  ...eventBugs,
};

export type BugName = keyof typeof plantedBugs;
export const bugNames = Object.keys(plantedBugs) as BugName[];

/** The scenario of a seed, narrowed to what the bug needs. */
export function scenarioWith(seed: number, bug: BugName | undefined): Scenario {
  const { narrow = (drawn) => drawn }: Partial<PlantedBug> = bug === undefined ? {} : plantedBugs[bug];
  return narrow(scenarioOf(seed));
}
