/** PutObject and DeleteObject. */

import type { Clock } from '../../clock.ts';
import type { BucketResource } from '../../model.ts';
import { AwsError } from '../errors.ts';
import { destinationsOf } from './events.ts';
import type { ObjectStore, StoredObject } from './object-store.ts';
import { namesEtag } from './read-object.ts';
import { header, requireObjectAccess, type S3Reply, type S3Request } from './request.ts';
import { receiveBody } from './upload.ts';

export interface WriteDependencies {
  readonly store: ObjectStore;
  readonly clock: Clock;
  readonly buckets: readonly BucketResource[];
  /** Called after each change, because it may have added pending events. */
  readonly onChange: () => void;
}

const keptHeaders = [
  'content-type',
  'cache-control',
  'content-disposition',
  'content-encoding',
  'content-language',
  'expires',
];

export async function putObject(
  { store, clock, onChange }: WriteDependencies,
  bucket: BucketResource,
  key: string,
  request: S3Request,
): Promise<S3Reply> {
  requireObjectAccess(request, 'PutObject', bucket, key);
  checkPresignedChecksum(request);
  checkWriteConditions(request, store.get(bucket.name, key));
  const file = store.newFile();
  const { size, md5, crc32 } = await receiveBody(request.body, request.headers, file);
  checkWriteConditions(request, store.get(bucket.name, key));
  const described = { ...describedBy(request), bucketName: bucket.name, key };
  // S3 keeps one checksum: the one that the request has, or else a CRC.
  const sha256 = header(request, 'x-amz-checksum-sha256');
  const sums = sha256 === undefined ? { crc32 } : { crc32: undefined, sha256 };
  const object = { ...described, size, etag: md5, ...sums, file, modifiedAtMs: clock.now() };
  await store.put(object, 'ObjectCreated:Put', destinationsOf(bucket, 'ObjectCreated:Put', key));
  onChange();
  return {
    httpStatus: 200,
    headers: {
      etag: `"${md5}"`,
      'x-amz-server-side-encryption': 'AES256',
      ...(sha256 === undefined ? { 'x-amz-checksum-crc32': crc32 } : { 'x-amz-checksum-sha256': sha256 }),
      'x-amz-checksum-type': 'FULL_OBJECT',
    },
  };
}

/**
 * Deletes an object. Succeeds even if the key does not exist, except with `If-Match`, which also needs the right to read the
 * object: https://docs.aws.amazon.com/AmazonS3/latest/userguide/conditional-deletes.html
 */
export async function deleteObject(
  { store, clock, onChange }: WriteDependencies,
  bucket: BucketResource,
  key: string,
  request: S3Request,
): Promise<S3Reply> {
  requireObjectAccess(request, 'DeleteObject', bucket, key);
  if (header(request, 'if-match') !== undefined) requireObjectAccess(request, 'GetObject', bucket, key);
  const object = store.get(bucket.name, key);
  checkWriteConditions(request, object);
  if (object) {
    const eventName = 'ObjectRemoved:Delete';
    await store.delete(object, eventName, clock.now(), destinationsOf(bucket, eventName, key));
    onChange();
  }
  return { httpStatus: 204, headers: {} };
}

/** Returns the headers and metadata that a request sets for its object. */
export function describedBy(request: S3Request): Pick<StoredObject, 'headers' | 'metadata'> {
  const kept = keptHeaders.flatMap((name) => {
    // `aws-chunked` is the framing of the upload, not a property of the object.
    const value = header(request, name)?.replace(/^aws-chunked(,\s*|$)/, '');
    return value ? [[name, value]] : [];
  });
  const metadata = Object.entries(request.headers)
    .filter(([name]) => name.startsWith('x-amz-meta-'))
    .map(([name, value]) => [name.slice('x-amz-meta-'.length), String(value)]);
  return {
    headers: { 'content-type': 'binary/octet-stream', ...Object.fromEntries(kept) },
    metadata: Object.fromEntries(metadata),
  };
}

/**
 * Refuses a checksum in a presigned URL. By default the SDK puts the checksum of an empty body into a presigned URL, which no
 * upload can match. Reports differ on AWS's response. A refusal shows immediately that `requestChecksumCalculation:
 * 'WHEN_REQUIRED'` is missing.
 */
function checkPresignedChecksum(request: S3Request): void {
  if (request.query.has('x-amz-checksum-crc32') || request.query.has('x-amz-sdk-checksum-algorithm')) {
    throw new AwsError(
      'InvalidRequest',
      "This URL was presigned with the checksum of an empty body: set requestChecksumCalculation to 'WHEN_REQUIRED'.",
    );
  }
}

/** @throws AwsError unless the request's conditions on the present object hold. */
export function checkWriteConditions(request: S3Request, present: StoredObject | undefined): void {
  const ifNoneMatch = header(request, 'if-none-match');
  const ifMatch = header(request, 'if-match');
  if (ifNoneMatch !== undefined && ifNoneMatch !== '*') {
    throw new AwsError(
      'NotImplemented',
      'A header you provided implies functionality that is not implemented',
      501,
    );
  }
  if (ifMatch !== undefined && !present) {
    throw new AwsError('NoSuchKey', 'The specified key does not exist.', 404);
  }
  if (
    (ifNoneMatch !== undefined && present) ||
    (ifMatch !== undefined && present && !namesEtag(ifMatch, present.etag))
  ) {
    throw new AwsError(
      'PreconditionFailed',
      'At least one of the pre-conditions you specified did not hold',
      412,
    );
  }
}
