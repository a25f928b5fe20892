/** Stores each consumer's position in each stream. */

import { openDatabase } from '../database.ts';

export interface StreamPositions {
  /** Returns the last committed sequence number; undefined if there is none, even after the table was recreated. */
  get(engineStreamArn: string, consumerName: string): string | undefined;
  set(engineStreamArn: string, consumerName: string, sequenceNumber: string): void;
  /** Returns the lowest committed sequence number of all consumers; undefined if none has committed. */
  lowest(engineStreamArn: string): bigint | undefined;
  close(): void;
}

/** Keyed by the engine's ARN, which changes when a table is recreated: old sequence numbers are then invalid. */
const schema = `
  CREATE TABLE IF NOT EXISTS positions (
    stream_arn TEXT NOT NULL,
    consumer TEXT NOT NULL,
    sequence_number TEXT NOT NULL,
    PRIMARY KEY (stream_arn, consumer)
  ) STRICT, WITHOUT ROWID;
`;

export function openStreamPositions(file: string): StreamPositions {
  const { connection, close } = openDatabase(file, schema);
  const get = connection.prepare(
    'SELECT sequence_number FROM positions WHERE stream_arn = ? AND consumer = ?',
  );
  const set = connection.prepare(`
    INSERT INTO positions (stream_arn, consumer, sequence_number) VALUES (?, ?, ?)
    ON CONFLICT DO UPDATE SET sequence_number = excluded.sequence_number`);
  const all = connection.prepare('SELECT sequence_number FROM positions WHERE stream_arn = ?');
  return {
    lowest(streamArn) {
      const numbers = all.all(streamArn).map((row) => BigInt(String(row['sequence_number'])));
      return numbers.sort((one, other) => (one < other ? -1 : 1))[0];
    },
    get(streamArn, consumer) {
      const position = get.get(streamArn, consumer)?.['sequence_number'];
      return typeof position === 'string' ? position : undefined;
    },
    set: (streamArn, consumer, sequenceNumber) => void set.run(streamArn, consumer, sequenceNumber),
    close,
  };
}
