import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync, type SQLInputValue } from 'node:sqlite';
import { type History, openHistory, type PastValue } from './history.ts';
import type { LivePost } from './live-post.ts';

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
  /** Sorted by the index's time, oldest first unless `newestFirst`. */
  list(query?: RecordQuery): T[];
  count(query?: RecordQuery): number;
}

export interface LoggedRequest {
  readonly at: number;
  readonly operation: string;
  readonly method: string;
  readonly path: string;
}

export interface AnsweredRequest extends LoggedRequest {
  /** 0 if the request has not been answered. */
  readonly status: number;
  readonly fault?: string;
}

/** A platform's state, in one SQLite file so that it survives a restart and a killed process. */
export interface Ledger {
  readonly posts: Records<LivePost>;
  /** @param index gives the owner and the time of a record; without it, all records have owner '' and time 0 */
  records<T>(kind: string, index?: (value: T) => RecordIndex): Records<T>;
  /** The same for what the platform's API shows: its reads may lag behind the writes, see `reads.ts`. */
  replicated<T>(kind: string, index?: (value: T) => RecordIndex): Records<T>;
  readonly history: Pick<History, 'isKept' | 'clear'>;
  /** Runs a read on the replicated records as they were at a time. `read` must not await. */
  asOf<T>(timeMs: number, read: () => T): T;
  /** Runs writes that count as made at another time than now, such as the end of processing. */
  writtenAt<T>(timeMs: number, write: () => T): T;
  /** Returns 1, 2, 3 …, counted per name. */
  nextNumber(name: string): number;
  /** Makes all writes of `work` or none. `work` must not await: the connection is shared. */
  transaction<T>(work: () => T): T;
  /** Logs a request on arrival. The returned function records its status and the fault it met. */
  logRequest(request: LoggedRequest): (status: number, fault?: string) => void;
  requests(): readonly AnsweredRequest[];
  close(): void;
}

const schema = `
  CREATE TABLE IF NOT EXISTS record (
    kind TEXT NOT NULL, id TEXT NOT NULL, owner TEXT NOT NULL, at INTEGER NOT NULL, value TEXT NOT NULL,
    position INTEGER PRIMARY KEY AUTOINCREMENT, UNIQUE (kind, id)
  ) STRICT;
  CREATE INDEX IF NOT EXISTS record_by_owner ON record (kind, owner, at);
  CREATE TABLE IF NOT EXISTS sequence (name TEXT PRIMARY KEY, value INTEGER NOT NULL) STRICT;
  CREATE TABLE IF NOT EXISTS request (
    id INTEGER PRIMARY KEY AUTOINCREMENT, at INTEGER NOT NULL, operation TEXT NOT NULL, method TEXT NOT NULL,
    path TEXT NOT NULL, status INTEGER NOT NULL DEFAULT 0, fault TEXT
  ) STRICT;
`;

/**
 * Opens `{dataDirectory}/{name}.sqlite`. Creates the directory and the file if they are missing.
 *
 * @param now epoch milliseconds, for the history of replicated records
 */
