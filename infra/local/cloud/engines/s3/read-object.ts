/** GET and HEAD of an object: conditions, ranges, headers. */

import type { BucketResource } from '../../model.ts';
import { AwsError } from '../errors.ts';
import type { ObjectStore, StoredObject } from './object-store.ts';
import { header, missingObject, requireObjectAccess, type S3Reply, type S3Request } from './request.ts';

/** @throws AwsError for missing rights, a missing object, a failed condition or an unsatisfiable range. */
export function readObject(
  store: ObjectStore,
  bucket: BucketResource,
  key: string,
  request: S3Request,
): S3Reply {
  requireObjectAccess(request, 'GetObject', bucket, key);
  const object = store.get(bucket.name, key);
  if (!object) throw missingObject(request, bucket);
  const headers = objectHeaders(object);
  const verdict = judgeConditions(request, object);
  if (verdict === 'failed') {
    throw new AwsError(
      'PreconditionFailed',
      'At least one of the pre-conditions you specified did not hold',
      412,
    );
  }
  if (verdict === 'not modified') return { httpStatus: 304, headers };

  const range = rangeIsStale(request, object) ? undefined : parseRange(header(request, 'range'), object.size);
  if (range === 'unsatisfiable') throw new UnsatisfiableRange(object.size);
  const { first, last } = range ?? { first: 0, last: object.size - 1 };
  const body =
    request.method === 'HEAD' || object.size === 0 ? undefined : { file: object.file, first, last };
  const overrides = responseOverrides(request);
  const length = { 'content-length': String(last - first + 1) };
  return range === undefined
    ? {
        httpStatus: 200,
        headers: { ...headers, ...checksum(request, object), ...overrides, ...length },
        body,
      }
    : {
        httpStatus: 206,
        headers: {
          ...headers,
          ...overrides,
          ...length,
          'content-range': `bytes ${first}-${last}/${object.size}`,
        },
        body,
      };
}

/** A refusal with the object's size for the Content-Range header of a 416 (RFC 9110, 15.5.17). */
export class UnsatisfiableRange extends AwsError {
  readonly size: number;

  constructor(size: number) {
    super('InvalidRange', 'The requested range is not satisfiable', 416);
    this.size = size;
  }
}

/** First and last byte, inclusive. */
interface ByteRange {
  readonly first: number;
  readonly last: number;
}

/**
 * Returns the part of an object that a Range header requests (RFC 9110, 14.1.2). Like S3, it ignores an invalid header and one
 * with several ranges.
 *
 * @returns undefined for the whole object.
 */
function parseRange(header: string | undefined, size: number): ByteRange | 'unsatisfiable' | undefined {
  const [, from = '', to = ''] = /^bytes=(\d*)-(\d*)$/.exec(header?.trim() ?? '') ?? [];
  if (from === '' && to === '') return undefined;
  if (from === '') {
    const length = Math.min(Number(to), size);
    return length === 0 ? 'unsatisfiable' : { first: size - length, last: size - 1 };
  }
  const first = Number(from);
  const last = to === '' ? size - 1 : Math.min(Number(to), size - 1);
  if (to !== '' && Number(to) < first) return undefined;
  return first >= size ? 'unsatisfiable' : { first, last };
}

function objectHeaders(object: StoredObject): Record<string, string> {
  const metadata = Object.entries(object.metadata).map(([name, value]) => [`x-amz-meta-${name}`, value]);
  return {
    ...object.headers,
    ...Object.fromEntries(metadata),
    etag: `"${object.etag}"`,
    'last-modified': new Date(object.modifiedAtMs).toUTCString(),
    'accept-ranges': 'bytes',
    'x-amz-server-side-encryption': 'AES256',
  };
}

/** Returns the checksum of the whole object, unless only a range is sent. */
function checksum(request: S3Request, object: StoredObject): Record<string, string> {
  const { crc32, sha256 } = object;
  const isAsked = header(request, 'x-amz-checksum-mode') === 'ENABLED';
  if (!isAsked || (crc32 === undefined && sha256 === undefined)) return {};
  return {
    ...(crc32 !== undefined && { 'x-amz-checksum-crc32': crc32 }),
    ...(sha256 !== undefined && { 'x-amz-checksum-sha256': sha256 }),
    'x-amz-checksum-type': 'FULL_OBJECT',
  };
}

function judgeConditions(request: S3Request, object: StoredObject): 'met' | 'not modified' | 'failed' {
  const ifMatch = header(request, 'if-match');
  const ifNoneMatch = header(request, 'if-none-match');
  const modifiedSeconds = Math.floor(object.modifiedAtMs / 1000);
  const secondsOf = (name: string) => Date.parse(header(request, name) ?? '') / 1000;
  if (ifMatch !== undefined) {
    if (!namesEtag(ifMatch, object.etag)) return 'failed';
  } else if (secondsOf('if-unmodified-since') < modifiedSeconds) {
    return 'failed';
  }
  if (ifNoneMatch !== undefined) return namesEtag(ifNoneMatch, object.etag) ? 'not modified' : 'met';
  return secondsOf('if-modified-since') >= modifiedSeconds ? 'not modified' : 'met';
}

/** Returns true if a header such as `If-Match` lists the ETag or `*`. */
export function namesEtag(header: string, etag: string): boolean {
  return header.split(',').some((candidate) => {
    const bare = candidate.trim().replace(/^W\//, '').replaceAll('"', '');
    return bare === '*' || bare === etag;
  });
}

function rangeIsStale(request: S3Request, object: StoredObject): boolean {
  const ifRange = header(request, 'if-range');
  if (ifRange === undefined) return false;
  const isEtag = ifRange.includes('"');
  return isEtag
    ? !namesEtag(ifRange, object.etag)
    : Math.floor(object.modifiedAtMs / 1000) > Date.parse(ifRange) / 1000;
}

/** Reads query parameters such as `response-content-disposition`. @throws AwsError if an unsigned request has one. */
function responseOverrides(request: S3Request): Record<string, string> {
  const asked = [...request.query].filter(([name]) =>
    /^response-(content-(type|language|disposition|encoding)|cache-control|expires)$/.test(name),
  );
  if (asked.length > 0 && request.caller.principal.kind === 'anonymous') {
    throw new AwsError(
      'InvalidRequest',
      'Request specific response headers cannot be used for anonymous GET requests.',
    );
  }
  return Object.fromEntries(asked.map(([name, value]) => [name.slice('response-'.length), value]));
}
