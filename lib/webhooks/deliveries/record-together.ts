import type { Table } from '../../table/table.ts';
import type { Delivery } from '../schemas.ts';
import { type AttemptRecord, recordAttempts } from './store.ts';

/** Records an attempt: see `recordAttempt`. */
export type RecordOne = (record: AttemptRecord) => Promise<Delivery | undefined>;

interface Waiting {
  readonly record: AttemptRecord;
  readonly settle: (recording: Promise<Delivery | undefined>) => void;
}

/**
 * Creates a function that records the attempts of a batch in few requests: the first immediately, and while a request is
 * on its way, those that end meanwhile wait for the next one together. So no attempt waits for a slower receiver.
 */
export function recordTogether(table: Table): RecordOne {
  let waiting: Waiting[] = [];
  let isRecording = false;

  async function recordWaiting(): Promise<void> {
    isRecording = true;
    while (waiting.length > 0) {
      const together = waiting;
      waiting = [];
      const recording = recordAttempts(
        table,
        together.map(({ record }) => record),
      );
      for (const [index, { settle }] of together.entries()) settle(recording.then((after) => after[index]));
      await recording.catch(() => {});
    }
    isRecording = false;
  }

  return (record) =>
    new Promise((settle) => {
      waiting.push({ record, settle });
      if (!isRecording) void recordWaiting();
    });
}
