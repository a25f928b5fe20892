/**
 * Decodes an upload with a trailing checksum (`STREAMING-UNSIGNED-PAYLOAD-TRAILER`): chunks, each preceded by its
 * length in hex, then an empty chunk, then the trailing headers.
 * https://docs.aws.amazon.com/AmazonS3/latest/API/sigv4-streaming-trailers.html
 */

import { Transform } from 'node:stream';
import { AwsError } from '../errors.ts';

const longestLineBytes = 4096;

/**
 * Creates a stream that outputs only the payload, and fails with AwsError `IncompleteBody` if the framing is invalid.
 *
 * @param onTrailer called with each trailing header: its lower-case name and its value.
 */
export function awsChunkedDecoder(onTrailer: (name: string, value: string) => void): Transform {
  let buffered: Buffer = Buffer.alloc(0);
  let state: 'size' | 'data' | 'data end' | 'trailers' | 'done' = 'size';
  let remaining = 0;

  /** Removes the next line from the buffer, without its line break; undefined until it is complete. */
  function takeLine(): string | undefined {
    const end = buffered.indexOf('\r\n');
    if (end < 0 && buffered.length > longestLineBytes) throw malformed();
    if (end < 0) return undefined;
    const line = buffered.toString('latin1', 0, end);
    buffered = buffered.subarray(end + 2);
    return line;
  }

  /** Runs one step. @returns true if the rest of the buffer may allow another step. */
  function step(emit: (data: Buffer) => void): boolean {
    if (state === 'done') return false;
    if (state === 'data') {
      const data = buffered.subarray(0, remaining);
      buffered = buffered.subarray(data.length);
      remaining -= data.length;
      if (data.length > 0) emit(data);
      if (remaining === 0) state = 'data end';
      return remaining === 0;
    }
    const line = takeLine();
    if (line === undefined) return false;
    if (state === 'size') {
      const [, size = ''] = /^([0-9a-fA-F]{1,12})(?:;.*)?$/.exec(line) ?? [];
      if (size === '') throw malformed();
      remaining = Number.parseInt(size, 16);
      state = remaining === 0 ? 'trailers' : 'data';
    } else if (state === 'data end') {
      if (line !== '') throw malformed();
      state = 'size';
    } else if (line === '') {
      state = 'done';
    } else {
      const [name = '', ...value] = line.split(':');
      onTrailer(name.trim().toLowerCase(), value.join(':').trim());
    }
    return true;
  }

  return new Transform({
    transform(data: Buffer, _encoding, callback) {
      try {
        buffered = buffered.length === 0 ? data : Buffer.concat([buffered, data]);
        while (step((payload) => this.push(payload)));
        callback();
      } catch (error) {
        callback(error instanceof Error ? error : new Error(String(error)));
      }
    },
    flush(callback) {
      // Some clients omit the empty line after the last trailer.
      const complete = state === 'done' || state === 'trailers';
      callback(complete ? null : malformed());
    },
  });
}

function malformed(): AwsError {
  return new AwsError('IncompleteBody', 'The request body terminated unexpectedly');
}
