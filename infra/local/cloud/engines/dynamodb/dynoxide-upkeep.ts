/** Two things that dynoxide 1.2 leaves to do in its own file. */

import { openDatabase } from '../database.ts';

export interface ReadStream {
  readonly tableName: string;
  /** The last record that every consumer is done with. */
  readonly doneThrough: bigint;
}

/**
 * Gives the stream records the index that dynoxide's statements over them lack: without it each write looks
 * through all records so far, and at 15,000 of them a write takes 4 ms instead of 0.5. Then drops what was read
 * more than a day ago, as DynamoDB does, since dynoxide keeps records for ever; the newest of a table stays,
 * because its number is the one that dynoxide counts on from.
 *
 * @param nowMs real time, by which dynoxide dates its records.
 */
export function tendStreamRecords(file: string, streams: readonly ReadStream[], nowMs: number): void {
  const { connection, close } = openDatabase(
    file,
    'CREATE INDEX IF NOT EXISTS stream_records_by_number ON _stream_records (table_name, CAST(sequence_number AS INTEGER))',
  );
  const trim = connection.prepare(`
    DELETE FROM _stream_records
    WHERE table_name = :tableName AND CAST(sequence_number AS INTEGER) <= :doneThrough AND created_at < :before
      AND id < (SELECT max(id) FROM _stream_records WHERE table_name = :tableName)`);
  const before = Math.floor(nowMs / 1000) - 24 * 60 * 60;
  for (const { tableName, doneThrough } of streams) trim.run({ tableName, doneThrough, before });
  close();
}
