/** CopyObject, with conditions on both objects. https://docs.aws.amazon.com/AmazonS3/latest/API/API_CopyObject.html */

import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { copyFile, rm } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import type { BucketResource } from '../../model.ts';
import { AwsError } from '../errors.ts';
import { destinationsOf } from './events.ts';
import type { StoredObject } from './object-store.ts';
import { namesEtag } from './read-object.ts';
import {
  bucketNamed,
  header,
  missingObject,
  requireObjectAccess,
  type S3Reply,
  type S3Request,
} from './request.ts';
import { checkWriteConditions, describedBy, type WriteDependencies } from './write-object.ts';
import { xmlDocument } from './xml.ts';

/** Conditions on the source that are not implemented. If ignored, the copy would be made although they fail. */
const unsupportedConditions = ['if-none-match', 'if-modified-since', 'if-unmodified-since'];

export async function copyObject(
  { store, clock, buckets, onChange }: WriteDependencies,
  bucket: BucketResource,
  key: string,
  request: S3Request,
): Promise<S3Reply> {
  requireObjectAccess(request, 'PutObject', bucket, key);
  const { bucketName: sourceBucketName, key: sourceKey } = parseCopySource(
    header(request, 'x-amz-copy-source') ?? '',
  );
  const sourceBucket = bucketNamed(buckets, sourceBucketName);
  requireObjectAccess(request, 'GetObject', sourceBucket, sourceKey);
  const source = store.get(sourceBucket.name, sourceKey);
  if (!source) throw missingObject(request, sourceBucket);
  checkSource(request, source);
  checkWriteConditions(request, store.get(bucket.name, key));
  const replaces = header(request, 'x-amz-metadata-directive') === 'REPLACE';
  if (!replaces && sourceBucket.name === bucket.name && sourceKey === key) {
    throw new AwsError(
      'InvalidRequest',
      "This copy request is illegal because it is trying to copy an object to itself without changing the object's metadata.",
    );
  }
  const file = store.newFile();
  try {
    await copyFile(source.file, file);
    const sums = await checksums(request, source, file);
    checkWriteConditions(request, store.get(bucket.name, key));
    const described = replaces
      ? describedBy(request)
      : { headers: source.headers, metadata: source.metadata };
    const { size } = source;
    const etag = await etagOfCopy(source, file);
    const object = { ...described, ...sums, etag, size, bucketName: bucket.name, key, file };
    const modifiedAtMs = clock.now();
    const destinations = destinationsOf(bucket, 'ObjectCreated:Copy', key);
    await store.put({ ...object, modifiedAtMs }, 'ObjectCreated:Copy', destinations);
    onChange();
    return {
      httpStatus: 200,
      headers: { 'content-type': 'application/xml' },
      body: xmlDocument('CopyObjectResult', {
        LastModified: new Date(modifiedAtMs).toISOString(),
        ETag: `"${etag}"`,
        ChecksumType: 'FULL_OBJECT',
        ChecksumCRC32: sums.crc32,
        ChecksumSHA256: sums.sha256,
      }),
    };
  } catch (error) {
    await rm(file, { force: true });
    // The source was deleted or replaced during the copy.
    throw error instanceof Error && 'code' in error && error.code === 'ENOENT'
      ? missingObject(request, sourceBucket)
      : error;
  }
}

function checkSource(request: S3Request, source: StoredObject): void {
  const unsupported = unsupportedConditions.find((name) => header(request, `x-amz-copy-source-${name}`));
  if (unsupported !== undefined) {
    throw new AwsError('NotImplemented', `The local cloud does not implement ${unsupported} of copies.`, 501);
  }
  const ifMatch = header(request, 'x-amz-copy-source-if-match');
  if (ifMatch === undefined || namesEtag(ifMatch, source.etag)) return;
  throw new AwsError(
    'PreconditionFailed',
    'At least one of the pre-conditions you specified did not hold',
    412,
  );
}

/** Returns the source's checksums, or the one that the request asks for. */
async function checksums(
  request: S3Request,
  source: StoredObject,
  file: string,
): Promise<Pick<StoredObject, 'crc32' | 'sha256'>> {
  const algorithm = header(request, 'x-amz-checksum-algorithm');
  if (algorithm === undefined) return { crc32: source.crc32, sha256: source.sha256 };
  if (algorithm !== 'SHA256') {
    throw new AwsError('NotImplemented', `The local cloud does not compute ${algorithm} of copies.`, 501);
  }
  const sha256 = (await digestOf('sha256', file)).toString('base64');
  return { crc32: undefined, sha256 };
}

/**
 * Returns the MD5 of the bytes. Only an object that was uploaded in parts has another entity tag; its copy does not:
 * https://docs.aws.amazon.com/AmazonS3/latest/API/API_Object.html
 */
async function etagOfCopy({ etag }: StoredObject, file: string): Promise<string> {
  return etag.includes('-') ? (await digestOf('md5', file)).toString('hex') : etag;
}

async function digestOf(algorithm: string, file: string): Promise<Buffer> {
  const hash = createHash(algorithm);
  await pipeline(createReadStream(file), hash);
  return hash.digest();
}

function parseCopySource(source: string): { bucketName: string; key: string } {
  try {
    const [, bucketName, key] = /^\/?([^/]+)\/(.+)$/s.exec(decodeURIComponent(source)) ?? [];
    if (bucketName !== undefined && key !== undefined) return { bucketName, key };
  } catch {
    // Falls through to the error for an invalid source.
  }
  throw new AwsError(
    'InvalidArgument',
    'Copy Source must mention the source bucket and key: sourcebucket/sourcekey',
  );
}
