import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { BodyStream } from './exchange.ts';

/**
 * Makes a body that sends a stream of exactly `sizeBytes` bytes, with backpressure. If the stream has another length or
 * fails, the other side is left with half a request. `onUnreadable` is called before that happens: the pipeline then
 * closes the connection, which must not look as if the other side had closed it.
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
          if (bytes !== sizeBytes) throw new Error(`the stream does not have ${sizeBytes} bytes`);
        } catch (cause) {
          onUnreadable(cause);
          throw cause;
        }
      },
      request,
    );
}
