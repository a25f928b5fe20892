import type { Prepare } from './statements.ts';

/** A record at an earlier time. */
export interface PastValue {
  /** JSON; null if the record did not exist. */
  readonly value: string | null;
  /** The record's position in its list. */
  readonly position: number;
}

/** The former values of replicated records, so that reads can lag behind writes. */
export interface History {
  /** True if changes are recorded. Initially false: a simulator whose reads do not lag needs no history. */
  isKept: boolean;
  /** Forgets all changes so far. */
  clear(): void;
  /** Records the value that a write is about to replace, and the time. */
  note(kind: string, id: string, replacedAtMs: number): void;
  /** Returns the values, just before a time, of all records of a kind that changed at or after that time, by id. */
  valuesAt(kind: string, timeMs: number): Map<string, PastValue>;
}

/** The table of former values. */
export const historySchema = `
  CREATE TABLE IF NOT EXISTS past (
    number INTEGER PRIMARY KEY AUTOINCREMENT, kind TEXT NOT NULL, id TEXT NOT NULL, until INTEGER NOT NULL,
    value TEXT, position INTEGER NOT NULL
  ) STRICT;
  CREATE INDEX IF NOT EXISTS past_by_kind ON past (kind, until);
`;

const noteChange = `INSERT INTO past (kind, id, until, value, position) VALUES (?1, ?2, ?3,
  (SELECT value FROM record WHERE kind = ?1 AND id = ?2),
  coalesce((SELECT position FROM record WHERE kind = ?1 AND id = ?2), 0))`;
const listChanges = 'SELECT id, value, position FROM past WHERE kind = ? AND until >= ? ORDER BY number DESC';

export function openHistory(prepare: Prepare): History {
  return {
    isKept: false,
    clear: () => void prepare('DELETE FROM past').run(),
    note: (kind, id, replacedAtMs) => void prepare(noteChange).run(kind, id, replacedAtMs),
    valuesAt(kind, timeMs) {
      const values = new Map<string, PastValue>();
      // Latest change first, so that the earliest one overwrites the others.
      for (const { id, value, position } of prepare(listChanges).all(kind, timeMs)) {
        values.set(String(id), {
          value: value === null ? null : String(value),
          position: Number(position),
        });
      }
      return values;
    },
  };
}
