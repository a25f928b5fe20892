import * as z from 'zod';
import { minuteMs, secondMs } from '../../kernel/clock.ts';
import type { MediaSource, PrepareStep, PublishJob } from '../contract/adapter.ts';
import { PlatformError } from '../contract/errors.ts';
import type { Preparation } from '../contract/live-post.ts';
import type { PlatformTools } from '../contract/tools.ts';
import { altTextOf } from '../shared/alt-text.ts';
import { pollDelaySeconds } from '../shared/finishing.ts';
import { type FacebookClient, facebookClient, type HostedEdge } from './client.ts';
import { isFixedByNewUpload, isMissing, isPhotoRefused } from './errors.ts';
import { photoLimits } from './limits.ts';
import { readPost, type VideoState } from './map.ts';
import { withinReelLimit } from './reel-limit.ts';

/** The preparation as the steps store it. */
export const Progress = z.object({
  /** The ids of the unpublished photos, in order. */
  photos: z.array(z.string()).catch([]),
  /** The video that the last call publishes. */
  videoId: z.string().nullable().catch(null),
  /** A video's chunked upload, and the next bytes to send (`end` is exclusive). */
  sessionId: z.string().nullable().catch(null),
  first: z.int().catch(0),
  end: z.int().catch(0),
  /** True if Facebook has the URL of a reel's or story's file. */
  isUploadBegun: z.boolean().catch(false),
  /** The time of the upload's first poll, in epoch milliseconds, and the number of polls. */
  since: z.number().nullable().catch(null),
  looks: z.int().catch(0),
  /** True if Facebook refused the text because it is identical to the Page's newest post. */
  isDuplicate: z.boolean().catch(false),
  /** The number of times that preparation has started over with new uploads. */
  renewals: z.int().catch(0),
  /** The number of times that Facebook refused the next photo, if it is a large one. */
  refusals: z.int().catch(0),
  /** The reason why Facebook discarded a video after the last call. */
  failure: z.string().nullable().catch(null),
});
export type Progress = z.infer<typeof Progress>;

export const maxRenewals = 3;
const maxRefusals = 2;
/** The longest time for Facebook to download and store a file of 1 GB. */
const longestUploadMs = 30 * minuteMs;
/** The longest time for which a video may read as missing after its upload has begun. Our judgement. */
const longestMissingMs = minuteMs;
/** The time that must be left to start another chunk. */
const shortestChunkMs = 25 * secondMs;

/**
 * Uploads the post's media: photos unpublished, plain videos in chunks, reels and video stories by the URL of their
 * file. Nothing is visible before the last call. A text needs no preparation.
 */
export async function prepare(job: PublishJob, tools: PlatformTools): Promise<PrepareStep> {
  const progress = { ...Progress.parse(job.preparation), isDuplicate: false };
  if (progress.failure !== null) {
    const failure = new PlatformError('rejected', progress.failure);
    // Start over once: processing sometimes fails although the file is good.
    return startOver(progress, failure, 1);
  }
  try {
    return await nextStep(job, progress, tools);
  } catch (error) {
    if (!(error instanceof PlatformError) || !isFixedByNewUpload(error)) throw error;
    return startOver(progress, error, maxRenewals);
  }
}

/** Returns true if a plain video is not sent yet. Facebook fetches all other files itself. */
export function sendsFile(job: Pick<PublishJob, 'content' | 'media' | 'options' | 'preparation'>): boolean {
  const { sessionId, first, end } = Progress.parse(job.preparation);
  if (readPost(job).kind !== 'video') return false;
  return sessionId === null || first < Math.min(end, theVideo(job).sizeBytes);
}

