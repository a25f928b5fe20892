import { createWriteStream, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { open, rm, stat, truncate } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { wholeGrains } from './content-range.ts';

/** The bytes of unfinished uploads, one file each, so that they outlive a restart and need no memory. */
export interface UploadFiles {
  pathOf(sessionId: string): string;
  /** How many bytes count as stored: whole grains, or everything once the declared length is there. */
  storedBytes(sessionId: string, declaredBytes: number): Promise<number>;
  /** Appends what `body` gives after the stored bytes; what arrived before an error stays. */
  append(sessionId: string, storedBytes: number, body: Readable): Promise<void>;
  /** Forgets everything after the first `bytes`. */
  cut(sessionId: string, bytes: number): Promise<void>;
  remove(sessionId: string): Promise<void>;
  /** Removes what killed processes and forgotten sessions have left. */
  keepOnly(isNeeded: (sessionId: string) => boolean): void;
}

export function openUploadFiles(directory: string): UploadFiles {
  mkdirSync(directory, { recursive: true });
  const pathOf = (sessionId: string) => join(directory, sessionId);
  return {
    pathOf,
    async storedBytes(sessionId, declaredBytes) {
      const size = await sizeOf(pathOf(sessionId));
      return size >= declaredBytes ? declaredBytes : wholeGrains(size);
    },
    async append(sessionId, storedBytes, body) {
      const path = pathOf(sessionId);
      // The file can be longer than what counts: the rest of a grain that a broken connection left behind.
      await (await open(path, 'a')).close();
      await truncate(path, storedBytes);
      await pipeline(body, createWriteStream(path, { flags: 'r+', start: storedBytes }));
    },
    cut: (sessionId, bytes) => truncate(pathOf(sessionId), bytes),
    remove: (sessionId) => rm(pathOf(sessionId), { force: true }),
    keepOnly(isNeeded) {
      const others = readdirSync(directory).filter((sessionId) => !isNeeded(sessionId));
      for (const sessionId of others) rmSync(pathOf(sessionId));
    },
  };
}

async function sizeOf(path: string): Promise<number> {
  try {
    return (await stat(path)).size;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return 0;
    throw error;
  }
}
