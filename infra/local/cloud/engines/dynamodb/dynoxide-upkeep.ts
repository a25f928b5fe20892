/** Maintenance of dynoxide's database file: dynoxide 1.2 lacks an index and never deletes stream records. */

import { openDatabase } from '../database.ts';

export interface ReadStream {
  readonly tableName: string;
  /** The sequence number up to which every consumer has committed. */
  readonly doneThrough: bigint;
}

/**
 * Adds an index on the stream records. Without it each write scans all of them: with 15,000 records a write takes 4 ms
 * instead of 0.5 ms. Then deletes committed records that are more than a day old, as DynamoDB does. The newest record
 * of a table stays, because dynoxide derives the next sequence number from it.
 *
 * @param nowMs real time in epoch milliseconds, because dynoxide dates its records with it.
 */
export function maintainStreamRecords(file: string, streams: readonly ReadStream[], nowMs: number): void {
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
