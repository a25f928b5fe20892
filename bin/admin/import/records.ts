import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';

/** One post of a file. */
export interface FileRecord {
  /** The line on which it begins, from 1. */
  readonly line: number;
  /** The number of the file's bytes up to the end of this post, as far as known. */
  readonly endByte: number;
  readonly parsed: ParsedRecord;
}

/** The body of a request to create the post, or the reason for its absence. */
export type ParsedRecord =
  | { readonly body: Record<string, unknown>; readonly problem?: undefined }
  | { readonly problem: { readonly field: string; readonly message: string } };

/** An error that ends the import: the rest of the file cannot be read. */
export class FileError extends Error {
  override readonly name = 'FileError';
}

/** Reads a file with one JSON object per line, the body of a request to create a post. Empty lines are skipped. */
export async function* readNdjson(path: string): AsyncGenerator<FileRecord> {
  const lines = createInterface({
    input: createReadStream(path, 'utf8'),
    crlfDelay: Number.POSITIVE_INFINITY,
  });
  let line = 0;
  let endByte = 0;
  for await (const text of lines) {
    line += 1;
    endByte += Buffer.byteLength(text) + 1;
    const content = line === 1 ? text.replace(/^\uFEFF/, '') : text;
    if (content.trim() !== '') yield { line, endByte, parsed: parseLine(content) };
  }
}

function parseLine(text: string): ParsedRecord {
  const problem = { field: 'line', message: 'must be a JSON object' };
  try {
    const body: unknown = JSON.parse(text);
    const isObject = typeof body === 'object' && body !== null && !Array.isArray(body);
    return isObject ? { body: body as Record<string, unknown> } : { problem };
  } catch {
    return { problem };
  }
}
