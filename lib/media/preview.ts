import { auditPart } from '../audit/record.ts';
import { HeraldError, invalidField } from '../kernel/errors.ts';
import { mostPreviewBytes } from './operations.ts';
import { inspectFile } from './probe/inspect.ts';
import { getMedia, type MediaReader } from './read.ts';
import type { Media } from './schemas.ts';
import { settleMedia } from './store.ts';
import { mediaTypeOf } from './types.ts';
import { previewOf } from './urls.ts';

const longestSide = 640;
const maxAttempts = 5;

export interface PreviewContext extends MediaReader {
  /** Stores a public object unless there is one under this key. */
  readonly putNewObject: (objectKey: string, bytes: Uint8Array, contentType: string) => Promise<void>;
}

/**
 * Stores a small picture of a video beside it, which the panel has drawn. The first one stays: a file that has one keeps it.
 *
 * The object comes first, so that no record names one that is missing. It has a fixed key, and the sweep removes it with the file, at
 * the earliest when no request that saw the file can still be running.
 *
 * @param data the JPEG in base64
 * @throws HeraldError `not_found`, `media_pending` until the file is inspected, `invalid` for other files and pictures
 */
export async function storePreview(context: PreviewContext, mediaId: string, data: string): Promise<Media> {
  for (let attempt = 1; attempt <= maxAttempts; attempt += 1) {
    const media = await getMedia(context, mediaId);
    if (media.hasPreview) return media;
    if (media.status === 'pending')
      throw new HeraldError(
        'media_pending',
        'the file has not been inspected yet: try again in a few seconds',
      );
    if (media.status !== 'ready' || mediaTypeOf(media.contentType) !== 'video')
      throw new HeraldError('media_type', 'only a video that is ready can have a preview');
    await context.putNewObject(previewOf(media.objectKey), await jpegOf(data), 'image/jpeg');
    const { reservedBytes } = media;
    const audit = [auditPart(context, { id: mediaId, name: media.filename })];
    const changes = { reservedBytes, hasPreview: true } as const;
    if ((await settleMedia(context.table, media, changes, { audit })) === 'settled')
      return { ...media, hasPreview: true };
  }
  throw new HeraldError('changed_concurrently', 'the file is being changed: try again');
}

/** @throws HeraldError `invalid` unless it is a whole, small JPEG */
async function jpegOf(data: string): Promise<Uint8Array> {
  const bytes = Buffer.from(data, 'base64');
  const found =
    bytes.length <= mostPreviewBytes &&
    (await inspectFile(async (first, last) => bytes.subarray(first, last + 1), bytes.length, 'image/jpeg'));
  const { width = 0, height = 0 } = (found && found.state === 'fit' && found.probe) || {};
  // Nothing may follow the picture, such as a file of another type.
  const isAlone = bytes.subarray(-2).equals(jpegEnd);
  if (!isAlone || width === 0 || height === 0 || Math.max(width, height) > longestSide)
    throw invalidField(
      'data',
      `must be a JPEG of at most ${mostPreviewBytes} bytes, and ${longestSide} pixels on each side`,
      'field_format',
    );
  return bytes;
}

const jpegEnd = Buffer.from([0xff, 0xd9]);
