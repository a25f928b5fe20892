import type { AbsenceRule } from '../contract/last-call.ts';
import { listLookups } from '../shared/find-listed.ts';

/**
 * The rule for giving up on a call that creates a Pin. Pinterest detects no duplicates, so the call is never repeated.
 * Pinterest says that a list "may lag", but gives no time.
 */
export const pinAbsence: AbsenceRule = {
  ...listLookups,
  // Our judgement: Pinterest downloads up to five images before it responds.
  callSeconds: 45,
  processingSeconds: 0,
  where: 'the board on Pinterest',
};
