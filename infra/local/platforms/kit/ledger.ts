import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { type History, historySchema, openHistory } from './history.ts';
import type { LivePost } from './live-post.ts';
import { openRequestLog, type RequestLog, requestSchema } from './recording/request-log.ts';
import { openRecords, openReplicated, type RecordIndex, type Records, recordSchema } from './records.ts';
import { openStatements } from './statements.ts';

/** A platform's state, in one SQLite database. In a file, it survives a restart and a killed process. */
export interface Ledger {
  readonly posts: Records<LivePost>;
  /** @param index gives the owner and the time of a record; without it, all records have owner '' and time 0 */
  records<T>(kind: string, index?: (value: T) => RecordIndex): Records<T>;
  /** Returns records like `records`, for data that the platform's API shows: its reads may lag behind the writes, see `reads.ts`. */
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
  readonly requests: RequestLog;
  close(): void;
}

const schema = `
  CREATE TABLE IF NOT EXISTS sequence (name TEXT PRIMARY KEY, value INTEGER NOT NULL) STRICT;
`;

const countNumber =
  'INSERT INTO sequence VALUES (?, 1) ON CONFLICT (name) DO UPDATE SET value = value + 1 RETURNING value';
// The kinds of records whose ids are tokens or codes. A new kind belongs here, or the list of requests shows its tokens.
const listSecrets =
  "SELECT id FROM record WHERE kind IN ('access-token', 'refresh-token', 'token', 'authorization-code')";

/** Receives each new live post, after its transaction. @param liveAtMs the time at which it went live, in epoch milliseconds */
export type OnLive = (post: LivePost, liveAtMs: number) => void;

/**
 * Opens `{dataDirectory}/{name}.sqlite`, or a database in memory without a directory. Creates the directory and the file
 * if they are missing.
 *
 * @throws Error that names the file and the remedy if it is damaged or cannot be written
 * @param now epoch milliseconds, for the history of replicated records
 */
export function openLedger(
  dataDirectory: string | undefined,
  name: string,
  now: () => number = Date.now,
  onLive?: OnLive,
): Ledger {
  const database = openDatabase(dataDirectory, name);
  database.exec(recordSchema + schema + historySchema + requestSchema);

  const prepare = openStatements(database);
  const records = <T>(kind: string, index?: (value: T) => RecordIndex) => openRecords(prepare, kind, index);
  const history = openHistory(prepare);
  const posts = records<LivePost>('post', (post) => ({ owner: post.accountId, at: post.publishedAt }));
  let viewMs: number | undefined;
  let writeMs: number | undefined;
  let uncommitted: (() => void)[] | undefined;
  function announce(post: LivePost): void {
    const liveAtMs = writeMs ?? now();
    const tell = () => onLive?.(post, liveAtMs);
    if (uncommitted === undefined) tell();
    else uncommitted.push(tell);
  }
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
    posts: {
      ...posts,
      put(id, post) {
        const isNew = onLive !== undefined && posts.get(id) === undefined;
        posts.put(id, post);
        if (isNew) announce(post);
      },
    },
    records,
    nextNumber: (sequence) => Number(prepare(countNumber).get(sequence)?.['value']),
    transaction(work) {
      prepare('BEGIN IMMEDIATE').run();
      const announcements: (() => void)[] = [];
      uncommitted = announcements;
      let result: ReturnType<typeof work>;
      try {
        result = work();
        prepare('COMMIT').run();
      } catch (error) {
        prepare('ROLLBACK').run();
        throw error;
      } finally {
        uncommitted = undefined;
      }
      for (const tell of announcements) tell();
      return result;
    },
    requests: openRequestLog(prepare, () =>
      prepare(listSecrets)
        .all()
        .map(({ id }) => String(id)),
    ),
    close: () => database.close(),
  };
}

function openDatabase(dataDirectory: string | undefined, name: string): DatabaseSync {
  if (dataDirectory === undefined) {
    const database = new DatabaseSync(':memory:');
    database.exec('PRAGMA journal_mode = MEMORY; PRAGMA synchronous = OFF;');
    return database;
  }
  mkdirSync(dataDirectory, { recursive: true });
  const file = join(dataDirectory, `${name}.sqlite`);
  let database: DatabaseSync | undefined;
  try {
    database = new DatabaseSync(file);
    // WAL with NORMAL can lose commits if the machine loses power, but not if the process is killed.
    database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA busy_timeout = 5000;');
    return database;
  } catch (error) {
    database?.close();
    const why = error instanceof Error ? error.message : String(error);
    throw new Error(
      `${file} cannot be used (${why}): restore it, or delete the whole data directory to start from scratch`,
    );
  }
}
