export { type MediaBucket, mediaArrived } from './arrive.ts';
export { deleteMedia } from './delete.ts';
export { type MediaContext, presignMedia } from './presign.ts';
export { getMedia, listMedia } from './read.ts';
export { type SweepMediaCount, type SweepMediaPorts, sweepMedia } from './sweep.ts';
export { toMediaView } from './view.ts';
