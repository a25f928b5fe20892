import { createWriteStream, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { open, rm, stat, truncate } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { wholeGrains } from './content-range.ts';

/** The bytes of unfinished uploads, one file each: they survive a restart and use no memory. */
export interface UploadFiles {
  pathOf(sessionId: string): string;
  /** The number of bytes that count as stored: whole units of `chunkGrainBytes`, or all bytes of a complete file. */
  storedBytes(sessionId: string, declaredBytes: number): Promise<number>;
  /** Appends `body` after the stored bytes. If the body breaks off, the bytes that arrived are kept. */
  append(sessionId: string, storedBytes: number, body: Readable): Promise<void>;
  /** Truncates the file to the first `bytes`. */
  cut(sessionId: string, bytes: number): Promise<void>;
  remove(sessionId: string): Promise<void>;
  /** Removes the files of finished and expired sessions, such as those left by a killed process. */
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
      // The file can be longer than `storedBytes`: a broken connection can leave an incomplete unit behind.
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
