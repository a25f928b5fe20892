/** The folder that a local cloud lives in: one cloud at a time, and small files that are written whole or not at all. */
import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

export interface DataDirectory {
  /** Absolute. */
  readonly path: string;
  /** The content of a JSON file; undefined where there is none. */
  read(name: string): unknown;
  /** Readable by its owner alone: some files hold keys. */
  write(name: string, content: unknown): void;
  remove(name: string): void;
  /** Lets the next cloud in. */
  release(): void;
}

/**
 * Opens the folder, made when missing, for this process alone. The lock is the operating system's, so it does not
 * outlive the process, however that ends.
 *
 * @throws Error with one line where another process holds it.
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
        throw new Error(`${join(path, name)} cannot be read: remove it to begin anew`, { cause: error });
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
