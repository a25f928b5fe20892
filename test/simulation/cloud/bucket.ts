import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import type { Bucket } from '../../../lib/aws/bucket.ts';
import type { PartUploads } from '../../../lib/aws/part-uploads.ts';
import { secondMs } from '../../../lib/kernel/clock.ts';
import type { Render } from '../../../lib/media/renditions/render.ts';
import type { RenditionBucket } from '../../../lib/media/renditions/run-rendition.ts';
import { InjectedError } from '../world/faults.ts';
import { currentProcess } from '../world/process.ts';
import type { World } from '../world/world.ts';

interface StoredObject {
  readonly bytes: Buffer;
  readonly contentType: string;
  readonly etag: string;
  /** Computed by the copy that made it public. */
  readonly sha256?: string;
}

/** The bytes of every rendition. */
const rendered = readFileSync(join(import.meta.dirname, '../../fixtures/image.jpg'));

const digestOf = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex');

/**
 * The media bucket, with a renderer. It notifies of a new object late, and sometimes twice.
 *
 * @param notify sends an event to the queue of arrived files
 */
export function createBucket(world: World, notify: (body: string) => void) {
  const objects = new Map<string, StoredObject>();

  const ask = <Answer>(what: string, effect: () => Answer): Promise<Answer> =>
    world.call(currentProcess(), what, () => {
      if (world.outageOf('files')) throw new InjectedError('the bucket does not answer');
      if (world.happens('filesFail')) throw new InjectedError('the bucket failed');
      return effect();
    });

  const bucket: Bucket = {
    describe: (objectKey) =>
      ask('looks up a file', () => {
        const found = objects.get(objectKey);
        if (!found) return undefined;
        const { bytes, etag, sha256 } = found;
        return { sizeBytes: bytes.length, etag, ...(sha256 !== undefined && { sha256 }) };
      }),
    openRange: (objectKey, first, last) =>
      ask('reads a file', () => {
        const found = objects.get(objectKey);
        if (!found) throw new InjectedError('the file is gone');
        return Readable.from([found.bytes.subarray(first, last + 1)]);
      }),
    readRange: (objectKey, first, last, etag) =>
      ask('reads a part of a file', () => {
        const found = objects.get(objectKey);
        return found?.etag === etag ? found.bytes.subarray(first, last + 1) : undefined;
      }),
    publish: ({ incomingKey, objectKey, etag, contentType }) =>
      ask('copies a file', () => {
        const found = objects.get(incomingKey);
        if (found?.etag !== etag || objects.has(objectKey)) return undefined;
        const sha256 = digestOf(found.bytes);
        objects.set(objectKey, { ...found, contentType, sha256 });
        return { sha256 };
      }),
    list: (prefix) =>
      ask('lists files', () => [...objects.keys()].filter((key) => key.startsWith(prefix)).sort()),
    remove: (objectKey, etag) =>
      ask('removes a file', () => {
        if (etag === undefined || objects.get(objectKey)?.etag === etag) objects.delete(objectKey);
      }),
    abortUpload: async () => {
      throw new Error('no file of a run has several parts');
    },
  };

  /** Stores an object, and notifies of it. */
  function put(objectKey: string, bytes: Buffer, contentType: string): void {
    const etag = `"${createHash('md5').update(bytes).digest('hex')}"`;
    objects.set(objectKey, { bytes, contentType, etag });
    const event = JSON.stringify({ Records: [{ s3: { object: { key: encodeURIComponent(objectKey) } } }] });
    world.clockwork.after(world.random.between(0, 2 * secondMs), () => notify(event));
  }

  const partUploads: Pick<PartUploads, 'put' | 'begin'> = {
    put: (objectKey, bytes) =>
      ask('stores a file', () => put(objectKey, Buffer.from(bytes), 'application/octet-stream')),
    begin: async () => {
      throw new Error('no file of a run has several parts');
    },
  };

  /** Renders every picture as the same one. It reads the original, as the renderer does. */
  const render: Render = async (_recipe, { sizeBytes, readRange }) => {
    await readRange(0, sizeBytes - 1);
    if (world.happens('renditionFails')) return { state: 'failed', reason: 'the picture is damaged' };
    return { state: 'rendered', path: 'rendition', sizeBytes: rendered.length, sha256: digestOf(rendered) };
  };

  const putNew: RenditionBucket['putNew'] = (objectKey, { sha256, contentType }) =>
    ask('stores a rendition', () => {
      if (!objects.has(objectKey))
        objects.set(objectKey, { bytes: rendered, contentType, etag: `"${sha256}"`, sha256 });
    });

  return {
    bucket,
    partUploads,
    renditionBucket: { ...bucket, putNew },
    render,
    keys: () => objects.keys(),
    /** Makes the media host drop cached copies; it has none. */
    invalidate: (): Promise<void> => ask('invalidates cached files', () => undefined),
    /** A file as the public media host serves it. */
    read: (objectKey: string): StoredObject | undefined =>
      objectKey.startsWith('media/') ? objects.get(objectKey) : undefined,
    put,
  };
}

export type SimulatedBucket = ReturnType<typeof createBucket>;
