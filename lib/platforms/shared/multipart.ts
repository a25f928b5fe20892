import { randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
import type { Json } from '../../kernel/json.ts';
import type { Parameters, PlatformBody } from '../contract/http.ts';

/** One file of a multipart body. */
export interface FilePart {
  readonly name: string;
  readonly filename: string;
  readonly contentType: string;
  readonly sizeBytes: number;
  readonly open: () => Promise<Readable>;
}

/** Makes a `multipart/form-data` body (RFC 7578) with fields and one file. Streams the file; never holds it in memory. */
export function multipartBody(fields: Parameters, file: FilePart): PlatformBody {
  const boundary = `herald-${randomBytes(18).toString('base64url')}`;
  const parts = Object.entries(fields).flatMap(([name, value]) =>
    value === undefined ? [] : [`--${boundary}\r\n${disposition(name)}\r\n\r\n${value}\r\n`],
  );
  const head = Buffer.from(
    `${parts.join('')}--${boundary}\r\n${disposition(file.name)}; filename="${quoted(file.filename)}"\r\n` +
      `Content-Type: ${file.contentType}\r\n\r\n`,
  );
  const tail = Buffer.from(`\r\n--${boundary}--\r\n`);
  return {
    contentType: `multipart/form-data; boundary=${boundary}`,
    sizeBytes: head.length + file.sizeBytes + tail.length,
    open: async () => {
      const content = await file.open();
      return Readable.from(
        (async function* () {
          yield head;
          yield* content;
          yield tail;
        })(),
      );
    },
  };
}

/** Makes a `multipart/related` body (RFC 2387) with metadata in JSON and one text, as Google's uploads take it. */
export function relatedBody(metadata: Json, text: string): PlatformBody {
  const boundary = `herald-${randomBytes(18).toString('base64url')}`;
  const body = Buffer.from(
    `--${boundary}\r\nContent-Type: application/json; charset=UTF-8\r\n\r\n${JSON.stringify(metadata)}\r\n` +
      `--${boundary}\r\nContent-Type: application/octet-stream\r\n\r\n${text}\r\n--${boundary}--\r\n`,
  );
  return {
    contentType: `multipart/related; boundary=${boundary}`,
    sizeBytes: body.length,
    open: async () => Readable.from([body]),
  };
}

function disposition(name: string): string {
  return `Content-Disposition: form-data; name="${quoted(name)}"`;
}

/** Escapes a name as browsers do (HTML Standard, "multipart form data"). */
function quoted(name: string): string {
  return name.replaceAll('\n', '%0A').replaceAll('\r', '%0D').replaceAll('"', '%22');
}
