import { Readable } from 'node:stream';
import {
  DeleteObjectCommand,
  GetObjectCommand,
  HeadObjectCommand,
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
function openClient(access?: AwsAccess): S3Client {
  return new S3Client({ ...awsClientOptions(access), requestChecksumCalculation: 'WHEN_REQUIRED' });
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

/** The errors with which S3 says that the object was replaced, deleted or is shorter. */
const changedObjectErrors = new Set(['PreconditionFailed', 'NoSuchKey', 'InvalidRange']);

/** Reads and removes objects of the bucket. */
export function openBucket(bucketName: string) {
  const client = openClient();
  return {
    describe: async (objectKey: string): Promise<{ sizeBytes: number; etag: string } | undefined> => {
      try {
        const head = await client.send(new HeadObjectCommand({ Bucket: bucketName, Key: objectKey }));
        return { sizeBytes: head.ContentLength ?? 0, etag: head.ETag ?? '' };
      } catch (error) {
        if (error instanceof NotFound) return undefined;
        throw error;
      }
    },
    /** The bytes from `first` to `last`, both included, as a stream. */
    openRange: async (objectKey: string, first: number, last: number): Promise<Readable> => {
      const answer = await client.send(
        new GetObjectCommand({ Bucket: bucketName, Key: objectKey, Range: `bytes=${first}-${last}` }),
      );
      if (!(answer.Body instanceof Readable)) throw new Error(`the bucket returned no bytes of ${objectKey}`);
      return answer.Body;
    },
    /** The same bytes in memory. `undefined` if the object is gone, shorter, or has another entity tag. */
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
    remove: async (objectKey: string): Promise<void> => {
      await client.send(new DeleteObjectCommand({ Bucket: bucketName, Key: objectKey }));
    },
  };
}

export type Bucket = ReturnType<typeof openBucket>;
