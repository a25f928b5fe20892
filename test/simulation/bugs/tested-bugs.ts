import type { Patch, TestedBug } from './planted-bug.ts';
import { automationBugs } from './tested/automation-bugs.ts';
import { deliveryBugs } from './tested/delivery-bugs.ts';
import { erasureBugs } from './tested/erasure-bugs.ts';
import { fileBugs } from './tested/file-bugs.ts';
import { postBugs } from './tested/post-bugs.ts';
import { removalBugs } from './tested/removal-bugs.ts';
import { slotBugs } from './tested/slot-bugs.ts';
import { tokenBugs } from './tested/token-bugs.ts';

/** The bugs that a named test must find, by name. */
export const testedBugs: Readonly<Record<string, TestedBug>> = {
  ...postBugs,
  ...removalBugs,
  ...slotBugs,
  ...deliveryBugs,
  ...automationBugs,
  ...tokenBugs,
  ...fileBugs,
  ...erasureBugs,
};

export const testedBugNames: readonly string[] = Object.keys(testedBugs);

/** The environment variable that names the bug to plant in a run of the unit tests. */
export const bugVariable = 'PLANTED_BUG';

/** Returns the patches of a bug. @throws Error if there is no such bug */
export function patchesNamed(name: string): readonly Patch[] {
  const bug = testedBugs[name];
  if (bug === undefined) throw new Error(`there is no planted bug "${name}"`);
  return bug.patches;
}
