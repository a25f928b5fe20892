import type { IncomingMessage } from 'node:http';
import { connectionFailure, type Download, DownloadError } from '../../http-client/address-guard/download.ts';
import { secondMs, toTimestamp } from '../../kernel/clock.ts';
import { headBytes, typeOfHead } from '../probe/sniff.ts';
import { largestBytes, largestVideoBytes } from '../types.ts';
import { incomingKeyOf } from '../urls.ts';
import type { HeldImport } from './held-import.ts';
import { type ImportPorts, type PartUpload, partBytes, type ReadLimits } from './ports.ts';
import { inspectionPatienceMs, progressEveryMs } from './times.ts';

/**
 * Fetches a file, and stores it where uploads arrive. The inspection of uploads then accepts or rejects it. Takes about
 * two parts of memory, whatever the size of the file. Nothing is visible before the file has arrived completely.
 *
 * @param endMs the time at which it must end, on the clock of `performance.now()`
 * @throws DownloadError if the file cannot be fetched; ImportLostError if another worker has taken the import
 */
export async function transfer(ports: ImportPorts, held: HeldImport, endMs: number): Promise<void> {
  const { importUrl, workspaceId, createdAt } = held.media;
  const download = await ports.open(importUrl, workspaceId);
  try {
    await receive(ports, held, download, endMs);
  } finally {
    download.body.destroy();
  }
  const now = ports.now();
  const notBefore = toTimestamp(now + inspectionPatienceMs(createdAt, now));
  // If the inspection is lost, the server has all patience again.
  await held.commit({ status: 'checking', notBefore, error: undefined, failingSince: undefined });
}

async function receive(
  ports: ImportPorts,
  held: HeldImport,
  download: Download,
  endMs: number,
): Promise<void> {
  const totalBytes = promisedBytes(download);
  requireSize(totalBytes ?? 0, largestVideoBytes);
  const pieces = readBody(download.body, { ...ports.limits, endMs });
  const head = await gather(pieces, headBytes);
  if (head.length === 0) throw new DownloadError('the file is empty');
  const type = await typeOfHead(
    head.subarray(0, headBytes),
    held.media.contentType,
    download.headers['content-type'],
  );
  if ('problem' in type) throw new DownloadError(type.problem);
  const { contentType } = type;
  const maxBytes = largestBytes(contentType);
  requireSize(totalBytes ?? 0, maxBytes);
  // Committed before the file arrives, because the inspection judges it by this type.
  await held.commit(
    { ...(totalBytes !== undefined && { totalBytes }), receivedBytes: head.length },
    { contentType, reservedBytes: totalBytes ?? held.media.reservedBytes },
  );
  const upload = collector(ports, incomingKeyOf(held.media.objectKey));
  try {
    let receivedBytes = head.length;
    let committedMs = ports.now();
    await upload.add(head);
    for await (const piece of pieces) {
      receivedBytes += piece.length;
      requireSize(receivedBytes, maxBytes);
      await upload.add(piece);
      if (ports.now() - committedMs < progressEveryMs) continue;
      await held.commit({ receivedBytes });
      committedMs = ports.now();
    }
    if (totalBytes !== undefined && receivedBytes !== totalBytes)
      throw new DownloadError(`only ${receivedBytes} of ${totalBytes} bytes arrived`, { isTemporary: true });
    // A worker that has lost the import must not replace the upload of another one.
    await held.commit({ receivedBytes });
    await upload.complete();
  } catch (error) {
    // The bucket removes after a day what cannot be removed now.
    await upload.abort().catch(() => undefined);
    throw error;
  }
}

function requireSize(bytes: number, maxBytes: number): void {
  if (bytes > maxBytes) throw new DownloadError(`the file is larger than ${maxBytes} bytes`);
}

/** Reads at least this many bytes, or to the end. */
async function gather(pieces: AsyncGenerator<Buffer, void>, bytes: number): Promise<Buffer> {
  const read: Buffer[] = [];
  for (let size = 0; size < bytes; ) {
    const { value } = await pieces.next();
    if (!value) break;
    read.push(value);
    size += value.length;
  }
  return Buffer.concat(read);
}

/** Collects bytes into parts. Writes a file of less than one part in one request. */
function collector(ports: Pick<ImportPorts, 'put' | 'beginParts'>, objectKey: string) {
  let waiting: Buffer[] = [];
  let waitingBytes = 0;
  let parts: PartUpload | undefined;
  const take = (bytes: number): Buffer => {
    const all = Buffer.concat(waiting);
    waiting = bytes < all.length ? [all.subarray(bytes)] : [];
    waitingBytes = Math.max(0, all.length - bytes);
    return all.subarray(0, bytes);
  };
  return {
    add: async (bytes: Buffer): Promise<void> => {
      waiting.push(bytes);
      waitingBytes += bytes.length;
      while (waitingBytes >= partBytes) {
        parts ??= await ports.beginParts(objectKey);
        await parts.send(take(partBytes));
      }
    },
    complete: async (): Promise<void> => {
      if (!parts) return ports.put(objectKey, take(waitingBytes));
      if (waitingBytes > 0) await parts.send(take(waitingBytes));
      await parts.complete();
    },
    abort: async (): Promise<void> => parts?.abort(),
  };
}

/**
 * Reads a body piece by piece, no faster than it is consumed. The caller destroys the body.
 *
 * @param limits.endMs the time at which the reading must end, on the clock of `performance.now()`
 * @throws DownloadError, temporary, if the body breaks off, stalls, or is too slow
 */
async function* readBody(
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
function promisedBytes({ headers }: Pick<IncomingMessage, 'headers'>): number | undefined {
  const encoding = headers['content-encoding']?.trim().toLowerCase() ?? '';
  if (encoding !== '' && encoding !== 'identity')
    throw new DownloadError(
      `the server sends it compressed (${printable(encoding)}), although that was not asked for`,
    );
  const text = headers['content-length'];
  return text !== undefined && /^\d{1,15}$/.test(text) ? Number(text) : undefined;
}

const printable = (text: string): string => text.replaceAll(/[^a-z0-9, _-]/g, '').slice(0, 40);
