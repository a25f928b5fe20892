import { randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
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

function disposition(name: string): string {
  return `Content-Disposition: form-data; name="${quoted(name)}"`;
}

/** Escapes a name as browsers do (HTML Standard, "multipart form data"). */
function quoted(name: string): string {
  return name.replaceAll('\n', '%0A').replaceAll('\r', '%0D').replaceAll('"', '%22');
}
