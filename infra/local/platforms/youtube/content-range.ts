/**
 * The rules of Google's resumable uploads for one `PUT` to a session ("Resumable Uploads" guide, steps 3 to 5), as pure
 * functions: read the header, and decide what to do given the number of bytes stored so far.
 */

/** Every chunk except the last is a multiple of this. An interrupted chunk is kept in units of this size. */
export const chunkGrainBytes = 262_144;

export type ContentRange =
  | { readonly kind: 'status-query'; readonly totalBytes: number | undefined }
  | {
      readonly kind: 'chunk';
      readonly firstByte: number;
      readonly lastByte: number;
      readonly totalBytes: number | undefined;
    };

/** Reads a `Content-Range` header. `*` as the range means a status query. Returns undefined if malformed. */
export function parseContentRange(header: string): ContentRange | undefined {
  const match = /^bytes (?:(\d{1,15})-(\d{1,15})|\*)\/(\d{1,15}|\*)$/.exec(header);
  if (match === null) return undefined;
  const [, first, last, total] = match;
  const totalBytes = total === '*' ? undefined : Number(total);
  if (first === undefined || last === undefined) return { kind: 'status-query', totalBytes };
  const [firstByte, lastByte] = [Number(first), Number(last)];
  if (lastByte < firstByte || (totalBytes !== undefined && lastByte >= totalBytes)) return undefined;
  return { kind: 'chunk', firstByte, lastByte, totalBytes };
}

export type ChunkDecision =
  | { readonly action: 'report-offset' }
  | { readonly action: 'store'; readonly chunkBytes: number }
  | { readonly action: 'refuse'; readonly message: string };

export interface ChunkSituation {
  /** The `Content-Range` header. A single PUT of the whole file may omit it. */
  readonly contentRange: string | undefined;
  /** The `Content-Length` header, in bytes. */
  readonly contentLength: number | undefined;
  /** The `X-Upload-Content-Length` from the start of the session. */
  readonly declaredBytes: number;
  /** The number of bytes stored so far. */
  readonly storedBytes: number;
}

/**
 * Decides how to handle one PUT. A chunk that does not begin where the stored bytes end is not an error: as for a
 * status query, the answer is 308 with the stored range, from which the client resumes.
 */
export function decideChunk({
  contentRange,
  contentLength,
  declaredBytes,
  storedBytes,
}: ChunkSituation): ChunkDecision {
  const range = parseContentRange(contentRange ?? `bytes 0-${declaredBytes - 1}/${declaredBytes}`);
  if (range === undefined) return refuse(`Invalid Content-Range: ${contentRange}`);
  if (range.totalBytes !== undefined && range.totalBytes !== declaredBytes) {
    return refuse(
      `The total of Content-Range is ${range.totalBytes}; the session was opened for ${declaredBytes}.`,
    );
  }
  if (range.kind === 'status-query') {
    return (contentLength ?? 0) === 0
      ? { action: 'report-offset' }
      : refuse('A status query has no body: send Content-Length: 0.');
  }
  const chunkBytes = range.lastByte - range.firstByte + 1;
  if (range.lastByte >= declaredBytes) return refuse('Content-Range ends after the declared length.');
  if (contentLength !== chunkBytes) {
    return refuse(
      `Content-Range names ${chunkBytes} bytes, Content-Length is ${contentLength ?? 'missing'}.`,
    );
  }
  const isLast = range.lastByte === declaredBytes - 1;
  if (!isLast && chunkBytes % chunkGrainBytes !== 0) {
    return refuse(
      `Every chunk but the last must be a multiple of ${chunkGrainBytes} bytes; this has ${chunkBytes}.`,
    );
  }
  return range.firstByte === storedBytes ? { action: 'store', chunkBytes } : { action: 'report-offset' };
}

/** Returns the headers of a 308. `Range` is the stored range; it is absent if nothing is stored. */
export function resumeHeaders(storedBytes: number): Record<string, string> {
  return storedBytes === 0 ? {} : { Range: `bytes=0-${storedBytes - 1}` };
}

/** Returns the number of bytes that are kept if a connection breaks off: whole units of `chunkGrainBytes`. */
export function wholeGrains(bytes: number): number {
  return bytes - (bytes % chunkGrainBytes);
}

function refuse(message: string): ChunkDecision {
  return { action: 'refuse', message };
}
