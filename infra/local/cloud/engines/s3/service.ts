/** S3's REST protocol: routes a request by method and URL to its operation, and writes errors as XML. */

import { randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { pipeline } from 'node:stream/promises';
import type { BucketResource } from '../../model.ts';
import { AwsError } from '../errors.ts';
import { copyObject } from './copy-object.ts';
import { corsHeaders, preflightHeaders } from './cors.ts';
import { deleteObjects } from './delete-objects.ts';
import { listObjects } from './list-objects.ts';
import { type AnswerPartUpload, partUploads } from './multipart.ts';
import { readObject, UnsatisfiableRange } from './read-object.ts';
import { bucketNamed, header, requireBucketAccess, type S3Reply, type S3Request } from './request.ts';
import { deleteObject, putObject, type WriteDependencies } from './write-object.ts';
import { xmlDocument } from './xml.ts';

export interface S3Service {
  /** Answers a request, even if it is refused. */
  handle(request: S3Request, response: ServerResponse): Promise<void>;
  /** Returns the reply to a request instead of sending it. @throws AwsError if the request is refused. */
  reply(request: S3Request): Promise<S3Reply>;
  /** Answers with an error found before the request reached the service, such as a wrong signature. */
  refuse(
    request: Pick<S3Request, 'method' | 'path' | 'headers'>,
    error: AwsError,
    response: ServerResponse,
  ): void;
}

/** Parameters of features that are not implemented. If ignored, the request would access the object itself. */
const unsupportedParameters = [
  'uploads',
  'uploadId',
  'partNumber',
  'acl',
  'tagging',
  'versionId',
  'versions',
  'attributes',
  'torrent',
  'select',
];

export function createS3Service(dependencies: WriteDependencies): S3Service {
  const { buckets } = dependencies;
  const answerPartUpload = partUploads(dependencies);

  function refuse(
    request: Pick<S3Request, 'method' | 'path' | 'headers'>,
    error: AwsError,
    response: ServerResponse,
  ) {
    const requestId = randomUUID();
    const headers = {
      ...corsFor(buckets, request),
      'content-type': 'application/xml',
      'x-amz-request-id': requestId,
      ...(error instanceof UnsatisfiableRange && { 'content-range': `bytes */${error.size}` }),
    };
    const { code, message } = error;
    const body = xmlDocument('Error', {
      Code: code,
      Message: message,
      Resource: request.path,
      RequestId: requestId,
    });
    // Node reads and drops the rest of a refused upload, so that a browser can read the response.
    response.writeHead(error.httpStatus, headers).end(request.method === 'HEAD' ? undefined : body);
  }

  return {
    refuse,
    reply: (request) => route(dependencies, answerPartUpload, request),
    async handle(request, response) {
      try {
        const reply = await route(dependencies, answerPartUpload, request);
        await send(
          reply,
          { 'x-amz-request-id': randomUUID(), ...corsFor(buckets, request) },
          request.method,
          response,
        );
      } catch (error) {
        if (!(error instanceof AwsError) || response.headersSent) throw error;
        refuse(request, error, response);
      }
    },
  };
}

async function route(
  dependencies: WriteDependencies,
  answerPartUpload: AnswerPartUpload,
  request: S3Request,
): Promise<S3Reply> {
  const { bucketName, key } = parsePath(request.path);
  if (bucketName === '') {
    throw new AwsError('NotImplemented', 'The local cloud does not list buckets.', 501);
  }
  const bucket = bucketNamed(dependencies.buckets, bucketName);
  if (request.method === 'OPTIONS') return preflight(bucket, request);
  const ofParts = key === '' ? undefined : await answerPartUpload(bucket, key, request);
  if (ofParts) return ofParts;
  const unsupported = unsupportedParameters.find((name) => request.query.has(name));
  if (unsupported !== undefined) {
    throw new AwsError(
      'NotImplemented',
      `The local cloud does not implement S3's query parameter ${unsupported}.`,
      501,
    );
  }
  if (key === '') return bucketOperation(dependencies, bucket, request);
  if (Buffer.byteLength(key) > 1024) throw new AwsError('KeyTooLongError', 'Your key is too long');
  switch (request.method) {
    case 'GET':
    case 'HEAD':
      return readObject(dependencies.store, bucket, key, request);
    case 'PUT':
      return header(request, 'x-amz-copy-source') === undefined
        ? putObject(dependencies, bucket, key, request)
        : copyObject(dependencies, bucket, key, request);
    case 'DELETE':
      return deleteObject(dependencies, bucket, key, request);
    default:
      throw notAllowed();
  }
}

async function bucketOperation(
  dependencies: WriteDependencies,
  bucket: BucketResource,
  request: S3Request,
): Promise<S3Reply> {
  switch (request.method) {
    case 'GET':
      return listObjects(dependencies.store, bucket, request);
    case 'HEAD':
      requireBucketAccess(request, 'ListBucket', bucket);
      return { httpStatus: 200, headers: {} };
    case 'POST':
      if (request.query.has('delete')) return deleteObjects(dependencies, bucket, request);
      throw notAllowed();
    default:
      throw notAllowed();
  }
}

function preflight(bucket: BucketResource, request: S3Request): S3Reply {
  const origin = header(request, 'origin');
  const method = header(request, 'access-control-request-method');
  const headers = (header(request, 'access-control-request-headers') ?? '')
    .split(',')
    .map((name) => name.trim().toLowerCase())
    .filter((name) => name !== '');
  if (origin === undefined || method === undefined) {
    throw new AwsError('BadRequest', 'Insufficient information. Origin request header needed.');
  }
  const allowed = preflightHeaders(bucket.cors, { origin, method, headers });
  if (!allowed) {
    throw new AwsError('AccessForbidden', 'CORSResponse: This CORS request is not allowed.', 403);
  }
  return { httpStatus: 200, headers: allowed };
}

function corsFor(
  buckets: readonly BucketResource[],
  request: Pick<S3Request, 'method' | 'path' | 'headers'>,
): Record<string, string> {
  const bucketName = request.path.split('/')[1];
  const bucket = buckets.find(({ name }) => name === bucketName);
  return bucket ? corsHeaders(bucket.cors, { origin: request.headers.origin, method: request.method }) : {};
}

/** Sends a reply, with further headers that the reply's own replace. */
export async function send(
  reply: S3Reply,
  extraHeaders: Readonly<Record<string, string>>,
  method: string,
  response: ServerResponse,
): Promise<void> {
  const { body } = reply;
  const headers = { ...extraHeaders, ...reply.headers };
  if (typeof body === 'object') {
    response.writeHead(reply.httpStatus, headers);
    await pipeline(createReadStream(body.file, { start: body.first, end: body.last }), response);
  } else {
    response.writeHead(reply.httpStatus, headers).end(method === 'HEAD' ? undefined : body);
  }
}

/** @throws AwsError for an address that cannot be decoded. */
function parsePath(path: string): { bucketName: string; key: string } {
  const [, bucketName = '', key = ''] = /^\/([^/]*)(?:\/(.*))?$/s.exec(path) ?? [];
  try {
    return { bucketName: decodeURIComponent(bucketName), key: decodeURIComponent(key) };
  } catch {
    throw new AwsError('InvalidURI', "Couldn't parse the specified URI.");
  }
}

function notAllowed(): AwsError {
  return new AwsError('MethodNotAllowed', 'The specified method is not allowed against this resource.', 405);
}
