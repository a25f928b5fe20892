import { readFile } from 'node:fs/promises';

/** Reads a file of `test/fixtures`. */
export function readFixture(name: string): Promise<Buffer> {
  return readFile(new URL(`../fixtures/${name}`, import.meta.url));
}
