import { referenceTo } from '../../access/actor.ts';
import type { Context } from '../../api-contract/context.ts';
import { auditPart } from '../../audit/record.ts';
import { toTimestamp } from '../../kernel/clock.ts';
import { HeraldError, invalidField, notFound } from '../../kernel/errors.ts';
import { newId } from '../../kernel/ids.ts';
import type { PresignBody, UploadGrant } from '../operations.ts';
import type { Media } from '../schemas.ts';
import { reserveMedia } from '../store.ts';
import {
  acceptedContentTypes,
  acceptedInWords,
  contentTypeOf,
  largestBytes,
  normalizedContentType,
  refusedTypeName,
  refusedTypeNameOf,
} from '../types.ts';
import { incomingKeyOf, objectKeyFor, publicUrl } from '../urls.ts';
import { arrivalGraceMs } from './complete-upload.ts';
import { partBytes, partsEndMs, partsOf, type UploadsInParts } from './parts.ts';

export interface MediaContext extends Context {
  /** The media host, without a final slash. */
  readonly mediaBaseUrl: string;
  readonly signUpload: (upload: {
    objectKey: string;
    contentType: string;
    /** The exact size that the upload must have; any size if undefined. */
    sizeBytes: number | undefined;
    expiresInSeconds: number;
  }) => Promise<string>;
  readonly clientUploads: Pick<UploadsInParts, 'begin'>;
}

const grantSeconds = 3_600;

/**
 * Grants an upload: signs a URL for exactly this type (and size, if declared) and takes the declared size from the
 * workspace's quota. Without a declared size, at least one byte must be free; the file's real size is checked when it
 * arrives. The URL writes under `incoming/`; `publicUrl` exists once the upload was inspected and copied. The reservation of an
 * upload in parts lasts as long as its parts.
 *
 * @throws HeraldError `invalid`, `not_found` (no such workspace) or `storage_quota_exceeded`
 */
export async function presignMedia(context: MediaContext, body: PresignBody): Promise<UploadGrant> {
  const contentType =
    body.contentType === undefined ? contentTypeOf(body.filename) : normalizedContentType(body.contentType);
  const refused =
    body.contentType === undefined
      ? contentType === undefined && refusedTypeNameOf(body.filename)
      : refusedTypeName(contentType ?? '');
  if (refused) {
    throw invalidField(
      body.contentType === undefined ? 'filename' : 'contentType',
      `${refused} files are not accepted; convert the file first. Accepted are ${acceptedInWords}`,
      'field_unknown_value',
    );
  }
  if (contentType === undefined)
    throw invalidField(
      'contentType',
      'cannot be inferred from the file name; set it explicitly',
      'field_required',
    );
  if (!acceptedContentTypes.includes(contentType)) {
    throw invalidField(
      'contentType',
      `must be one of ${acceptedContentTypes.join(', ')}`,
      'field_unknown_value',
    );
  }
  const sizeBytes = body.size;
  if (sizeBytes !== undefined && sizeBytes > largestBytes(contentType)) {
    throw invalidField(
      'size',
      `must be at most ${largestBytes(contentType)} bytes for ${contentType}`,
      'media_too_large',
    );
  }
  if (body.parts && sizeBytes === undefined)
    throw invalidField('size', 'must be given for an upload in parts', 'field_required');

  const id = newId(context.now);
  const objectKey = objectKeyFor(context.workspaceId, id, body.filename);
  const parts =
    body.parts && sizeBytes !== undefined ? await beginParts(context, objectKey, contentType, sizeBytes) : {};
  const media: Media = {
    id,
    workspaceId: context.workspaceId,
    objectKey,
    ...parts,
    filename: body.filename,
    contentType,
    status: 'pending',
    reservedBytes: sizeBytes ?? 0,
    version: 1,
    createdAt: toTimestamp(context.now),
    uploadedBy: referenceTo(context.actor),
  };
  const releaseAt = toTimestamp(
    media.parts ? partsEndMs(media) : context.now + grantSeconds * 1_000 + arrivalGraceMs,
  );
  const outcome = await reserveMedia(context.table, media, releaseAt, [
    auditPart(context, { id, name: media.filename }),
  ]);
  if (outcome === 'no such workspace') throw notFound('workspace');
  if (outcome === 'over quota') {
    throw new HeraldError(
      'storage_quota_exceeded',
      'storage quota exceeded: delete old media or wait for the automatic cleanup of published files',
    );
  }
  const uploadUrl = await context.signUpload({
    objectKey: incomingKeyOf(media.objectKey),
    contentType,
    sizeBytes,
    expiresInSeconds: grantSeconds,
  });
  return {
    mediaId: id,
    uploadUrl,
    publicUrl: publicUrl(context.mediaBaseUrl, media.objectKey),
    expiresIn: grantSeconds,
    contentType,
    ...(media.parts && {
      parts: {
        partSize: media.parts.partBytes,
        partCount: partsOf(media.parts).length,
        expiresAt: toTimestamp(partsEndMs(media)),
      },
    }),
  };
}

/**
 * Begins an upload in parts. If the grant is refused after that, or the function ends, nobody learns of the upload: it gets no
 * part, and a lifecycle rule of the bucket removes it.
 */
async function beginParts(
  { clientUploads }: MediaContext,
  objectKey: string,
  contentType: string,
  sizeBytes: number,
): Promise<Pick<Media, 'parts'>> {
  const uploadId = await clientUploads.begin(incomingKeyOf(objectKey), contentType);
  return { parts: { uploadId, partBytes, sizeBytes } };
}
