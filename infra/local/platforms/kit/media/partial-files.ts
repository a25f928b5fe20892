import { randomUUID } from 'node:crypto';
import { createReadStream, createWriteStream, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { open, rename, rm, stat, truncate } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';

export type FileBody = Iterable<Uint8Array> | AsyncIterable<Uint8Array>;

/** Files that are kept while an upload runs, by name. */
export interface PartialFiles {
  /** Returns the size in bytes; 0 if the file does not exist. */
  size(name: string): Promise<number>;
  /**
   * Appends after the first `keptBytes` and drops what followed them: a broken connection can leave bytes behind.
   * @throws if the body breaks off; the bytes that arrived are kept
   */
  append(name: string, keptBytes: number, body: FileBody): Promise<void>;
  /** Creates or replaces a file. @throws if the body breaks off; the earlier file remains */
  replace(name: string, body: FileBody): Promise<void>;
  /** Truncates the file to its first `bytes`. */
  cut(name: string, bytes: number): Promise<void>;
  read(name: string): AsyncIterable<Uint8Array>;
  remove(name: string): Promise<void>;
  /** Removes the files that are not needed, such as those left by a killed process. */
  keepOnly(isNeeded: (name: string) => boolean): void;
}

/** Files in a directory: they survive a restart and use no memory. Creates the directory if it is missing. */
export function openPartialFiles(directory: string): PartialFiles {
  mkdirSync(directory, { recursive: true });
  const pathOf = (name: string) => join(directory, encodeURIComponent(name));
  return {
    async size(name) {
      try {
        return (await stat(pathOf(name))).size;
      } catch (error) {
        if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return 0;
        throw error;
      }
    },
    async append(name, keptBytes, body) {
      const path = pathOf(name);
      await (await open(path, 'a')).close();
      await truncate(path, keptBytes);
      await pipeline(body, createWriteStream(path, { flags: 'r+', start: keptBytes }));
    },
    async replace(name, body) {
      const arriving = `${pathOf(name)}.${randomUUID()}`;
      try {
        await pipeline(body, createWriteStream(arriving));
      } catch (error) {
        await rm(arriving, { force: true });
        throw error;
      }
      await rename(arriving, pathOf(name));
    },
    cut: (name, bytes) => truncate(pathOf(name), bytes),
    read: (name) => createReadStream(pathOf(name)),
    remove: (name) => rm(pathOf(name), { force: true }),
    keepOnly(isNeeded) {
      const others = readdirSync(directory).filter((name) => !isNeeded(decodeURIComponent(name)));
      for (const name of others) rmSync(join(directory, name));
    },
  };
}

/** Files in memory, for small files and without input or output. */
export function openPartialFilesInMemory(): PartialFiles {
  const files = new Map<string, Buffer>();
  const bytesOf = (name: string) => files.get(name) ?? Buffer.alloc(0);
  return {
    size: async (name) => bytesOf(name).length,
    async append(name, keptBytes, body) {
      const pieces: Uint8Array[] = [bytesOf(name).subarray(0, keptBytes)];
      try {
        for await (const piece of body) pieces.push(piece);
      } finally {
        files.set(name, Buffer.concat(pieces));
      }
    },
    async replace(name, body) {
      const pieces: Uint8Array[] = [];
      for await (const piece of body) pieces.push(piece);
      files.set(name, Buffer.concat(pieces));
    },
    async cut(name, bytes) {
      files.set(name, bytesOf(name).subarray(0, bytes));
    },
    async *read(name) {
      yield bytesOf(name);
    },
    async remove(name) {
      files.delete(name);
    },
    keepOnly(isNeeded) {
      for (const name of files.keys()) if (!isNeeded(name)) files.delete(name);
    },
  };
}
