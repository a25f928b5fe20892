import { Readable } from 'node:stream';
import type { MediaSource } from '../contract/adapter.ts';

/** The size of one read from the bucket: small, so that a connection does not stay open for long. */
const rangeBytes = 32 * 1_048_576;
/** The number of failed reads per file that are resumed at the failed byte. */
const maxBreaks = 5;

/**
 * Opens the whole file as one stream. Reads it in ranges, one after the other, and never holds the file in memory.
 *
 * @throws the error of `openRange` for the first range, before anything was sent
 */
export async function openWhole(file: MediaSource): Promise<Readable> {
  const first = await openFrom(file, 0);
  return Readable.from(bytes(file, first));
}

async function* bytes(file: MediaSource, first: Readable): AsyncGenerator<Buffer> {
  let source = first;
  let at = 0;
  let breaks = 0;
  for (;;) {
    const begunAt = at;
    try {
      for await (const chunk of source) {
        at += chunk.length;
        yield chunk;
      }
      if (at === begunAt) throw new Error(`the file has no bytes from ${at}`);
    } catch (error) {
      breaks += 1;
      if (breaks > maxBreaks) throw error;
    }
    if (at >= file.sizeBytes) return;
    source = await openFrom(file, at);
  }
}

function openFrom(file: MediaSource, first: number): Promise<Readable> {
  return file.openRange(first, Math.min(first + rangeBytes, file.sizeBytes) - 1);
}
