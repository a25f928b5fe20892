import type { Context } from '../../api-contract/context.ts';
import { auditPart } from '../../audit/record.ts';
import { dayMs, toTimestamp } from '../../kernel/clock.ts';
import { HeraldError } from '../../kernel/errors.ts';
import type { PartsToSend } from '../operations.ts';
import { getMedia, type MediaReader } from '../read.ts';
import type { Media, StoredParts } from '../schemas.ts';
import { settleMedia } from '../store.ts';
import { incomingKeyOf } from '../urls.ts';
import type { StoredObject } from './complete-upload.ts';

/** A part that the bucket has. */
interface SentPart {
  readonly number: number;
  readonly sizeBytes: number;
  readonly etag: string;
}

/** The bucket's uploads in parts. */
export interface UploadsInParts {
  /** Begins an upload. @returns its id */
  readonly begin: (objectKey: string, contentType: string) => Promise<string>;
  /** Signs a URL that takes exactly this part, of exactly this size. */
  readonly sign: (part: {
    readonly objectKey: string;
    readonly uploadId: string;
    readonly number: number;
    readonly sizeBytes: number;
    readonly expiresInSeconds: number;
  }) => Promise<string>;
  /** Lists the parts that have arrived; `undefined` if the upload has ended. */
  readonly list: (objectKey: string, uploadId: string) => Promise<readonly SentPart[] | undefined>;
  /** Makes the object. `gone`: the upload has ended. `changed`: a part is not the one that was listed. */
  readonly complete: (
    objectKey: string,
    uploadId: string,
    parts: readonly SentPart[],
  ) => Promise<'completed' | 'gone' | 'changed'>;
}

/** The context of uploads in parts. */
export interface PartsContext extends MediaReader {
  readonly clientUploads: UploadsInParts;
}

/** The context of completing an upload. */
export interface CompletionContext extends PartsContext {
  /** Describes an object; `undefined` if there is none. */
  readonly describeObject: (objectKey: string) => Promise<StoredObject | undefined>;
}

/**
 * The size of a part. S3 takes parts of at least 5 MiB, at most 10,000 of them, and lists 1,000 at once
 * (https://docs.aws.amazon.com/AmazonS3/latest/userguide/qfacts.html). With this size, the largest file has 128.
 */
export const partBytes = 8 * 1024 ** 2;

/** The time within which all parts must be sent. Until then, the file's size is reserved. */
export const partsLastMs = dayMs;

const grantSeconds = 3_600;

/** The maximum number of parts to sign at once. A URL has about 1,700 characters. */
const mostSigned = 32;

/** Returns the parts of a file, in order. Pure. */
export function partsOf({ sizeBytes, partBytes }: Pick<StoredParts, 'sizeBytes' | 'partBytes'>) {
  const count = Math.ceil(sizeBytes / partBytes);
  return Array.from({ length: count }, (_, index) => ({
    number: index + 1,
    sizeBytes: index + 1 < count ? partBytes : sizeBytes - index * partBytes,
  }));
}

/** Returns the time after which an upload in parts has ended, in epoch milliseconds. */
export const partsEndMs = ({ createdAt }: Pick<Media, 'createdAt'>): number =>
  Date.parse(createdAt) + partsLastMs;

const ended = () =>
  new HeraldError('upload_ended', 'the upload has ended: get another upload grant and begin again');

/** A file whose upload is under way. */
interface Sending {
  readonly media: Media;
  readonly parts: StoredParts;
}

/**
 * Lists the parts that have arrived, and signs URLs for the first of those that are missing. An upload goes on from there after any
 * interruption.
 *
 * @throws HeraldError `not_found`, also for a foreign file; `upload_ended`
 */
