import { randomUUID } from 'node:crypto';
import { createReadStream, createWriteStream, mkdirSync } from 'node:fs';
import { rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

/** The parts of unfinished video uploads, one file each: they survive a restart and use no memory. */
export interface AssetFiles {
  /** Stores or replaces a part. @returns its size in bytes @throws if the body breaks off; an earlier part remains */
  store(assetId: string, part: number, body: Readable): Promise<number>;
  remove(assetId: string, parts: number): Promise<void>;
  /** Reads all parts in order. */
  read(assetId: string, parts: number): AsyncIterable<Uint8Array>;
}

export function openAssetFiles(directory: string): AssetFiles {
  mkdirSync(directory, { recursive: true });
  const pathOf = (assetId: string, part: number) => join(directory, `${assetId}.${part}`);
  return {
    async store(assetId, part, body) {
      const arriving = join(directory, `${assetId}.${randomUUID()}`);
      try {
        await pipeline(body, createWriteStream(arriving));
      } catch (error) {
        await rm(arriving, { force: true });
        throw error;
      }
      const { size } = await stat(arriving);
      await rename(arriving, pathOf(assetId, part));
      return size;
    },
    async remove(assetId, parts) {
      await Promise.all(
        Array.from({ length: parts }, (_, part) => rm(pathOf(assetId, part), { force: true })),
      );
    },
    async *read(assetId, parts) {
      for (let part = 0; part < parts; part += 1) yield* createReadStream(pathOf(assetId, part));
    },
  };
}
