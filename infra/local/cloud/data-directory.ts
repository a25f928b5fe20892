/** The data directory of a local cloud: a lock for one process at a time, and small files with atomic writes. */
import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { createDataFolder } from './data-folder.ts';

export interface DataDirectory {
  /** The absolute path. */
  readonly path: string;
  /** Returns the parsed content of a JSON file; undefined if it does not exist. @throws Error if it cannot be parsed. */
  read(name: string): unknown;
  /** Replaces a JSON file atomically. Only its owner can read it, because some files hold keys. */
  write(name: string, content: unknown): void;
  remove(name: string): void;
  /** Releases the lock. */
  release(): void;
}

/**
 * Locks the folder for this process, and creates it if it is missing. The operating system holds the lock, so it ends
 * with the process, even after SIGKILL.
 *
 * @throws Error if another process holds the lock, or if the folder cannot be used; it names the file and the remedy.
 */
export function openDataDirectory(directory: string): DataDirectory {
  const path = createDataFolder(directory);
  const lock = openLock(path);
  return {
    path,
    read(name) {
      try {
        return JSON.parse(readFileSync(join(path, name), 'utf8'));
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
        throw new Error(`${join(path, name)} cannot be read: remove it to start without it`, {
          cause: error,
        });
      }
    },
    write(name, content) {
      const partial = join(path, `.${name}.partial`);
      writeFileSync(partial, `${JSON.stringify(content, null, 2)}\n`, { mode: 0o600 });
      renameSync(partial, join(path, name));
    },
    remove: (name) => rmSync(join(path, name), { force: true }),
    release: () => lock.close(),
  };
}

/** https://www.sqlite.org/rescode.html#busy */
const sqliteBusy = 5;

function openLock(path: string): DatabaseSync {
  const file = join(path, 'lock.sqlite');
  let lock: DatabaseSync | undefined;
  try {
    lock = new DatabaseSync(file);
    lock.exec('PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE');
    return lock;
  } catch (error) {
    lock?.close();
    const { errcode, message } = error as Error & { readonly errcode?: number };
    if (errcode === sqliteBusy)
      throw new Error(`another local cloud runs in ${path}: stop it, or choose another folder with DATA_DIR`);
    throw new Error(`${file} cannot be used (${message}): remove it, or choose another folder with DATA_DIR`);
  }
}
