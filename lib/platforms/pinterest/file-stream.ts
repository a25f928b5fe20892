import { Readable } from 'node:stream';
import type { MediaSource } from '../contract/adapter.ts';

/** One read from the bucket: small enough that a connection does not stand open for long. */
const rangeBytes = 32 * 1_048_576;
/** How often in all a read that broke is begun again where it broke. */
const mostBreaks = 5;

/**
 * The whole file as one stream, made of ranges that are read one after the other: nothing of it is kept.
 *
 * @throws what `openRange` throws for the first range, before anything was sent
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
      if (at === begunAt) throw new Error(`no bytes from ${at} on`);
    } catch (error) {
      breaks += 1;
      if (breaks > mostBreaks) throw error;
    }
    if (at >= file.sizeBytes) return;
    source = await openFrom(file, at);
  }
}

function openFrom(file: MediaSource, first: number): Promise<Readable> {
  return file.openRange(first, Math.min(first + rangeBytes, file.sizeBytes) - 1);
}