export function openLedger(dataDirectory: string, name: string, now: () => number = Date.now): Ledger {
  mkdirSync(dataDirectory, { recursive: true });
  const database = new DatabaseSync(join(dataDirectory, `${name}.sqlite`));
  // WAL with NORMAL can lose commits if the machine loses power, but not if the process is killed.
  database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA busy_timeout = 5000;');
  database.exec(schema);

  const count = database.prepare(
    `INSERT INTO sequence VALUES (?, 1) ON CONFLICT (name) DO UPDATE SET value = value + 1 RETURNING value`,
  );
  const begin = database.prepare('INSERT INTO request (at, operation, method, path) VALUES (?, ?, ?, ?)');
  const finish = database.prepare('UPDATE request SET status = ?, fault = ? WHERE id = ?');
  const listRequests = database.prepare(
    'SELECT at, operation, method, path, status, fault FROM request ORDER BY id',
  );
  const records = <T>(kind: string, index?: (value: T) => RecordIndex) => openRecords(database, kind, index);
  const history = openHistory(database);
  let viewMs: number | undefined;
  let writeMs: number | undefined;
  function within<T>(work: () => T, restore: () => void): T {
    let isPending = false;
    try {
      const result = work();
      if (!(result instanceof Promise)) return result;
      isPending = true;
      return result.finally(restore) as T;
    } finally {
      if (!isPending) restore();
    }
  }

  return {
    history,
    replicated: (kind, index) =>
      openReplicated(records(kind, index), index, {
        note: (id) => history.isKept && history.note(kind, id, writeMs ?? now()),
        past: () => (viewMs === undefined ? undefined : history.valuesAt(kind, viewMs)),
      }),
    asOf(timeMs, read) {
      const before = viewMs;
      viewMs = timeMs;
      try {
        return read();
      } finally {
        viewMs = before;
      }
    },
    writtenAt(timeMs, write) {
      const before = writeMs;
      writeMs = timeMs;
      return within(write, () => {
        writeMs = before;
      });
    },
    posts: records<LivePost>('post', (post) => ({ owner: post.accountId, at: post.publishedAt })),
    records,
    nextNumber: (sequence) => Number(count.get(sequence)?.['value']),
    transaction(work) {
      database.exec('BEGIN IMMEDIATE');
      try {
        const result = work();
        database.exec('COMMIT');
        return result;
      } catch (error) {
        database.exec('ROLLBACK');
        throw error;
      }
    },
    logRequest({ at, operation, method, path }) {
      const id = begin.run(at, operation, method, path).lastInsertRowid;
      return (status, fault) => void finish.run(status, fault ?? null, id);
    },
    requests: () =>
      listRequests.all().map(({ at, operation, method, path, status, fault }) => ({
        at: Number(at),
        operation: String(operation),
        method: String(method),
        path: String(path),
        status: Number(status),
        ...(fault !== null && { fault: String(fault) }),
      })),
    close: () => database.close(),
  };
}

const noIndex = (): RecordIndex => ({ owner: '', at: 0 });

/** A position in a list. */
interface Entry<T> {
  readonly id: string;
  readonly value: T;
  readonly position: number;
}

interface StoredRecords<T> extends Records<T> {
  entries(query?: RecordQuery): Entry<T>[];
}

function openRecords<T>(
  database: DatabaseSync,
  kind: string,
  index: (value: T) => RecordIndex = noIndex,
): StoredRecords<T> {
  const get = database.prepare('SELECT value FROM record WHERE kind = ? AND id = ?');
  const put = database.prepare(
    `INSERT INTO record (kind, id, owner, at, value) VALUES (?, ?, ?, ?, ?)
     ON CONFLICT (kind, id) DO UPDATE SET owner = excluded.owner, at = excluded.at, value = excluded.value`,
  );
  const remove = database.prepare('DELETE FROM record WHERE kind = ? AND id = ?');
  // The cast is safe: only this ledger writes records of this kind.
  const parse = (row: Record<string, unknown>) => JSON.parse(String(row['value'])) as T;
  const where = ({ owner, since }: RecordQuery): [string, SQLInputValue[]] => [
    `FROM record WHERE kind = ?${owner === undefined ? '' : ' AND owner = ?'}${since === undefined ? '' : ' AND at >= ?'}`,
    [kind, ...(owner === undefined ? [] : [owner]), ...(since === undefined ? [] : [since])],
  ];

  return {
    get(id) {
      const row = get.get(kind, id);
      return row === undefined ? undefined : parse(row);
    },
    put(id, value) {
      const { owner, at } = index(value);
      put.run(kind, id, owner, at, JSON.stringify(value));
    },
    delete: (id) => void remove.run(kind, id),
    list(query = {}) {
      const [clause, values] = where(query);
      const order = query.newestFirst === true ? 'DESC' : 'ASC';
      const statement = database.prepare(
        `SELECT value ${clause} ORDER BY at ${order}, position ${order} LIMIT ?`,
      );
      return statement.all(...values, query.limit ?? -1).map(parse);
    },
    entries(query = {}) {
      const [clause, values] = where(query);
      const statement = database.prepare(`SELECT id, value, position ${clause}`);
      return statement.all(...values).map((row) => ({
        id: String(row['id']),
        value: parse(row),
        position: Number(row['position']),
      }));
    },
    count(query = {}) {
      const [clause, values] = where(query);
      return Number(database.prepare(`SELECT count(*) AS n ${clause}`).get(...values)?.['n']);
    },
  };
}

/** Records whose changes are noted, and which show the past if a view asks for it. */
function openReplicated<T>(
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
