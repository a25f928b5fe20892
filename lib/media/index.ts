export { type MediaBucket, mediaArrived, releaseGrant } from './arrive.ts';
export { type MediaContext, presignMedia } from './presign.ts';
