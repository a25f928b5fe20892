import type { IncomingMessage } from 'node:http';
import { connectionFailure, DownloadError } from '../../http-client/address-guard/download.ts';
import { secondMs } from '../../kernel/clock.ts';
import type { ReadLimits } from './ports.ts';

/**
 * Reads a body piece by piece, no faster than it is consumed. The caller destroys the body.
 *
 * @param limits.endMs the time at which the reading must end, on the clock of `performance.now()`
 * @throws DownloadError, temporary, if the body breaks off, stalls, or is too slow
 */
export async function* readBody(
  body: AsyncIterable<unknown>,
  { idleMs, bytesPerSecond, settlingMs, endMs }: ReadLimits & { readonly endMs: number },
): AsyncGenerator<Buffer, void> {
  const beganMs = performance.now();
  const pieces = body[Symbol.asyncIterator]();
  let bytes = 0;
  // The consumer's time is not the server's fault.
  let readingMs = 0;
  for (;;) {
    const askedMs = performance.now();
    const waitMs = Math.max(0, Math.min(idleMs, endMs - askedMs));
    const piece = await within(waitMs, pieces.next(), () =>
      waitMs < idleMs ? 'it takes too long' : `no data for ${idleMs / secondMs} s`,
    );
    if (piece.done) return;
    const chunk = piece.value as Buffer;
    bytes += chunk.length;
    readingMs += performance.now() - askedMs;
    if (performance.now() - beganMs > settlingMs && bytes < (bytesPerSecond * readingMs) / secondMs)
      throw new DownloadError('the server sends it too slowly', { isTemporary: true });
    yield chunk;
  }
}

async function within<Value>(waitMs: number, work: Promise<Value>, late: () => string): Promise<Value> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new DownloadError(late(), { isTemporary: true })), waitMs);
  });
  try {
    return await Promise.race([work, timeout]);
  } catch (error) {
    throw error instanceof DownloadError
      ? error
      : new DownloadError(connectionFailure(error), { isTemporary: true });
  } finally {
    clearTimeout(timer);
  }
}

/**
 * Returns the length that the headers promise; `undefined` if they promise none. @throws DownloadError if the body is
 * compressed
 */
export function promisedBytes({ headers }: Pick<IncomingMessage, 'headers'>): number | undefined {
  const encoding = headers['content-encoding']?.trim().toLowerCase() ?? '';
  if (encoding !== '' && encoding !== 'identity')
    throw new DownloadError(
      `the server sends it compressed (${printable(encoding)}), although that was not asked for`,
    );
  const text = headers['content-length'];
  return text !== undefined && /^\d{1,15}$/.test(text) ? Number(text) : undefined;
}

const printable = (text: string): string => text.replaceAll(/[^a-z0-9, _-]/g, '').slice(0, 40);
