/**
 * Uploads in parts: https://docs.aws.amazon.com/AmazonS3/latest/userguide/mpuoverview.html. Uploads that are not completed are
 * kept in memory, so a restart forgets them: as after an abort, S3 then answers `NoSuchUpload`.
 */

import { createHash, randomUUID } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import type { BucketResource } from '../../model.ts';
import { AwsError } from '../errors.ts';
import { readXml } from './delete-objects.ts';
import { destinationsOf } from './events.ts';
import type { StoredObject } from './object-store.ts';
import { requireObjectAccess, type S3Reply, type S3Request } from './request.ts';
import { receiveBody } from './upload.ts';
import { checkWriteConditions, describedBy, type WriteDependencies } from './write-object.ts';
import { elementsNamed, unescapeText, type XmlElements, xmlDocument } from './xml.ts';

interface Part {
  readonly file: string;
  readonly size: number;
  /** Hex. */
  readonly md5: string;
  readonly sentAtMs: number;
}

interface Upload extends Pick<StoredObject, 'bucketName' | 'key' | 'headers' | 'metadata'> {
  readonly parts: Map<number, Part>;
}

/** https://docs.aws.amazon.com/AmazonS3/latest/userguide/qfacts.html */
const smallestPartBytes = 5 * 1024 ** 2;
const mostParts = 10_000;
/** https://docs.aws.amazon.com/AmazonS3/latest/API/API_ListParts.html */
const mostListed = 1_000;

/** Answers the requests of uploads in parts; `undefined` for any other request. */
export type AnswerPartUpload = (
  bucket: BucketResource,
  key: string,
  request: S3Request,
) => Promise<S3Reply | undefined>;

