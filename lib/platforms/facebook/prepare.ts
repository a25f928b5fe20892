import * as z from 'zod';
import { minuteMs, secondMs } from '../../kernel/clock.ts';
import type { MediaSource, Preparation, PrepareStep, PublishJob } from '../contract/adapter.ts';
import { PlatformError } from '../contract/errors.ts';
import type { PlatformTools } from '../contract/tools.ts';
import { pollDelaySeconds } from '../shared/finishing.ts';
import { type FacebookClient, facebookClient, type HostedEdge } from './client.ts';
import { isCuredByNewUpload } from './errors.ts';
import { readPost } from './map.ts';

/** What is left between two steps. */
export const Progress = z.object({
  /** The unpublished photos, in order. */
  photos: z.array(z.string()).catch([]),
  /** The video that the last call will make public. */
  videoId: z.string().nullable().catch(null),
  /** A video's chunked upload, and the bytes that are wanted next. */
  sessionId: z.string().nullable().catch(null),
  first: z.int().catch(0),
  end: z.int().catch(0),
  /** Whether Facebook was told where a reel's file is. */
  isUploadBegun: z.boolean().catch(false),
  /** Since when Facebook has been asked about the upload, in epoch milliseconds, and how often. */
  since: z.number().nullable().catch(null),
  looks: z.int().catch(0),
  /** The first last call that was made, where it was found to have had no effect (epoch ms). */
  firstIntentAt: z.number().nullable().catch(null),
  /** How often everything was uploaded anew. */
  renewals: z.int().catch(0),
  /** Why Facebook threw away a video after the last call. */
  failure: z.string().nullable().catch(null),
});
export type Progress = z.infer<typeof Progress>;

const mostRenewals = 3;
/** Facebook fetches and stores a file of a gigabyte within this, or never. */
const longestUploadMs = 30 * minuteMs;
/** With less time left than this, no chunk is begun. */
const shortestChunkMs = 25 * secondMs;

/**
 * Uploads what the post shows, so that nothing is left but one call: photos unpublished, plain videos in chunks, reels
 * and stories by the address of their file. None of it is seen by anybody before that call. A text needs nothing.
 */
export async function prepare(job: PublishJob, tools: PlatformTools): Promise<PrepareStep> {
  const progress = Progress.parse(job.preparation);
  if (progress.failure !== null) {
    const failure = new PlatformError('rejected', progress.failure);
    // Once more: processing fails at times for no fault of the file.
    return renewed(progress, failure, 1);
  }
  try {
    return await nextStep(job, progress, tools);
  } catch (error) {
    if (!(error instanceof PlatformError) || !isCuredByNewUpload(error)) throw error;
    return renewed(progress, error, mostRenewals);
  }
}

function nextStep(job: PublishJob, progress: Progress, tools: PlatformTools): Promise<PrepareStep> {
  const client = facebookClient(job, tools);
  const now = tools.now();
  switch (readPost(job).kind) {
    case 'text':
      return Promise.resolve({ state: 'ready', preparation: job.preparation });
    case 'photos':
    case 'photoStory':
      return uploadPhotos(job, progress, client);
    case 'video':
      return uploadChunks(job, progress, client, tools);
    case 'reel':
      return uploadHosted('video_reels', job, progress, client, now);
    case 'videoStory':
      return uploadHosted('video_stories', job, progress, client, now);
  }
}

async function uploadPhotos(
  { media }: PublishJob,
  progress: Progress,
  client: FacebookClient,
): Promise<PrepareStep> {
  const next = media[progress.photos.length];
  if (next === undefined) return { state: 'ready', preparation: progress };
  const photos = [...progress.photos, await client.uploadPhoto(next.url)];
  return {
    state: photos.length < media.length ? 'continue' : 'ready',
    preparation: { ...progress, photos },
  };
}

/** Should an answer be lost, Facebook says at the next try which bytes it wants. */
async function uploadChunks(
  job: PublishJob,
  progress: Progress,
  client: FacebookClient,
  tools: PlatformTools,
): Promise<PrepareStep> {
  const video = theVideo(job);
  const { sessionId } = progress;
  if (sessionId === null) {
    const begun = await client.startChunked(video.sizeBytes);
    return { state: 'continue', preparation: { ...progress, ...begun } };
  }
  let { first, end } = progress;
  while (first < Math.min(end, video.sizeBytes)) {
    if (job.deadline - tools.now() < shortestChunkMs) {
      return { state: 'continue', preparation: { ...progress, first, end } };
    }
    const chunk = { sessionId, first, end: Math.min(end, video.sizeBytes) };
    const next = await client.transfer(video, chunk);
    if (next.first <= first)
      throw new PlatformError('retry', `Facebook kept nothing of the bytes from ${first}`);
    ({ first, end } = next);
  }
  return { state: 'ready', preparation: { ...progress, first, end } };
}

async function uploadHosted(
  edge: HostedEdge,
  job: PublishJob,
  progress: Progress,
  client: FacebookClient,
  now: number,
): Promise<PrepareStep> {
  const { videoId, isUploadBegun, looks } = progress;
  if (videoId === null) {
    const begun = await client.startHosted(edge);
    return { state: 'continue', preparation: { ...progress, videoId: begun } };
  }
  if (!isUploadBegun) {
    await client.uploadHosted(videoId, theVideo(job).url);
    return { state: 'continue', preparation: { ...progress, isUploadBegun: true } };
  }
  const { state } = await client.video(videoId);
  // Processing or live: an earlier last call did take effect. The next one will say so, and is then looked into.
  if (state.state === 'failed') {
    return renewed(progress, new PlatformError('rejected', `Facebook: ${state.reason}`), mostRenewals);
  }
  if (state.state !== 'uploading') return { state: 'ready', preparation: progress };
  const since = progress.since ?? now;
  if (now - since > longestUploadMs) {
    throw new PlatformError('rejected', 'Facebook was still fetching the video after 30 minutes');
  }
  const waitSeconds = pollDelaySeconds(looks);
  return { state: 'waiting', preparation: { ...progress, since, looks: looks + 1 }, waitSeconds };
}

/** Starts again with new uploads, a bounded number of times. */
function renewed({ renewals, firstIntentAt }: Progress, error: PlatformError, most: number): PrepareStep {
  if (renewals >= most) {
    const { message, status, platformCode } = error;
    throw new PlatformError('rejected', message, { status, platformCode, cause: error });
  }
  const preparation: Preparation = { renewals: renewals + 1, firstIntentAt };
  return { state: 'waiting', preparation, waitSeconds: error.retryAfterSeconds ?? 5 };
}

/** @throws PlatformError `rejected` where the rules were not kept */
function theVideo({ media }: Pick<PublishJob, 'media'>): MediaSource {
  const [video] = media;
  if (video?.type === 'video') return video;
  throw new PlatformError('rejected', 'Facebook takes exactly one video.');
}
