/** How far each consumer has come in each stream, kept over restarts. */

import { openDatabase } from '../database.ts';

export interface StreamPositions {
  /** The last record done with; undefined at the beginning, and after the table was made anew. */
  get(engineStreamArn: string, consumerName: string): string | undefined;
  set(engineStreamArn: string, consumerName: string, sequenceNumber: string): void;
  /** What every consumer is done with; undefined before there was one. */
  lowest(engineStreamArn: string): bigint | undefined;
  close(): void;
}

/** Under the engine's ARN, whose label changes with the table: numbers of a table that is gone mean nothing. */
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
