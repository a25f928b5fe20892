import { open } from 'node:fs/promises';
import type { ReadRange } from '../probe/range-reader.ts';

/** A file on disk, which probes read like an object in the bucket. */
export interface LocalFile extends AsyncDisposable {
  readonly sizeBytes: number;
  readonly readRange: ReadRange;
  readonly write: (bytes: Uint8Array, position: number) => Promise<void>;
}

/** @param flags `r+` to change it */
export async function openLocal(path: string, flags: 'r' | 'r+' = 'r'): Promise<LocalFile> {
  const file = await open(path, flags);
  const { size } = await file.stat();
  return {
    sizeBytes: size,
    readRange: async (first, last) => {
      const length = last - first + 1;
      const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, first);
      return buffer.subarray(0, bytesRead);
    },
    write: async (bytes, position) => {
      await file.write(bytes, 0, bytes.length, position);
    },
    [Symbol.asyncDispose]: () => file.close(),
  };
}
