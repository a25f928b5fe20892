import { createReadStream } from 'node:fs';
import { Readable } from 'node:stream';
import {
  AbortMultipartUploadCommand,
  CopyObjectCommand,
  DeleteObjectCommand,
  GetObjectCommand,
  HeadObjectCommand,
  ListObjectsV2Command,
  NoSuchUpload,
  NotFound,
  PutObjectCommand,
  S3Client,
  S3ServiceException,
} from '@aws-sdk/client-s3';
import { getSignedUrl } from '@aws-sdk/s3-request-presigner';
import { type AwsAccess, awsClientOptions } from './client-options.ts';

/**
 * Creates a client of the media bucket. Without `WHEN_REQUIRED` the SDK would sign the checksum of an empty body into
 * upload URLs, and real uploads would not match it.
 */
function openClient(access?: AwsAccess, requestTimeoutMs?: number): S3Client {
  return new S3Client({
    ...awsClientOptions(access, requestTimeoutMs),
    requestChecksumCalculation: 'WHEN_REQUIRED',
  });
}

/** Signs upload URLs that accept exactly one content type and, if a size is given, exactly that many bytes. */
export function uploadSigner(bucketName: string, access?: AwsAccess) {
  const client = openClient(access);
  return (upload: {
    objectKey: string;
    contentType: string;
    sizeBytes: number | undefined;
    expiresInSeconds: number;
  }): Promise<string> =>
    getSignedUrl(
      client,
      new PutObjectCommand({
        Bucket: bucketName,
        Key: upload.objectKey,
        ContentType: upload.contentType,
        ContentLength: upload.sizeBytes,
      }),
      {
        expiresIn: upload.expiresInSeconds,
        // The SDK signs Content-Type only if it is listed here.
        signableHeaders: new Set(['host', 'content-type', 'content-length']),
      },
    );
}

export type UploadSigner = ReturnType<typeof uploadSigner>;

/** S3's errors for an object that was replaced, deleted or is shorter. */
const changedObjectErrors = new Set(['PreconditionFailed', 'NoSuchKey', 'InvalidRange']);

/**
 * The time limit of a copy, repetitions included. S3 copies a file of 1 GiB, the largest we accept, in seconds. The function that
 * copies accepted files has 45 seconds; what is not done by then is done when its message comes again.
 */
export const copyTimeoutMs = 30_000;

/** The headers for browsers and caches of a public object. */
const publicHeaders = { CacheControl: 'public, max-age=3600', ContentDisposition: 'inline' } as const;

/**
 * S3's errors for a condition of a copy or a deletion that does not hold, an object that is gone, and an object that another
 * request has just written.
 */
const conflictErrors = new Set(['PreconditionFailed', 'ConditionalRequestConflict', 'NoSuchKey']);

