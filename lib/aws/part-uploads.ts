import {
  AbortMultipartUploadCommand,
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  NoSuchUpload,
  PutObjectCommand,
  S3Client,
  UploadPartCommand,
} from '@aws-sdk/client-s3';
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
