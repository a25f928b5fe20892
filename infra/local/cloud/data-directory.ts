/** The data directory of a local cloud: a lock for one process at a time, and small files with atomic writes. */
import {
  accessSync,
  constants,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

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

const remedy = 'choose another folder with DATA_DIR';

/**
 * Creates a folder with its parents. Unlike `mkdirSync`, it also returns if no folder can be created, such as in `/proc`.
 *
 * @returns the absolute path
 * @throws Error that names the file or folder that is in the way, and the remedy
 */
function createDataFolder(directory: string): string {
  const path = resolve(directory);
  const missing: string[] = [];
  let existing = path;
  for (; !exists(existing); existing = dirname(existing)) missing.unshift(existing);
  if (!statSync(existing).isDirectory()) {
    if (existing === path) throw new Error(`${path} is a file, not a folder: remove it, or ${remedy}`);
    throw new Error(`${path} cannot be created, because ${existing} is a file: ${remedy}`);
  }
  try {
    for (const folder of missing) mkdirSync(folder);
    accessSync(path, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch (error) {
    const why = (error as NodeJS.ErrnoException).code ?? 'unknown error';
    throw missing.length > 0
      ? new Error(`${path} cannot be created (${why}): make ${existing} writable, or ${remedy}`)
      : new Error(`${path} cannot be written (${why}): change its permissions, or ${remedy}`);
  }
  return path;
}

/** Returns true if the path exists. A path below a file does not exist; one in an unreadable folder might. */
function exists(path: string): boolean {
  try {
    return statSync(path, { throwIfNoEntry: false }) !== undefined;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOTDIR') return false;
    throw new Error(`${path} cannot be reached (${(error as NodeJS.ErrnoException).code}): ${remedy}`);
  }
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
