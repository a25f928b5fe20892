import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

export interface Database {
  readonly connection: DatabaseSync;
  /** Runs the steps as one transaction; a thrown error undoes them all. */
  transaction<T>(steps: () => T): T;
  close(): void;
}

/**
 * Opens an engine's file, made with its schema when missing. A write that returned survives the death of this
 * process: the write-ahead log is with the kernel by then, which suffices short of a power cut.
 *
 * @param schema statements that can run again over a file that has them.
 */
export function openDatabase(file: string, schema: string): Database {
  mkdirSync(dirname(file), { recursive: true });
  const connection = new DatabaseSync(file);
  connection.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA busy_timeout = 2000;');
  connection.exec(schema);
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
