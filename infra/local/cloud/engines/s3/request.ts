/** S3's requests and replies, and the checks that its operations share: the bucket and the caller's rights. */

import type { IncomingHttpHeaders } from 'node:http';
import type { Readable } from 'node:stream';
import type { Caller } from '../../identity/policy-decision.ts';
import { decide } from '../../identity/policy-decision.ts';
import type { BucketResource } from '../../model.ts';
import { AwsError, requireAccess } from '../errors.ts';

export interface S3Request {
  readonly method: string;
  /** The path as sent, still encoded: `/bucket/key`. */
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: IncomingHttpHeaders;
  readonly caller: Caller;
  /** The condition key `aws:SourceArn`, if an AWS service makes the request. */
  readonly sourceArn?: string;
  readonly body: Readable;
}

export interface S3Reply {
  readonly httpStatus: number;
  readonly headers: Readonly<Record<string, string>>;
  /** Text, or a range of a file. */
  readonly body?:
    | string
    | { readonly file: string; readonly first: number; readonly last: number }
    | undefined;
}

/** Finds a bucket. @throws AwsError `NoSuchBucket`. */
export function bucketNamed(buckets: readonly BucketResource[], name: string): BucketResource {
  const bucket = buckets.find((candidate) => candidate.name === name);
  if (!bucket) throw new AwsError('NoSuchBucket', 'The specified bucket does not exist', 404);
  return bucket;
}

/** @param action without `s3:`. @throws AwsError unless the caller may do this to the object. */
export function requireObjectAccess(
  request: S3Request,
  action: string,
  bucket: BucketResource,
  key: string,
): void {
  requireAccess(request.caller, {
    action: `s3:${action}`,
    resource: `${bucket.arn}/${key}`,
    resourcePolicy: bucket.policy,
    context: { ...contextOf(request), 's3:if-none-match': header(request, 'if-none-match') },
  });
}

/** @param action without `s3:`. @throws AwsError unless the caller may do this to the bucket itself. */
export function requireBucketAccess(request: S3Request, action: string, bucket: BucketResource): void {
  requireAccess(request.caller, bucketAccess(request, action, bucket));
}

/** Returns S3's error for a missing object: a 404 only if the caller may list the bucket, else a 403. */
export function missingObject(request: S3Request, bucket: BucketResource): AwsError {
  return decide(request.caller, bucketAccess(request, 'ListBucket', bucket)).allowed
    ? new AwsError('NoSuchKey', 'The specified key does not exist.', 404)
    : new AwsError('AccessDenied', 'Access Denied', 403);
}

function bucketAccess(request: S3Request, action: string, bucket: BucketResource) {
  const prefix = request.query.get('prefix') ?? undefined;
  return {
    action: `s3:${action}`,
    resource: bucket.arn,
    resourcePolicy: bucket.policy,
    context: { ...contextOf(request), 's3:prefix': prefix },
  };
}

/** Returns the context of policies. Loopback connections count as TLS, so that policies that require it allow them. */
function contextOf(request: S3Request) {
  return { 'aws:SecureTransport': 'true', 'aws:SourceArn': request.sourceArn };
}

/** Returns the value of a header; the first one if there are several. */
export function header(request: S3Request, name: string): string | undefined {
  const value = request.headers[name];
  return typeof value === 'string' ? value : value?.[0];
}