export function partUploads(dependencies: WriteDependencies): AnswerPartUpload {
  const { store, clock, onChange } = dependencies;
  const uploads = new Map<string, Upload>();

  const uploadOf = (bucket: BucketResource, key: string, { query }: S3Request) => {
    const id = query.get('uploadId') ?? '';
    const upload = uploads.get(id);
    if (upload?.bucketName === bucket.name && upload.key === key) return { id, upload };
    throw noSuchUpload();
  };

  const removeParts = async ({ parts }: Upload): Promise<void> => {
    await Promise.all([...parts.values()].map(({ file }) => rm(file, { force: true })));
  };

  function begin(bucket: BucketResource, key: string, request: S3Request): S3Reply {
    requireObjectAccess(request, 'PutObject', bucket, key);
    const id = randomUUID();
    uploads.set(id, { ...describedBy(request), bucketName: bucket.name, key, parts: new Map() });
    return xmlReply('InitiateMultipartUploadResult', { Bucket: bucket.name, Key: key, UploadId: id });
  }

  async function putPart(bucket: BucketResource, key: string, request: S3Request): Promise<S3Reply> {
    requireObjectAccess(request, 'PutObject', bucket, key);
    const { upload } = uploadOf(bucket, key, request);
    const number = Number(request.query.get('partNumber'));
    if (!Number.isInteger(number) || number < 1 || number > mostParts)
      throw new AwsError(
        'InvalidArgument',
        `Part number must be an integer between 1 and ${mostParts}, inclusive`,
      );
    const file = store.newFile();
    const { size, md5 } = await receiveBody(request.body, request.headers, file);
    const replaced = upload.parts.get(number);
    // The upload may have been completed or aborted while the part was on its way.
    if (uploads.get(request.query.get('uploadId') ?? '') !== upload) {
      await rm(file, { force: true });
      throw noSuchUpload();
    }
    upload.parts.set(number, { file, size, md5, sentAtMs: clock.now() });
    if (replaced) await rm(replaced.file, { force: true });
    return { httpStatus: 200, headers: { etag: `"${md5}"` } };
  }

  async function complete(bucket: BucketResource, key: string, request: S3Request): Promise<S3Reply> {
    requireObjectAccess(request, 'PutObject', bucket, key);
    const xml = await readXml(dependencies, request);
    // Nothing else runs between the decision and the end of the upload, so one of several requests wins.
    const { id, upload } = uploadOf(bucket, key, request);
    const named = elementsNamed(xml, 'Part').map((part) => ({
      number: Number(elementsNamed(part, 'PartNumber')[0]),
      etag: unescapeText(elementsNamed(part, 'ETag')[0] ?? '').replaceAll('"', ''),
    }));
    const parts = requireParts(upload, named);
    checkWriteConditions(request, store.get(bucket.name, key));
    uploads.delete(id);
    const file = store.newFile();
    for (const part of parts)
      await pipeline(createReadStream(part.file), createWriteStream(file, { flags: 'a' }));
    const digest = createHash('md5');
    for (const { md5 } of parts) digest.update(Buffer.from(md5, 'hex'));
    const etag = `${digest.digest('hex')}-${parts.length}`;
    const { parts: _parts, ...described } = upload;
    const size = parts.reduce((sum, part) => sum + part.size, 0);
    const object = { ...described, size, etag, crc32: undefined, file, modifiedAtMs: clock.now() };
    const eventName = 'ObjectCreated:CompleteMultipartUpload';
    await store.put(object, eventName, destinationsOf(bucket, eventName, key));
    await removeParts(upload);
    onChange();
    return xmlReply('CompleteMultipartUploadResult', { Bucket: bucket.name, Key: key, ETag: `"${etag}"` });
  }

  async function abort(bucket: BucketResource, key: string, request: S3Request): Promise<S3Reply> {
    requireObjectAccess(request, 'AbortMultipartUpload', bucket, key);
    const { id, upload } = uploadOf(bucket, key, request);
    uploads.delete(id);
    await removeParts(upload);
    return { httpStatus: 204, headers: {} };
  }

  function list(bucket: BucketResource, key: string, request: S3Request): S3Reply {
    requireObjectAccess(request, 'ListMultipartUploadParts', bucket, key);
    const { id, upload } = uploadOf(bucket, key, request);
    const { query } = request;
    const most = Math.min(numberIn(query, 'max-parts', mostListed), mostListed);
    const after = numberIn(query, 'part-number-marker', 0);
    const following = [...upload.parts].filter(([number]) => number > after).sort(([a], [b]) => a - b);
    const listed = following.slice(0, most);
    return xmlReply('ListPartsResult', {
      Bucket: bucket.name,
      Key: key,
      UploadId: id,
      PartNumberMarker: after,
      NextPartNumberMarker: listed.at(-1)?.[0] ?? 0,
      MaxParts: most,
      IsTruncated: listed.length < following.length,
      Part: listed.map(([PartNumber, { size, md5, sentAtMs }]) => ({
        PartNumber,
        LastModified: new Date(sentAtMs).toISOString(),
        ETag: `"${md5}"`,
        Size: size,
      })),
    });
  }

  return async (bucket, key, request) => {
    const { method, query } = request;
    if (method === 'POST' && query.has('uploads')) return begin(bucket, key, request);
    if (!query.has('uploadId')) return undefined;
    if (method === 'PUT' && query.has('partNumber')) return putPart(bucket, key, request);
    if (method === 'POST') return complete(bucket, key, request);
    if (method === 'DELETE') return abort(bucket, key, request);
    if (method === 'GET') return list(bucket, key, request);
    return undefined;
  };
}

const noSuchUpload = () => new AwsError('NoSuchUpload', 'The specified upload does not exist.', 404);

/** @throws AwsError for a value that is not a whole number from 0 to 2,147,483,647 */
function numberIn(query: URLSearchParams, name: string, otherwise: number): number {
  const text = query.get(name);
  const number = text === null ? otherwise : Number(text);
  if (Number.isInteger(number) && number >= 0 && number < 2 ** 31) return number;
  throw new AwsError('InvalidArgument', `Argument ${name} must be an integer between 0 and 2147483647`);
}

/** @throws AwsError unless the named parts were uploaded, are in order, and all but the last are large enough */
function requireParts(
  { parts }: Upload,
  named: readonly { readonly number: number; readonly etag: string }[],
): Part[] {
  if (named.length === 0)
    throw new AwsError('MalformedXML', 'The XML you provided was not well-formed or did not validate.');
  return named.map(({ number, etag }, index) => {
    const part = parts.get(number);
    if (part?.md5 !== etag)
      throw new AwsError('InvalidPart', 'One or more of the specified parts could not be found.');
    if (number <= (named[index - 1]?.number ?? 0))
      throw new AwsError('InvalidPartOrder', 'The list of parts was not in ascending order.');
    if (index < named.length - 1 && part.size < smallestPartBytes)
      throw new AwsError('EntityTooSmall', 'Your proposed upload is smaller than the minimum allowed size');
    return part;
  });
}

function xmlReply(root: string, content: XmlElements): S3Reply {
  const headers = { 'content-type': 'application/xml' };
  return { httpStatus: 200, headers, body: xmlDocument(root, content) };
}
