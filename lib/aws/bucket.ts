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
 * A client for the media bucket. Without `WHEN_REQUIRED` the SDK would put the checksum of an empty body into signed
 * upload addresses, which real uploads then do not match.
 */
function openClient(access?: AwsAccess): S3Client {
  return new S3Client({ ...awsClientOptions(access), requestChecksumCalculation: 'WHEN_REQUIRED' });
}

/** Signs upload addresses that take exactly one content type and, where a size is given, exactly that many bytes. */
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
        // Content-Type is left out of the signature unless it is asked for.
        signableHeaders: new Set(['host', 'content-type', 'content-length']),
      },
    );
}

export type UploadSigner = ReturnType<typeof uploadSigner>;

/** How S3 says that an object is not the one that was asked for: replaced, gone, or shorter. */
const otherObject = new Set(['PreconditionFailed', 'NoSuchKey', 'InvalidRange']);

/** What is in the bucket, and its removal. */
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
    /** The bytes from `first` to `last`, both included, as they come from the bucket. */
    openRange: async (objectKey: string, first: number, last: number): Promise<Readable> => {
      const answer = await client.send(
        new GetObjectCommand({ Bucket: bucketName, Key: objectKey, Range: `bytes=${first}-${last}` }),
      );
      if (!(answer.Body instanceof Readable)) throw new Error(`the bucket gave no bytes of ${objectKey}`);
      return answer.Body;
    },
    /**
     * The same, in memory, as far as the object is the one with this entity tag; `undefined` where it is another one, or
     * gone.
     */
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
        const isOther = error instanceof S3ServiceException && otherObject.has(error.name);
        if (isOther) return undefined;
        throw error;
      }
    },
    remove: async (objectKey: string): Promise<void> => {
      await client.send(new DeleteObjectCommand({ Bucket: bucketName, Key: objectKey }));
    },
  };
}

export type Bucket = ReturnType<typeof openBucket>;
