/** Creates the folder of a local cloud's data, or names the obstacle. */
import { accessSync, constants, mkdirSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';

const remedy = 'choose another folder with DATA_DIR';

/**
 * Creates a folder with its parents. Unlike `mkdirSync`, it also returns if no folder can be created, such as in `/proc`.
 *
 * @returns the absolute path
 * @throws Error that names the file or folder that is in the way, and the remedy
 */
export function createDataFolder(directory: string): string {
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
