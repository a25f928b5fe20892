import { CopyObjectCommand, S3Client, S3ServiceException } from '@aws-sdk/client-s3';
import { awsClientOptions } from './client-options.ts';

/** The time limit of a copy. S3 copies an object of 5 GB, the largest that one request copies, within minutes. */
const copyTimeoutMs = 600_000;

/** S3's errors for a missing source. Without the right to list a bucket, S3 responds with 403 instead. */
const missingSource = new Set(['NoSuchKey', 'NotFound']);

/**
 * Copies objects back from the bucket with copies in another Region. Nothing is overwritten: the bucket's policy requires that of
 * every write of a public file.
 *
 * @returns a function that returns true if the object is there now
 */
export function openBucketCopies(copiesBucket: string, bucketName: string) {
  const client = new S3Client({ ...awsClientOptions({}, copyTimeoutMs) });
  return async (objectKey: string): Promise<boolean> => {
    const command = new CopyObjectCommand({
      Bucket: bucketName,
      Key: objectKey,
      // Our keys have only characters that need no escaping in a URL.
      CopySource: `${copiesBucket}/${objectKey}`,
      IfNoneMatch: '*',
      MetadataDirective: 'COPY',
      ChecksumAlgorithm: 'SHA256',
    });
    try {
      await client.send(command);
      return true;
    } catch (error) {
      if (!(error instanceof S3ServiceException)) throw error;
      if (error.name === 'PreconditionFailed') return true;
      if (missingSource.has(error.name)) return false;
      throw error;
    }
  };
}
