/** Streams the body of an upload to a file, and verifies it against the length and checksums in its headers. */

import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import type { IncomingHttpHeaders } from 'node:http';
import { type Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { crc32 } from 'node:zlib';
import { AwsError } from '../errors.ts';
import { awsChunkedDecoder } from './aws-chunked.ts';

export interface ReceivedBody {
  readonly size: number;
  /** Hex. */
  readonly md5: string;
  /** Base64 of the four bytes. */
  readonly crc32: string;
}

/** https://docs.aws.amazon.com/AmazonS3/latest/userguide/upload-objects.html: 5 GiB in one request. */
const maximumBytes = 5 * 1024 ** 3;

/**
 * @param file the path to write; removed again if the body is refused or incomplete.
 * @throws AwsError for a missing or excessive length, and for a body that does not match its headers.
 */
export async function receiveBody(
  body: Readable,
  headers: IncomingHttpHeaders,
  file: string,
): Promise<ReceivedBody> {
  const contentHash = String(headers['x-amz-content-sha256'] ?? 'UNSIGNED-PAYLOAD');
  const isChunked = contentHash === 'STREAMING-UNSIGNED-PAYLOAD-TRAILER';
  if (contentHash.startsWith('STREAMING-') && !isChunked) {
    throw new AwsError('NotImplemented', `The local cloud does not read bodies sent as ${contentHash}.`, 501);
  }
  const expectedBytes = expectedLength(headers, isChunked);
  const expected = new Map(Object.entries(headers).map(([name, value]) => [name, String(value)]));
  const sums = createSums();
  const stages = [
    ...(isChunked ? [awsChunkedDecoder((name, value) => expected.set(name, value))] : []),
    sums.stream,
    createWriteStream(file, { flags: 'wx' }),
  ];
  try {
    await pipeline([body, ...stages]);
    const received = sums.result();
    if (received.size !== expectedBytes) {
      throw new AwsError(
        'IncompleteBody',
        'You did not provide the number of bytes specified by the Content-Length HTTP header',
      );
    }
    checkSums(expected, contentHash, received);
    return received;
  } catch (error) {
    await rm(file, { force: true });
    throw isPrematureEnd(error)
      ? new AwsError('IncompleteBody', 'The request body terminated unexpectedly')
      : error;
  }
}

function expectedLength(headers: IncomingHttpHeaders, isChunked: boolean): number {
  const header = headers[isChunked ? 'x-amz-decoded-content-length' : 'content-length'];
  if (header === undefined) {
    throw new AwsError('MissingContentLength', 'You must provide the Content-Length HTTP header.', 411);
  }
  const bytes = Number(header);
  if (!Number.isInteger(bytes) || bytes < 0) {
    throw new AwsError('InvalidArgument', 'The length of the body is not a number.');
  }
  if (bytes > maximumBytes) {
    throw new AwsError('EntityTooLarge', 'Your proposed upload exceeds the maximum allowed size');
  }
  return bytes;
}

interface Sums extends ReceivedBody {
  /** Hex. */
  readonly sha256: string;
}

function createSums(): { stream: Transform; result: () => Sums } {
  const md5 = createHash('md5');
  const sha256 = createHash('sha256');
  let sum = 0;
  let size = 0;
  const stream = new Transform({
    transform(data: Buffer, _encoding, callback) {
      md5.update(data);
      sha256.update(data);
      sum = crc32(data, sum);
      size += data.length;
      callback(null, data);
    },
  });
  return {
    stream,
    result() {
      const sumBytes = Buffer.alloc(4);
      sumBytes.writeUInt32BE(sum);
      return {
        size,
        md5: md5.digest('hex'),
        sha256: sha256.digest('hex'),
        crc32: sumBytes.toString('base64'),
      };
    },
  };
}

function checkSums(expected: ReadonlyMap<string, string>, contentHash: string, received: Sums): void {
  const { md5, sha256, crc32: crc } = received;
  if (/^[0-9a-f]{64}$/.test(contentHash) && contentHash !== sha256) {
    throw new AwsError(
      'XAmzContentSHA256Mismatch',
      "The provided 'x-amz-content-sha256' header does not match what was computed.",
    );
  }
  const base64Of = (hex: string) => Buffer.from(hex, 'hex').toString('base64');
  const actual: Readonly<Record<string, string>> = {
    'content-md5': base64Of(md5),
    'x-amz-checksum-crc32': crc,
    'x-amz-checksum-sha256': base64Of(sha256),
  };
  for (const [name, value] of Object.entries(actual)) {
    const claimed = expected.get(name);
    if (claimed !== undefined && claimed !== value) {
      throw new AwsError('BadDigest', `The ${name} you specified did not match what we received.`);
    }
  }
  for (const name of ['x-amz-checksum-crc32c', 'x-amz-checksum-crc64nvme', 'x-amz-checksum-sha1']) {
    if (expected.has(name))
      throw new AwsError('NotImplemented', `The local cloud does not compute ${name}.`, 501);
  }
}

function isPrematureEnd(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  return code === 'ECONNRESET' || code === 'ERR_STREAM_PREMATURE_CLOSE';
}
