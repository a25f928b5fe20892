/** Puts the files of a deployment into their buckets, without the requests that the AWS CLI would send. */
import { createHash } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { extname } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { crc32 } from 'node:zlib';
import type { Clock } from '../../clock.ts';
import type { UploadedFile } from '../../model.ts';
import type { ObjectStore } from './object-store.ts';

/** The content types that the AWS CLI guesses from a file's name. */
const contentTypes: Readonly<Record<string, string>> = {
  '.css': 'text/css',
  '.html': 'text/html',
  '.ico': 'image/vnd.microsoft.icon',
  '.js': 'text/javascript',
  '.json': 'application/json',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.txt': 'text/plain',
  '.webmanifest': 'application/manifest+json',
  '.woff2': 'font/woff2',
};

/** Uploads the files. Stored files with the same content and headers stay unchanged. Buckets are not notified. */
export async function uploadFiles(
  store: ObjectStore,
  files: readonly UploadedFile[],
  clock: Clock,
): Promise<void> {
  for (const { bucketName, key, file, headers: described } of files) {
    const content = await readFile(file);
    const etag = createHash('md5').update(content).digest('hex');
    const headers = { 'content-type': contentTypes[extname(key)] ?? 'binary/octet-stream', ...described };
    const present = store.get(bucketName, key);
    if (present?.etag === etag && isDeepStrictEqual(present.headers, headers)) continue;
    const stored = store.newFile();
    await writeFile(stored, content);
    const sum = Buffer.alloc(4);
    sum.writeUInt32BE(crc32(content));
    await store.put(
      {
        bucketName,
        key,
        etag,
        size: content.length,
        modifiedAtMs: clock.now(),
        headers,
        metadata: {},
        crc32: sum.toString('base64'),
        file: stored,
      },
      'ObjectCreated:Put',
      [],
    );
  }
}
