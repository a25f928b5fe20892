/**
 * Stores objects: metadata in SQLite, content in files. The row is written after the file is complete, so a file
 * without a row is left over from a crash; it is removed at the next start.
 */

import { randomUUID } from 'node:crypto';
import { mkdirSync, readdirSync, rmSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { type Database, openDatabase } from '../database.ts';
import type { ObjectChange } from './events.ts';

export interface StoredObject {
  readonly bucketName: string;
  readonly key: string;
  /** The ETag without quotes. */
  readonly etag: string;
  readonly size: number;
  readonly modifiedAtMs: number;
  /** `content-type`, `cache-control` and the like, by lower-case name. */
  readonly headers: Readonly<Record<string, string>>;
  /** User metadata, by name without `x-amz-meta-`. */
  readonly metadata: Readonly<Record<string, string>>;
  /** The CRC-32 in base64; undefined if none was computed. if none was computed. */
  readonly crc32: string | undefined;
  /** The SHA-256 in base64; computed only by a copy that asks for it. */
  readonly sha256?: string | undefined;
  /** An absolute path. */
  readonly file: string;
}

/** A notification that has not been delivered yet. */
export interface PendingEvent {
  readonly id: number;
  readonly destinationArn: string;
  readonly change: ObjectChange;
}

export interface ObjectStore {
  get(bucketName: string, key: string): StoredObject | undefined;
  /** Objects whose keys start with the prefix and sort after `after`, in the order of the keys' UTF-8 bytes. */
  list(bucketName: string, prefix: string, after: string, max: number): StoredObject[];
  /** Returns a path for a new file. Does not create it. */
  newFile(): string;
  /** Stores the object, adds a pending event for each destination, and removes the file of the replaced object. */
  put(object: StoredObject, eventName: string, destinationArns: readonly string[]): Promise<void>;
  delete(
    object: StoredObject,
    eventName: string,
    nowMs: number,
    destinationArns: readonly string[],
  ): Promise<void>;
  pendingEvents(): PendingEvent[];
  eventDelivered(id: number): void;
  /** @returns true if the destination is new for this bucket. */
  addDestination(bucketName: string, destinationArn: string): boolean;
  close(): void;
}

const schema = `
  CREATE TABLE IF NOT EXISTS objects (
    bucket TEXT NOT NULL,
    key TEXT NOT NULL,
    object TEXT NOT NULL,
    file TEXT NOT NULL,
    PRIMARY KEY (bucket, key)
  ) STRICT;
  CREATE TABLE IF NOT EXISTS last_change (id INTEGER PRIMARY KEY CHECK (id = 1), sequence INTEGER NOT NULL) STRICT;
  CREATE TABLE IF NOT EXISTS pending_events (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    destination_arn TEXT NOT NULL,
    change TEXT NOT NULL
  ) STRICT;
  CREATE TABLE IF NOT EXISTS destinations (
    bucket TEXT NOT NULL,
    destination_arn TEXT NOT NULL,
    PRIMARY KEY (bucket, destination_arn)
  ) STRICT, WITHOUT ROWID;
`;

export function openObjectStore(directory: string): ObjectStore {
  const fileDirectory = join(directory, 'objects');
  mkdirSync(fileDirectory, { recursive: true });
  const database = openDatabase(join(directory, 's3.sqlite'), schema);
  removeOrphans(database, fileDirectory);
  const { connection, transaction } = database;
  const get = connection.prepare('SELECT object, file FROM objects WHERE bucket = ? AND key = ?');
  const list = connection.prepare(`
    SELECT object, file FROM objects
    WHERE bucket = :bucket AND key > :after AND key >= :prefix AND substr(key, 1, length(:prefix)) = :prefix
    ORDER BY key LIMIT :max`);
  const put = connection.prepare(`
    INSERT INTO objects (bucket, key, object, file) VALUES (?, ?, ?, ?)
    ON CONFLICT DO UPDATE SET object = excluded.object, file = excluded.file`);
  const remove = connection.prepare('DELETE FROM objects WHERE bucket = ? AND key = ?');
  // One increasing number for all keys gives the order of each key's changes.
  const countChange = connection.prepare(`
    INSERT INTO last_change (id, sequence) VALUES (1, 1)
    ON CONFLICT DO UPDATE SET sequence = sequence + 1 RETURNING sequence`);
  const addEvent = connection.prepare('INSERT INTO pending_events (destination_arn, change) VALUES (?, ?)');
  const events = connection.prepare('SELECT * FROM pending_events ORDER BY id');
  const removeEvent = connection.prepare('DELETE FROM pending_events WHERE id = ?');

  const addDestination = connection.prepare('INSERT INTO destinations VALUES (?, ?) ON CONFLICT DO NOTHING');

  function fromRow(row: Record<string, unknown> | undefined): StoredObject | undefined {
    return row && { ...JSON.parse(String(row['object'])), file: join(fileDirectory, String(row['file'])) };
  }

  function record(change: Omit<ObjectChange, 'sequence'>, destinationArns: readonly string[]): void {
    const sequence = Number(countChange.get()?.['sequence']);
    for (const arn of destinationArns) addEvent.run(arn, JSON.stringify({ ...change, sequence }));
  }

  return {
    get: (bucketName, key) => fromRow(get.get(bucketName, key)),
    list: (bucket, prefix, after, max) =>
      list.all({ bucket, prefix, after, max }).flatMap((row) => fromRow(row) ?? []),
    newFile: () => join(fileDirectory, randomUUID()),
    async put(object, eventName, destinationArns) {
      const { file, ...facts } = object;
      const replaced = transaction(() => {
        const before = fromRow(get.get(object.bucketName, object.key));
        put.run(object.bucketName, object.key, JSON.stringify(facts), file.slice(fileDirectory.length + 1));
        const { bucketName, key, size, etag, modifiedAtMs: atMs } = object;
        record({ eventName, bucketName, key, size, etag, atMs }, destinationArns);
        return before;
      });
      if (replaced) await rm(replaced.file, { force: true });
    },
    async delete({ bucketName, key, file }, eventName, nowMs, destinationArns) {
      transaction(() => {
        remove.run(bucketName, key);
        record({ eventName, bucketName, key, atMs: nowMs }, destinationArns);
      });
      await rm(file, { force: true });
    },
    pendingEvents: () =>
      events.all().map((row) => ({
        id: Number(row['id']),
        destinationArn: String(row['destination_arn']),
        change: JSON.parse(String(row['change'])),
      })),
    eventDelivered(id) {
      removeEvent.run(id);
    },
    addDestination: (bucketName, destinationArn) =>
      addDestination.run(bucketName, destinationArn).changes === 1,
    close: database.close,
  };
}

function removeOrphans({ connection }: Database, fileDirectory: string): void {
  const known = new Set(
    connection
      .prepare('SELECT file FROM objects')
      .all()
      .map((row) => String(row['file'])),
  );
  for (const name of readdirSync(fileDirectory)) {
    if (!known.has(name)) rmSync(join(fileDirectory, name), { force: true });
  }
}