export async function listParts(context: PartsContext, mediaId: string): Promise<PartsToSend> {
  const sending = await findSending(context, mediaId);
  if (!('parts' in sending) || partsEndMs(sending.media) <= context.now) throw ended();
  const { media, parts } = sending;
  const objectKey = incomingKeyOf(media.objectKey);
  const arrived = await context.clientUploads.list(objectKey, parts.uploadId);
  if (arrived === undefined) throw ended();
  const { missing } = compare(parts, arrived);
  const toSign = missing.slice(0, mostSigned);
  const urls = await Promise.all(
    toSign.map((part) =>
      context.clientUploads.sign({
        objectKey,
        uploadId: parts.uploadId,
        ...part,
        expiresInSeconds: grantSeconds,
      }),
    ),
  );
  return {
    parts: toSign.map(({ number, sizeBytes }, index) => ({
      partNumber: number,
      offset: (number - 1) * parts.partBytes,
      size: sizeBytes,
      uploadUrl: urls[index] ?? '',
    })),
    missingCount: missing.length,
    partCount: partsOf(parts).length,
    expiresIn: grantSeconds,
  };
}

const maxAttempts = 3;

/**
 * Makes the file of its parts, once all of them have arrived. The bucket's event about the new object then has it inspected, as
 * after any other upload. A repeated call changes nothing, and answers like the first. A call that races with the deletion of the
 * file or with the end of the upload either comes first, and then the object is removed as a late upload is, or finds it ended.
 *
 * @throws HeraldError `not_found`, also for a foreign file; `upload_incomplete`; `upload_ended`
 */
export async function completeParts(context: CompletionContext, mediaId: string): Promise<Media> {
  for (let attempt = 1; attempt <= maxAttempts; attempt += 1) {
    const sending = await findSending(context, mediaId);
    if (!('parts' in sending)) return sending.media;
    const { media, parts } = sending;
    const objectKey = incomingKeyOf(media.objectKey);
    const arrived = await context.clientUploads.list(objectKey, parts.uploadId);
    if (arrived === undefined) return completed(context, media);
    const { missing, whole } = compare(parts, arrived);
    if (missing.length > 0)
      throw new HeraldError(
        'upload_incomplete',
        `${missing.length} of ${partsOf(parts).length} parts have not arrived, beginning with part ${missing[0]?.number}`,
      );
    if (!(await noteCompletion(context, sending))) continue;
    const outcome = await context.clientUploads.complete(objectKey, parts.uploadId, whole);
    if (outcome === 'completed') return media;
    if (outcome === 'gone') return completed(context, media);
  }
  throw new HeraldError('changed_concurrently', 'parts are being sent at the same time; try again');
}

/**
 * Notes once that a client has asked for the completion, with the entry of the audit log. Before the object is made: its inspection
 * changes the record at once.
 *
 * @returns false if the record has changed in the meantime
 */
async function noteCompletion(context: Context, { media, parts }: Sending): Promise<boolean> {
  if (parts.completionAskedAt !== undefined) return true;
  const { reservedBytes, id, filename } = media;
  const changes = { reservedBytes, parts: { ...parts, completionAskedAt: toTimestamp(context.now) } };
  const audit = auditPart(context, { id, name: filename });
  return (await settleMedia(context.table, media, changes, { audit: [audit] })) === 'settled';
}

/** Returns the parts that are missing, and the parts of the file that have arrived. A part of another size is missing. */
function compare(parts: StoredParts, arrived: readonly SentPart[]) {
  const byNumber = new Map(arrived.map((part) => [part.number, part]));
  const whole: SentPart[] = [];
  const missing = partsOf(parts).filter(({ number, sizeBytes }) => {
    const part = byNumber.get(number);
    if (part?.sizeBytes !== sizeBytes) return true;
    whole.push(part);
    return false;
  });
  return { missing, whole };
}

/**
 * Returns the file of an upload that has ended, if it was completed. Its object is there until the file's record says what became
 * of it.
 */
async function completed(context: CompletionContext, media: Media): Promise<Media> {
  if (await context.describeObject(incomingKeyOf(media.objectKey))) return media;
  const latest = await findSending(context, media.id);
  if ('parts' in latest) throw ended();
  return latest.media;
}

/**
 * Returns the file, and its upload if that is still under way.
 *
 * @throws HeraldError `not_found`; `conflict` if the grant did not ask for parts
 */
async function findSending(
  context: PartsContext,
  mediaId: string,
): Promise<Sending | { readonly media: Media }> {
  const media = await getMedia(context, mediaId);
  const { parts } = media;
  if (parts === undefined) throw new HeraldError('conflict', 'the upload grant did not ask for parts');
  return media.status === 'pending' ? { media, parts } : { media };
}
