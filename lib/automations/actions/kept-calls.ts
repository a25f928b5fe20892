import type { CallRecord } from '../../platforms/contract/last-call.ts';

/** The number of latest records to keep: more than one turn has calls that matter for its lookups. */
const latestKept = 20;
/**
 * The number of earlier records to keep. A lookup distinguishes its message from those sent since the first intent of its turn,
 * which is rarely more than one.
 */
const earlierKept = 30;

/**
 * Returns the records to keep: the latest ones, those of earlier calls that may have taken effect, and those with the ids of sent
 * messages. A conversation may go on for months, and a refused call is repeated for days. Pure.
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
