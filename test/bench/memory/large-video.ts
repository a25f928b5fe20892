import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { request } from 'node:http';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

export interface LargeVideo {
  readonly sizeBytes: number;
  readonly sha256: string;
  /** Opens a stream that generates the bytes as they are read. */
  open(): Readable;
}

const blockBytes = 1024 ** 2;

/**
 * Enlarges a short video with a `free` box at its end (ISO/IEC 14496-12, 8.1.2), which players and platforms ignore.
 *
 * @param sizeBytes the size of the result, which must exceed that of the short video
 */
export function largeVideo(sizeBytes: number): LargeVideo {
  const video = readFileSync(join(import.meta.dirname, '../../fixtures/video.mp4'));
  const boxHeader = Buffer.alloc(8);
  boxHeader.writeUInt32BE(sizeBytes - video.length, 0);
  boxHeader.write('free', 4, 'latin1');
  function* parts(): Generator<Buffer> {
    yield video;
    yield boxHeader;
    const block = Buffer.alloc(blockBytes, 'padding ');
    for (let left = sizeBytes - video.length - boxHeader.length; left > 0; left -= blockBytes) {
      yield left >= blockBytes ? block : block.subarray(0, left);
    }
  }
  const hash = createHash('sha256');
  for (const part of parts()) hash.update(part);
  return { sizeBytes, sha256: hash.digest('hex'), open: () => Readable.from(parts()) };
}

/**
 * Uploads the video.
 *
 * @throws Error with the status if the upload is refused
 */
export async function upload(video: LargeVideo, uploadUrl: string, contentType: string): Promise<void> {
  const outgoing = request(uploadUrl, {
    method: 'PUT',
    headers: { 'content-type': contentType, 'content-length': video.sizeBytes },
  });
  const status = new Promise<number>((resolve, reject) => {
    outgoing.on('response', (answer) => resolve(answer.resume().statusCode ?? 0)).on('error', reject);
  });
  await pipeline(video.open(), outgoing);
  if ((await status) !== 200) throw new Error(`the upload returned ${await status}`);
}
