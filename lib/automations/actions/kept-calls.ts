import type { CallRecord } from '../../platforms/contract/last-call.ts';

/** More than the calls of one turn that matter for its look-ups. */
const latestKept = 20;
/** A look-up distinguishes its message from those sent since the first intent of its turn: rarely more than one. */
const earlierKept = 30;

/**
 * The records to keep: the latest ones, those of earlier calls that may have taken effect, and those with the ids of
 * messages that were sent. A conversation may go on for months, and a refused call is repeated for days. Pure.
 *
 * @returns at most 50 records, in order
 */
export function keptCalls(calls: readonly CallRecord[]): CallRecord[] {
  const earlier = calls.slice(0, -latestKept).filter(matters);
  return [...earlier.slice(-earlierKept), ...calls.slice(-latestKept)];
}

const settledOutcomes: readonly CallRecord['outcome'][] = ['refused', 'absent'];

const matters = ({ outcome, token }: CallRecord): boolean =>
  token['id'] !== undefined || !settledOutcomes.includes(outcome);
