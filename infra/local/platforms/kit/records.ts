import type { SQLInputValue } from 'node:sqlite';
import type { PastValue } from './history.ts';
import type { Prepare } from './statements.ts';

/** The values that records of one kind are looked up by, in addition to their id. */
export interface RecordIndex {
  readonly owner: string;
  /** Epoch milliseconds. */
  readonly at: number;
}

/** Makes an index function from the names of the two fields that contain the owner and the time. */
export function indexBy<Owner extends string, At extends string>(owner: Owner, at: At) {
  return (value: Readonly<Record<Owner, string>> & Readonly<Record<At, number>>): RecordIndex => ({
    owner: value[owner],
    at: value[at],
  });
}

export interface RecordQuery {
  readonly owner?: string;
  /** Epoch milliseconds, inclusive. */
  readonly since?: number;
  readonly newestFirst?: boolean;
  readonly limit?: number;
}

/** A collection of JSON documents of one kind. */
export interface Records<T> {
  get(id: string): T | undefined;
  put(id: string, value: T): void;
  delete(id: string): void;
  /** Lists the records, sorted by the index's time, oldest first unless `newestFirst`. */
  list(query?: RecordQuery): T[];
  count(query?: RecordQuery): number;
}

/** The table of all records. */
export const recordSchema = `
  CREATE TABLE IF NOT EXISTS record (
    kind TEXT NOT NULL, id TEXT NOT NULL, owner TEXT NOT NULL, at INTEGER NOT NULL, value TEXT NOT NULL,
    position INTEGER PRIMARY KEY AUTOINCREMENT, UNIQUE (kind, id)
  ) STRICT;
  CREATE INDEX IF NOT EXISTS record_by_owner ON record (kind, owner, at);
`;

const getRecord = 'SELECT value FROM record WHERE kind = ? AND id = ?';
const putRecord = `INSERT INTO record (kind, id, owner, at, value) VALUES (?, ?, ?, ?, ?)
  ON CONFLICT (kind, id) DO UPDATE SET owner = excluded.owner, at = excluded.at, value = excluded.value`;
const removeRecord = 'DELETE FROM record WHERE kind = ? AND id = ?';

const noIndex = (): RecordIndex => ({ owner: '', at: 0 });

/** A record with its position in lists. */
interface Entry<T> {
  readonly id: string;
  readonly value: T;
  readonly position: number;
}

export interface StoredRecords<T> extends Records<T> {
  entries(query?: RecordQuery): Entry<T>[];
}

/** Opens the records of one kind in the ledger's database. @param index see `Ledger.records` */
export function openRecords<T>(
  prepare: Prepare,
  kind: string,
  index: (value: T) => RecordIndex = noIndex,
): StoredRecords<T> {
  // The cast is safe: only this ledger writes records of this kind.
  const parse = (row: Record<string, unknown>) => JSON.parse(String(row['value'])) as T;
  const where = ({ owner, since }: RecordQuery): [string, SQLInputValue[]] => [
    `FROM record WHERE kind = ?${owner === undefined ? '' : ' AND owner = ?'}${since === undefined ? '' : ' AND at >= ?'}`,
    [kind, ...(owner === undefined ? [] : [owner]), ...(since === undefined ? [] : [since])],
  ];

  return {
    get(id) {
      const row = prepare(getRecord).get(kind, id);
      return row === undefined ? undefined : parse(row);
    },
    put(id, value) {
      const { owner, at } = index(value);
      prepare(putRecord).run(kind, id, owner, at, JSON.stringify(value));
    },
    delete: (id) => void prepare(removeRecord).run(kind, id),
    list(query = {}) {
      const [clause, values] = where(query);
      const order = query.newestFirst === true ? 'DESC' : 'ASC';
      const statement = prepare(`SELECT value ${clause} ORDER BY at ${order}, position ${order} LIMIT ?`);
      return statement.all(...values, query.limit ?? -1).map(parse);
    },
    entries(query = {}) {
      const [clause, values] = where(query);
      const statement = prepare(`SELECT id, value, position ${clause}`);
      return statement.all(...values).map((row) => ({
        id: String(row['id']),
        value: parse(row),
        position: Number(row['position']),
      }));
    },
    count(query = {}) {
      const [clause, values] = where(query);
      return Number(prepare(`SELECT count(*) AS n ${clause}`).get(...values)?.['n']);
    },
  };
}

/**
 * Opens records that keep a history of changes, and can be read as they were.
 *
 * @param note records that a record is about to change
 * @param past the former values that reads must show; undefined to read the present
 */
export function openReplicated<T>(
  stored: StoredRecords<T>,
  index: (value: T) => RecordIndex = noIndex,
  { note, past }: { note(id: string): void; past(): Map<string, PastValue> | undefined },
): Records<T> {
  const parse = (value: string) => JSON.parse(value) as T;
  function entriesOf(changed: Map<string, PastValue>, { owner, since = -Infinity }: RecordQuery): Entry<T>[] {
    const kept = stored.entries().filter(({ id }) => !changed.has(id));
    const restored = [...changed].flatMap(([id, { value, position }]) =>
      value === null ? [] : [{ id, value: parse(value), position }],
    );
    return [...kept, ...restored].filter(({ value }) => {
      const place = index(value);
      return (owner === undefined || place.owner === owner) && place.at >= since;
    });
  }
  const listPast = (changed: Map<string, PastValue>, query: RecordQuery): T[] => {
    const order = query.newestFirst === true ? -1 : 1;
    return entriesOf(changed, query)
      .sort((a, b) => order * (index(a.value).at - index(b.value).at || a.position - b.position))
      .slice(0, query.limit)
      .map(({ value }) => value);
  };
  return {
    get(id) {
      const before = past()?.get(id);
      if (before === undefined) return stored.get(id);
      return before.value === null ? undefined : parse(before.value);
    },
    put(id, value) {
      note(id);
      stored.put(id, value);
    },
    delete(id) {
      note(id);
      stored.delete(id);
    },
    list(query = {}) {
      const changed = past();
      return changed === undefined ? stored.list(query) : listPast(changed, query);
    },
    count(query = {}) {
      const changed = past();
      return changed === undefined ? stored.count(query) : listPast(changed, query).length;
    },
  };
}