/** Opens the bucket, to read, copy and remove its objects. */
export function openBucket(bucketName: string, access: AwsAccess = {}) {
  const client = openClient(access);
  const copyClient = openClient(access, copyTimeoutMs);
  return {
    describe: async (
      objectKey: string,
    ): Promise<{ sizeBytes: number; etag: string; sha256?: string } | undefined> => {
      try {
        const head = await client.send(
          new HeadObjectCommand({ Bucket: bucketName, Key: objectKey, ChecksumMode: 'ENABLED' }),
        );
        const { ContentLength = 0, ETag = '', ChecksumSHA256 } = head;
        const sha256 = ChecksumSHA256 === undefined ? {} : { sha256: hexOf(ChecksumSHA256) };
        return { sizeBytes: ContentLength, etag: ETag, ...sha256 };
      } catch (error) {
        if (error instanceof NotFound) return undefined;
        throw error;
      }
    },
    /** Returns the bytes from `first` to `last`, inclusive, as a stream. */
    openRange: async (objectKey: string, first: number, last: number): Promise<Readable> => {
      const answer = await client.send(
        new GetObjectCommand({ Bucket: bucketName, Key: objectKey, Range: `bytes=${first}-${last}` }),
      );
      if (!(answer.Body instanceof Readable)) throw new Error(`the bucket returned no bytes of ${objectKey}`);
      return answer.Body;
    },
    /** Returns the same bytes in memory. `undefined` if the object is gone, shorter, or has another entity tag. */
    readRange: async (
      objectKey: string,
      first: number,
      last: number,
      etag: string,
    ): Promise<Uint8Array | undefined> => {
      try {
        const answer = await client.send(
          new GetObjectCommand({
            Bucket: bucketName,
            Key: objectKey,
            Range: `bytes=${first}-${last}`,
            IfMatch: etag,
          }),
        );
        return await answer.Body?.transformToByteArray();
      } catch (error) {
        if (error instanceof S3ServiceException && changedObjectErrors.has(error.name)) return undefined;
        throw error;
      }
    },
    /**
     * Copies an upload to the key of its public object, with headers of our own. S3 itself checks both conditions, so nothing is
     * overwritten whatever else runs: https://docs.aws.amazon.com/AmazonS3/latest/userguide/conditional-writes.html. S3 computes
     * the SHA-256: https://docs.aws.amazon.com/AmazonS3/latest/API/API_CopyObject.html.
     *
     * @returns the SHA-256 in hexadecimal; `undefined` if nothing was copied, because the upload is gone or has another entity
     *   tag, or because the public object exists
     */
    publish: async (upload: {
      incomingKey: string;
      objectKey: string;
      etag: string;
      contentType: string;
    }): Promise<{ sha256: string } | undefined> => {
      try {
        const { CopyObjectResult } = await copyClient.send(
          new CopyObjectCommand({
            Bucket: bucketName,
            Key: upload.objectKey,
            // Our keys have only characters that need no escaping in a URL.
            CopySource: `${bucketName}/${upload.incomingKey}`,
            CopySourceIfMatch: upload.etag,
            IfNoneMatch: '*',
            // Drops all that the uploader set, such as `Content-Encoding`.
            MetadataDirective: 'REPLACE',
            TaggingDirective: 'REPLACE',
            ContentType: upload.contentType,
            ...publicHeaders,
            ChecksumAlgorithm: 'SHA256',
          }),
          { abortSignal: AbortSignal.timeout(copyTimeoutMs) },
        );
        const { ChecksumSHA256 } = CopyObjectResult ?? {};
        if (ChecksumSHA256 === undefined) throw new Error(`S3 computed no SHA-256 of ${upload.objectKey}`);
        return { sha256: hexOf(ChecksumSHA256) };
      } catch (error) {
        if (error instanceof S3ServiceException && conflictErrors.has(error.name)) return undefined;
        throw error;
      }
    },
    /**
     * Lists the keys of up to 1,000 objects with a prefix, in order. Strongly consistent:
     * https://docs.aws.amazon.com/AmazonS3/latest/userguide/Welcome.html#ConsistencyModel
     */
    list: async (prefix: string): Promise<string[]> => {
      const { Contents = [] } = await client.send(
        new ListObjectsV2Command({ Bucket: bucketName, Prefix: prefix }),
      );
      return Contents.flatMap(({ Key }) => Key ?? []);
    },
    /**
     * Removes an object; also succeeds if there is none.
     *
     * @param etag if given, an object with another entity tag stays. This needs the right to read the object too:
     *   https://docs.aws.amazon.com/AmazonS3/latest/userguide/conditional-deletes.html
     */
    remove: async (objectKey: string, etag?: string): Promise<void> => {
      try {
        await client.send(new DeleteObjectCommand({ Bucket: bucketName, Key: objectKey, IfMatch: etag }));
      } catch (error) {
        const isKept = etag !== undefined && error instanceof S3ServiceException;
        if (isKept && conflictErrors.has(error.name)) return;
        throw error;
      }
    },
    /** Removes the parts of an upload that is not complete; also succeeds if it has ended. No part can follow. */
    abortUpload: async (objectKey: string, uploadId: string): Promise<void> => {
      try {
        await client.send(
          new AbortMultipartUploadCommand({ Bucket: bucketName, Key: objectKey, UploadId: uploadId }),
        );
      } catch (error) {
        if (!(error instanceof NoSuchUpload)) throw error;
      }
    },
  };
}

/** The time limit of a new object. A file of 1 GiB takes some 15 s from a function. */
const putTimeoutMs = 90_000;

/** Writes public objects from files. */
export function objectPutter(bucketName: string, access: AwsAccess = {}) {
  const client = openClient(access, putTimeoutMs);
  /** Never overwrites: does nothing if there is an object. S3 checks the digest, and keeps it. */
  return async (
    objectKey: string,
    file: { path: string; sizeBytes: number; sha256: string; contentType: string },
  ): Promise<void> => {
    try {
      await client.send(
        new PutObjectCommand({
          Bucket: bucketName,
          Key: objectKey,
          Body: createReadStream(file.path),
          ContentLength: file.sizeBytes,
          ContentType: file.contentType,
          ...publicHeaders,
          ChecksumSHA256: Buffer.from(file.sha256, 'hex').toString('base64'),
          IfNoneMatch: '*',
        }),
      );
    } catch (error) {
      if (!(error instanceof S3ServiceException && conflictErrors.has(error.name))) throw error;
    }
  };
}

/** Makes the function that stores a small public object unless there is one under its key. */
export function smallObjectPutter(bucketName: string, access: AwsAccess = {}) {
  const client = openClient(access);
  return async (objectKey: string, bytes: Uint8Array, contentType: string): Promise<void> => {
    try {
      await client.send(
        new PutObjectCommand({
          Bucket: bucketName,
          Key: objectKey,
          Body: bytes,
          ContentType: contentType,
          ...publicHeaders,
          IfNoneMatch: '*',
        }),
      );
    } catch (error) {
      if (!(error instanceof S3ServiceException && conflictErrors.has(error.name))) throw error;
    }
  };
}

const hexOf = (base64: string): string => Buffer.from(base64, 'base64').toString('hex');

export type Bucket = ReturnType<typeof openBucket>;
