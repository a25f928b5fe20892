import { type Bucket, openBucket, type UploadSigner, uploadSigner } from '../../lib/aws/bucket.ts';
import type { Wire } from './start.ts';

/** The bucket of all media files. */
export const bucket: Wire<Bucket> = (environment) => openBucket(environment('MEDIA_BUCKET'));

export const signUpload: Wire<UploadSigner> = (environment) => uploadSigner(environment('MEDIA_BUCKET'));
