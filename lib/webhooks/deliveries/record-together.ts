import { type Turn, together } from '../../kernel/together.ts';
import type { Table } from '../../table/table.ts';
import type { Delivery } from '../schemas.ts';
import { type AttemptRecord, recordAttempts } from './store.ts';

/** Records an attempt: see `recordAttempt`. */
export type RecordOne = (record: AttemptRecord) => Promise<Delivery | undefined>;

/** The time to collect attempts: enough for the responses of a receiver that responds to a whole batch at once. */
const joinMs = 5;

/**
 * Returns a function that records the attempts of a batch in few requests: attempts that end within a moment share one. No
 * attempt waits for a slower receiver.
 *
 * @param turn ends that moment; by default `joinMs`
 */
export function recordTogether(table: Table, turn: Turn = (task) => setTimeout(task, joinMs)): RecordOne {
  return together((records: readonly AttemptRecord[]) => recordAttempts(table, records), turn);
}
