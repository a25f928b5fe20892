import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

export interface Database {
  readonly connection: DatabaseSync;
  /** Runs the steps in one transaction, which is rolled back if they throw. Nested calls join the outer transaction. */
  transaction<T>(steps: () => T): T;
  close(): void;
}

/**
 * Opens an engine's SQLite file and creates it if it is missing. A completed write survives a kill of this process,
 * because the kernel already has the write-ahead log; a power failure may lose it.
 *
 * @param schema idempotent statements: they run each time the file is opened.
 * @throws Error that names the file and the remedy if it is damaged or cannot be written
 */
export function openDatabase(file: string, schema: string): Database {
  mkdirSync(dirname(file), { recursive: true });
  const connection = connect(file, schema);
  return {
    connection,
    transaction(steps) {
      if (connection.isTransaction) return steps();
      connection.exec('BEGIN IMMEDIATE');
      try {
        const result = steps();
        connection.exec('COMMIT');
        return result;
      } catch (error) {
        connection.exec('ROLLBACK');
        throw error;
      }
    },
    close: () => connection.close(),
  };
}

function connect(file: string, schema: string): DatabaseSync {
  let connection: DatabaseSync | undefined;
  try {
    connection = new DatabaseSync(file);
    connection.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA busy_timeout = 2000;');
    connection.exec(schema);
    return connection;
  } catch (error) {
    connection?.close();
    throw unusableFile(file, error instanceof Error ? error.message : String(error));
  }
}

/** Returns the error for a data file that is damaged or cannot be written. @param why the reason in a few words */
export function unusableFile(file: string, why: string): Error {
  return new Error(
    `${file} cannot be used (${why}): restore it, or delete the whole data directory to start from scratch`,
  );
}
