/**
 * The rules of Google's resumable uploads for one `PUT` to a session ("Resumable Uploads" guide, steps 3 to 5), apart
 * from any bytes: what the header says, and what must happen given how many bytes are stored already.
 */

/** Every chunk but the last is a multiple of this, and this is also the grain in which a cut-off chunk is kept. */
export const chunkGrainBytes = 262_144;

export type ContentRange =
  | { readonly kind: 'status-query'; readonly totalBytes: number | undefined }
  | {
      readonly kind: 'chunk';
      readonly firstByte: number;
      readonly lastByte: number;
      readonly totalBytes: number | undefined;
    };

/** Reads a `Content-Range` header: a status query has no range, an unknown total is a star. `undefined` if malformed. */
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
  /** The `Content-Range` header; a single PUT of the whole file may leave it out. */
  readonly contentRange: string | undefined;
  /** The `Content-Length` header, in bytes. */
  readonly contentLength: number | undefined;
  /** What `X-Upload-Content-Length` promised when the session began. */
  readonly declaredBytes: number;
  /** What is stored so far. */
  readonly storedBytes: number;
}

/**
 * Decides one PUT. A chunk that does not begin where the stored bytes end is not an error: as for a status query,
 * the answer is 308 with the true range, from which the client goes on.
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

/** The headers of a 308: `Range` names what is stored, and is left out while nothing is. */
export function resumeHeaders(storedBytes: number): Record<string, string> {
  return storedBytes === 0 ? {} : { Range: `bytes=0-${storedBytes - 1}` };
}

/** How much of a chunk survives when the connection ends early: whole grains only. */
export function wholeGrains(bytes: number): number {
  return bytes - (bytes % chunkGrainBytes);
}

function refuse(message: string): ChunkDecision {
  return { action: 'refuse', message };
}
