import { createReadStream, createWriteStream, mkdirSync } from 'node:fs';
import { open, rm, stat, truncate } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

/** The bytes of unfinished uploads, one file each: they survive a restart and use no memory. */
export interface UploadFiles {
  /** Appends a chunk after `storedBytes`. @returns false if the chunk was cut short; the next append overwrites it */
  append(id: string, storedBytes: number, body: Readable, chunkBytes: number): Promise<boolean>;
  read(id: string): Readable;
  remove(id: string): Promise<void>;
}

export function openUploadFiles(directory: string): UploadFiles {
  mkdirSync(directory, { recursive: true });
  const pathOf = (id: string) => join(directory, encodeURIComponent(id));
  return {
    async append(id, storedBytes, body, chunkBytes) {
      const path = pathOf(id);
      await (await open(path, 'a')).close();
      await truncate(path, storedBytes);
      await pipeline(body, createWriteStream(path, { flags: 'r+', start: storedBytes })).catch(
        () => undefined,
      );
      return (await stat(path)).size === storedBytes + chunkBytes;
    },
    read: (id) => createReadStream(pathOf(id)),
    remove: (id) => rm(pathOf(id), { force: true }),
  };
}
