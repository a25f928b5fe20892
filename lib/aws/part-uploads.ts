import {
  AbortMultipartUploadCommand,
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  ListPartsCommand,
  NoSuchUpload,
  PutObjectCommand,
  S3Client,
  S3ServiceException,
  UploadPartCommand,
} from '@aws-sdk/client-s3';
import { getSignedUrl } from '@aws-sdk/s3-request-presigner';
import { type AwsAccess, awsClientOptions } from './client-options.ts';

/** The time limit of a part. S3 takes a part of 8 MiB in less than a second; this leaves room for a bad moment. */
const partTimeoutMs = 20_000;

/** Writes objects of any size, in parts: https://docs.aws.amazon.com/AmazonS3/latest/userguide/mpuoverview.html */
export function openPartUploads(bucketName: string, access: AwsAccess = {}) {
  const client = new S3Client({
    ...awsClientOptions(access, partTimeoutMs),
    requestChecksumCalculation: 'WHEN_REQUIRED',
  });
  return {
    /** Writes a small object in one request. */
    put: async (objectKey: string, bytes: Uint8Array): Promise<void> => {
      await client.send(new PutObjectCommand({ Bucket: bucketName, Key: objectKey, Body: bytes }));
    },
    /**
     * Begins an upload. Every part but the last must have at least 5 MiB. The object appears when it is completed, and
     * replaces an earlier one. S3 keeps the parts, and bills them, until the upload is completed or aborted.
     */
    begin: async (objectKey: string) => {
      const object = { Bucket: bucketName, Key: objectKey };
      const { UploadId } = await client.send(new CreateMultipartUploadCommand(object));
      if (UploadId === undefined) throw new Error(`S3 began no upload of ${objectKey}`);
      const parts: { PartNumber: number; ETag: string | undefined }[] = [];
      return {
        send: async (bytes: Uint8Array): Promise<void> => {
          const PartNumber = parts.length + 1;
          const { ETag } = await client.send(
            new UploadPartCommand({ ...object, UploadId, PartNumber, Body: bytes }),
          );
          parts.push({ PartNumber, ETag });
        },
        complete: async (): Promise<void> => {
          await client.send(
            new CompleteMultipartUploadCommand({ ...object, UploadId, MultipartUpload: { Parts: parts } }),
          );
        },
        /** Removes the parts; also succeeds if the upload has ended. */
        abort: async (): Promise<void> => {
          try {
            await client.send(new AbortMultipartUploadCommand({ ...object, UploadId }));
          } catch (error) {
            if (!(error instanceof NoSuchUpload)) throw error;
          }
        },
      };
    },
  };
}

export type PartUploads = ReturnType<typeof openPartUploads>;

/** A part that S3 has. */
export interface SentPart {
  readonly number: number;
  readonly sizeBytes: number;
  readonly etag: string;
}

/** The time limit of completing an upload. S3 joins the parts of 1 GiB in seconds, but promises no time. */
const completionTimeoutMs = 20_000;

/** S3's errors for a part that was sent again, or is not there, since the parts were listed. */
const changedParts = new Set(['InvalidPart', 'InvalidPartOrder', 'EntityTooSmall']);

/**
 * Uploads whose parts a client sends. Only the sending is the client's: it gets a URL for each part, which takes exactly that part's
 * size. https://docs.aws.amazon.com/AmazonS3/latest/userguide/mpuoverview.html
 */
export function openClientUploads(bucketName: string, access: AwsAccess = {}) {
  const client = new S3Client({
    ...awsClientOptions(access, completionTimeoutMs),
    requestChecksumCalculation: 'WHEN_REQUIRED',
  });
  const objectOf = (objectKey: string) => ({ Bucket: bucketName, Key: objectKey });
  return {
    /** @returns the upload's id */
    begin: async (objectKey: string, contentType: string): Promise<string> => {
      const { UploadId } = await client.send(
        new CreateMultipartUploadCommand({ ...objectOf(objectKey), ContentType: contentType }),
      );
      if (UploadId === undefined) throw new Error(`S3 began no upload of ${objectKey}`);
      return UploadId;
    },
    /** Signs the URL of a part. */
    sign: (part: {
      objectKey: string;
      uploadId: string;
      number: number;
      sizeBytes: number;
      expiresInSeconds: number;
    }): Promise<string> =>
      getSignedUrl(
        client,
        new UploadPartCommand({
          ...objectOf(part.objectKey),
          UploadId: part.uploadId,
          PartNumber: part.number,
          ContentLength: part.sizeBytes,
        }),
        { expiresIn: part.expiresInSeconds, signableHeaders: new Set(['host', 'content-length']) },
      ),
    /**
     * Lists the first 1,000 parts that S3 has, strongly consistent.
     *
     * @returns `undefined` if the upload was completed or aborted
     */
    list: async (objectKey: string, uploadId: string): Promise<SentPart[] | undefined> => {
      try {
        const { Parts = [] } = await client.send(
          new ListPartsCommand({ ...objectOf(objectKey), UploadId: uploadId }),
        );
        return Parts.map(({ PartNumber = 0, Size = 0, ETag = '' }) => ({
          number: PartNumber,
          sizeBytes: Size,
          etag: ETag,
        }));
      } catch (error) {
        if (error instanceof NoSuchUpload) return undefined;
        throw error;
      }
    },
    /**
     * Makes the object of these parts.
     *
     * @returns `gone` if the upload was completed or aborted, `changed` if a part is no longer the one that was listed
     */
    complete: async (
      objectKey: string,
      uploadId: string,
      parts: readonly SentPart[],
    ): Promise<'completed' | 'gone' | 'changed'> => {
      const Parts = parts.map(({ number, etag }) => ({ PartNumber: number, ETag: etag }));
      try {
        await client.send(
          new CompleteMultipartUploadCommand({
            ...objectOf(objectKey),
            UploadId: uploadId,
            MultipartUpload: { Parts },
          }),
        );
        return 'completed';
      } catch (error) {
        if (error instanceof NoSuchUpload) return 'gone';
        if (error instanceof S3ServiceException && changedParts.has(error.name)) return 'changed';
        throw error;
      }
    },
  };
}

export type ClientUploads = ReturnType<typeof openClientUploads>;
