import type { AbsenceRule } from '../contract/last-call.ts';

/**
 * When the engine gives up on a call that creates a Pin. Pinterest detects no duplicates, so the call is never repeated.
 * All numbers are our judgement: Pinterest documents no times, and says only that a list "may lag".
 */
export const pinAbsence: AbsenceRule = {
  // Pinterest downloads up to five images before it responds.
  callSeconds: 45,
  readLagSeconds: 120,
  lookups: 3,
  gapSeconds: 60,
  processingSeconds: 0,
  where: 'the board on Pinterest',
};
