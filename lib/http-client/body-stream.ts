import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { BodyStream } from './exchange.ts';

/**
 * Sends a stream of exactly so many bytes, no faster than the other side takes them. Anything else leaves the other side
 * with half a request. That is told at once: the pipeline cuts the connection before it fails, which must not be taken
 * for the other side's doing.
 */
export function bodyStream(source: Readable, sizeBytes: number): BodyStream {
  return (request, onUnreadable) =>
    pipeline(
      source,
      async function* (chunks: AsyncIterable<Buffer>) {
        let bytes = 0;
        try {
          for await (const chunk of chunks) {
            bytes += chunk.length;
            if (bytes > sizeBytes) break;
            yield chunk;
          }
          if (bytes !== sizeBytes) throw new Error(`not ${sizeBytes} bytes`);
        } catch (cause) {
          onUnreadable(cause);
          throw cause;
        }
      },
      request,
    );
}
