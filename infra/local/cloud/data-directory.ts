/** The data directory of a local cloud: a lock for one process at a time, and small files with atomic writes. */
import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

export interface DataDirectory {
  /** The absolute path. */
  readonly path: string;
  /** The parsed content of a JSON file; undefined if it does not exist. @throws Error if it cannot be parsed. */
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
 * @throws Error if another process holds the lock.
 */
export function openDataDirectory(directory: string): DataDirectory {
  const path = resolve(directory);
  mkdirSync(path, { recursive: true });
  const lock = new DatabaseSync(join(path, 'lock.sqlite'));
  try {
    lock.exec('PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE');
  } catch {
    lock.close();
    throw new Error(`another local cloud runs in ${path}: stop it, or choose another folder with DATA_DIR`);
  }
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
