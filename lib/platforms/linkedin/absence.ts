import type { AbsenceRule } from '../contract/last-call.ts';
import { listLookups } from '../shared/find-listed.ts';

/** The time limit of the call that creates a post. Our judgement: LinkedIn documents no limit. */
export const createSeconds = 20;

/**
 * The rule for organizations. Neither rule is `usedOnce`: LinkedIn refuses some duplicates, but does not document the
 * conditions, and the same media may be posted twice.
 */
export const organizationRule: AbsenceRule = {
  ...listLookups,
  callSeconds: createSeconds,
  processingSeconds: 0,
  where: "the organization's posts on LinkedIn",
};

/**
 * The rule for members. No app can read a member's posts (the permission `r_member_social` is closed), so waiting would
 * not help.
 */
export const memberRule: AbsenceRule = {
  callSeconds: createSeconds,
  readLagSeconds: 0,
  lookups: 1,
  gapSeconds: 0,
  processingSeconds: 0,
  where: "the member's posts and activity on LinkedIn",
};
