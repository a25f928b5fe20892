import type { IncomingHttpHeaders } from 'node:http';
import { Refusal } from '../kit/answers.ts';
import type { Call } from '../kit/call.ts';

/** A form as S3 reads it ("Browser-based uploads using POST"): the fields, then the file as the last part. */
export interface UploadForm {
  readonly fields: Readonly<Record<string, string>>;
  /** Returns the file as a stream, which must be read to its end. @throws Refusal if anything follows the file */
  readonly file: () => AsyncGenerator<Buffer>;
}

/** The maximum size of the fields before the file; S3's limit is 20 kB. */
const maxHeadBytes = 20_000;

/** Checks the headers before the body is read. @throws Refusal with S3's error */
export function requireUploadHeaders(headers: IncomingHttpHeaders, maxBytes: number): void {
  if (headers['transfer-encoding'] !== undefined || headers['content-length'] === undefined) {
    throw s3Refusal(411, 'MissingContentLength', 'You must provide the Content-Length HTTP header.');
  }
  if (headers.authorization !== undefined) {
    throw s3Refusal(
      400,
      'InvalidArgument',
      'Only one auth mechanism allowed; only the X-Amz-Algorithm query parameter, Signature query string parameter or the Authorization header should be specified',
    );
  }
  if (Number(headers['content-length']) > maxBytes) {
    throw s3Refusal(400, 'EntityTooLarge', 'Your proposed upload exceeds the maximum allowed size');
  }
  if (!/^multipart\/form-data\s*;/i.test(headers['content-type'] ?? '')) {
    throw s3Refusal(
      412,
      'PreconditionFailed',
      'Bucket POST must be of the enclosure-type multipart/form-data',
    );
  }
}

/** Reads up to the first byte of the file. @throws Refusal with S3's error */
export async function readUploadForm({ headers, body }: Pick<Call, 'headers' | 'body'>): Promise<UploadForm> {
  const boundary = /boundary="?([^";]+)"?/i.exec(headers['content-type'] ?? '')?.[1];
  if (boundary === undefined) throw malformed();
  const source: AsyncIterator<Buffer> = body[Symbol.asyncIterator]();
  const fields: Record<string, string> = {};
  let held: Buffer = Buffer.from('\r\n');
  let headBytes = 0;

  const more = async () => {
    const next = await source.next();
    if (next.done === true) throw malformed();
    held = Buffer.concat([held, next.value]);
  };
  /** Reads and returns the text before `mark`; skips `mark`. */
  const before = async (mark: string) => {
    for (;;) {
      const at = held.indexOf(mark);
      if (at >= 0) {
        const text = held.toString('utf8', 0, at);
        held = held.subarray(at + mark.length);
        headBytes += at + mark.length;
        return text;
      }
      if (headBytes + held.length > maxHeadBytes + 65_536) {
        throw s3Refusal(400, 'MaxPostPreDataLengthExceeded', 'Your POST request fields are too large.');
      }
      await more();
    }
  };

  await before(`\r\n--${boundary}`);
  for (;;) {
    while (held.length < 2) await more();
    if (held.subarray(0, 2).toString() === '--') throw noFile();
    const head = await before('\r\n\r\n');
    const name = /[;\s]name="([^"]*)"/i.exec(head)?.[1];
    if (name === undefined) throw malformed();
    if (name === 'file') break;
    fields[name] = await before(`\r\n--${boundary}`);
  }

  async function* file() {
    const end = `\r\n--${boundary}`;
    for (;;) {
      const at = held.indexOf(end);
      if (at >= 0) {
        yield held.subarray(0, at);
        held = held.subarray(at + end.length);
        break;
      }
      const sure = Math.max(0, held.length - end.length + 1);
      if (sure > 0) yield held.subarray(0, sure);
      held = held.subarray(sure);
      await more();
    }
    let rest = held;
    for (let next = await source.next(); next.done !== true; next = await source.next()) {
      rest = Buffer.concat([rest, next.value]);
    }
    // S3 ignores everything after the file, even required fields. The simulator refuses it to expose the client's bug.
    if (!/^--(\r\n)?$/.test(rest.toString('latin1'))) throw noFile();
  }

  return { fields, file };
}

/** Returns an S3 error, in XML. */
export function s3Refusal(status: number, code: string, message: string): Refusal {
  const body = `<?xml version="1.0" encoding="UTF-8"?>\n<Error><Code>${code}</Code><Message>${message}</Message><RequestId>LOCAL</RequestId></Error>`;
  return new Refusal({ status, headers: { 'content-type': 'application/xml' }, body });
}

function malformed(): Refusal {
  return s3Refusal(
    400,
    'MalformedPOSTRequest',
    'The body of your POST request is not well-formed multipart/form-data.',
  );
}

function noFile(): Refusal {
  return s3Refusal(
    400,
    'InvalidArgument',
    'POST requires exactly one file upload per request, as its last field.',
  );
}