function nextStep(job: PublishJob, progress: Progress, tools: PlatformTools): Promise<PrepareStep> {
  const client = facebookClient(job, tools);
  const now = tools.now();
  switch (readPost(job).kind) {
    case 'text':
      return Promise.resolve({ state: 'ready', preparation: {} });
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

/** Uploads the next photo. If Facebook cannot download it, the photos before it are kept. */
async function uploadPhotos(
  job: PublishJob,
  progress: Progress,
  client: FacebookClient,
): Promise<PrepareStep> {
  const { media } = job;
  const next = media[progress.photos.length];
  if (next === undefined) return { state: 'ready', preparation: progress };
  const { options } = readPost(job);
  const altText = altTextOf(options.altText, media, progress.photos.length);
  const photo = await client
    .uploadPhoto(next.url, altText)
    .catch((error: unknown) => refusePhoto(next, progress, error));
  const photos = [...progress.photos, photo];
  return {
    state: photos.length < media.length ? 'continue' : 'ready',
    preparation: { ...progress, photos, refusals: 0 },
  };
}

/**
 * Handles a refused photo. Facebook sends the same error for a photo that it could not download and for one that is too
 * large. So a photo above 4 MB is tried a few times only; the engine retries others for hours.
 *
 * @throws always
 */
function refusePhoto({ sizeBytes }: MediaSource, progress: Progress, error: unknown): never {
  if (!isPhotoRefused(error) || sizeBytes <= photoLimits.advice.bytes) throw error;
  const { message, status, platformCode, retryAfterSeconds } = error;
  const details = { status, platformCode, cause: error };
  if (progress.refusals >= maxRefusals) throw new PlatformError('rejected', message, details);
  const preparation = { ...progress, refusals: progress.refusals + 1 };
  throw new PlatformError('retry', message, { ...details, retryAfterSeconds, preparation });
}

/**
 * Sends the chunks of a plain video. If a response is lost, the response to the next attempt says which bytes Facebook expects.
 */
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
      throw new PlatformError('retry', `Facebook did not store the bytes from ${first}`);
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
    const start = () => client.startHosted(edge);
    const begun = await (edge === 'video_reels' ? withinReelLimit(client, now, start) : start());
    return { state: 'continue', preparation: { ...progress, videoId: begun } };
  }
  if (!isUploadBegun) {
    await client.uploadHosted(videoId, theVideo(job).url);
    return { state: 'continue', preparation: { ...progress, isUploadBegun: true } };
  }
  const state = await readState(client, videoId);
  if (state?.state === 'failed') {
    const message = `Facebook: ${state.reason}`;
    if (state.isDownload && progress.renewals > 0) throw failedDownload(progress, message);
    return startOver(progress, new PlatformError('rejected', message), maxRenewals);
  }
  if (state !== undefined && state.state !== 'uploading') return { state: 'ready', preparation: progress };
  const since = progress.since ?? now;
  if (state === undefined && now - since > longestMissingMs) {
    return startOver(progress, new PlatformError('rejected', 'Facebook has lost the video'), maxRenewals);
  }
  if (now - since > longestUploadMs) {
    throw new PlatformError('rejected', 'Facebook was still downloading the video after 30 minutes');
  }
  const waitSeconds = pollDelaySeconds(looks);
  return { state: 'waiting', preparation: { ...progress, since, looks: looks + 1 }, waitSeconds };
}

/**
 * Makes the error for a download that failed again after one quick renewal. The host of our files may be down, so the
 * engine's backoff applies, and such failures do not use up the renewals.
 */
function failedDownload({ renewals }: Progress, message: string): PlatformError {
  return new PlatformError('retry', message, { retryAfterSeconds: 60, preparation: { renewals } });
}

/** Reads the state of a video; undefined if it reads as missing. */
async function readState(client: FacebookClient, videoId: string): Promise<VideoState | undefined> {
  try {
    return (await client.video(videoId)).state;
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

/**
 * Discards all uploads and starts over.
 *
 * @throws PlatformError `rejected`, with the error's message, if that was already done `limit` times
 */
export function startOver(
  { renewals }: Progress,
  error: PlatformError,
  limit: number,
): Extract<PrepareStep, { state: 'waiting' }> {
  if (renewals >= limit) {
    const { message, status, platformCode } = error;
    throw new PlatformError('rejected', message, { status, platformCode, cause: error });
  }
  const preparation: Preparation = { renewals: renewals + 1 };
  return { state: 'waiting', preparation, waitSeconds: error.retryAfterSeconds ?? 5 };
}

/** Returns the id of a started upload. @throws PlatformError `retry` if there is none */
export function requireStarted(id: string | null): string {
  if (id !== null) return id;
  throw new PlatformError('retry', 'Facebook: the upload was not started yet');
}

/** Returns the job's video. @throws PlatformError `rejected` if the first file is not a video */
function theVideo({ media }: Pick<PublishJob, 'media'>): MediaSource {
  const [video] = media;
  if (video?.type === 'video') return video;
  throw new PlatformError('rejected', 'Facebook needs exactly one video.');
}
