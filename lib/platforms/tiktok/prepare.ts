import * as z from 'zod';
import { hourMs, minuteMs, secondMs } from '../../kernel/clock.ts';
import type { MediaSource, PrepareStep, PublishJob } from '../contract/adapter.ts';
import { PlatformError } from '../contract/errors.ts';
import type { Preparation } from '../contract/live-post.ts';
import type { PlatformTools } from '../contract/tools.ts';
import { pollDelaySeconds } from '../shared/finishing.ts';
import { nextChunk } from './chunks.ts';
import { type TiktokClient, tiktokClient } from './client.ts';
import { failureOf, isDownloadFailure, isForeignPublish, isMissingPublish } from './errors.ts';
import { type Creator, draftRequest, isDraft, isVideo, videoRequest } from './map.ts';
import { refusalsBy } from './standing.ts';
import { uploadNext } from './upload.ts';

const KnownCreator = z.object({
  username: z.string().nullable(),
  commentDisabled: z.boolean(),
  duetDisabled: z.boolean(),
  stitchDisabled: z.boolean(),
});

/** The preparation as the steps store it. */
export const Progress = z.object({
  /** The id of the post; for photos, null until the last call. */
  publishId: z.string().nullable().catch(null),
  uploadUrl: z.string().nullable().catch(null),
  /** True if only the last chunk was left when TikTok was last asked. */
  isUploaded: z.boolean().catch(false),
  /** The time at which the upload began (epoch milliseconds). Its URL is valid for an hour. */
  begunAt: z.number().catch(0),
  creator: KnownCreator.nullable().catch(null),
  /** The reason why the post failed at TikTok, and the time at which Herald saw that (epoch milliseconds). */
  failure: z.object({ reason: z.string(), at: z.number() }).nullable().catch(null),
  /** The number of polls of a new upload's status while TikTok did not know the upload. */
  looks: z.int().catch(0),
  /** The number of times that preparation has started over. */
  renewals: z.int().catch(0),
});
export type Progress = z.infer<typeof Progress>;

const maxRenewals = 3;
/** The time within which an upload must be completed after its start ("Media Transfer Guide"). */
export const uploadLifeMs = hourMs;
/** The time that must be left to continue an upload. With less, it would not be completed in time. */
const uploadReserveMs = 3 * minuteMs;
/** The longest time for which a status may not know an upload that has just begun. Our judgement. */
const longestMissingMs = 3 * minuteMs;

/**
 * Reads the creator info, except for a draft, and uploads a video without its last chunk. Posts nothing: an incomplete
 * upload has no effect. Photos have no upload: TikTok downloads and posts them with the last call.
 */
export async function prepare(job: PublishJob, tools: PlatformTools): Promise<PrepareStep> {
  const progress = Progress.parse(job.preparation);
  const client = tiktokClient(job, tools);
  if (progress.failure !== null) return afterFailure(progress, progress.failure, tools.now());
  if (!isVideo(job)) {
    const creator = progress.creator ?? (isDraft(job) ? null : await readCreator(job, client));
    return { state: 'ready', preparation: { ...progress, creator } };
  }
  const video = theVideo(job);
  const { publishId } = progress;
  if (publishId === null) return begin(job, video, progress, client, tools.now());
  return continueUpload(job, video, { ...progress, publishId }, client, tools);
}

/** Returns true if TikTok lacks more of a video than its last chunk, which the last call sends. */
export function sendsFile(job: Pick<PublishJob, 'media' | 'preparation'>): boolean {
  const { isUploaded } = Progress.parse(job.preparation);
  return isVideo(job) && !isUploaded && nextChunk(0, theVideo(job).sizeBytes) !== undefined;
}

/** Starts the upload. Sends no bytes yet, because the upload's URL must be committed first. */
async function begin(
  job: PublishJob,
  video: MediaSource,
  { renewals }: Progress,
  client: TiktokClient,
  now: number,
): Promise<PrepareStep> {
  // The creator info matters only for a direct post. To read it, an app needs the scope for direct posts.
  const creator = isDraft(job) ? null : await readCreator(job, client);
  const request = creator ? videoRequest(job, video.sizeBytes, creator) : draftRequest(video.sizeBytes);
  const begun = await client.beginVideo(request, { isDraft: creator === null });
  return { state: 'continue', preparation: { ...begun, begunAt: now, creator, renewals } };
}

/** Reads the creator info, as TikTok requires for every post. @throws PlatformError `rejected` if it forbids the job */
async function readCreator(job: PublishJob, client: TiktokClient): Promise<Creator & Preparation> {
  const standing = await client.creator();
  const [refusal] = refusalsBy(standing, job);
  if (refusal !== undefined) throw new PlatformError('rejected', refusal.message);
  const { username, commentDisabled, duetDisabled, stitchDisabled } = standing;
  return { username, commentDisabled, duetDisabled, stitchDisabled };
}

async function continueUpload(
  job: PublishJob,
  video: MediaSource,
  progress: Progress & { readonly publishId: string },
  client: TiktokClient,
  tools: PlatformTools,
): Promise<PrepareStep> {
  const { looks } = progress;
  const status = await client.status(progress.publishId).catch((error: unknown) => {
    if (isForeignPublish(error)) return error;
    throw error;
  });
  if (status instanceof PlatformError) {
    const isNew = tools.now() - progress.begunAt <= longestMissingMs;
    if (!isNew || !isMissingPublish(status)) return startOver(progress, 1);
    const preparation = { ...progress, looks: looks + 1 };
    return { state: 'waiting', preparation, waitSeconds: pollDelaySeconds(looks) };
  }
  const { state, failReason, uploadedBytes = 0 } = status;
  if (state === 'FAILED') {
    const failure = { reason: failReason, at: tools.now() };
    return afterFailure({ ...progress, failure }, failure, tools.now());
  }
  // TikTok has the whole video, so an earlier call took effect. The next one will discover that.
  if (state !== 'PROCESSING_UPLOAD' || uploadedBytes >= video.sizeBytes) {
    return { state: 'ready', preparation: { ...progress, isUploaded: true } };
  }
  const { uploadUrl } = progress;
  if (uploadUrl === null) return startOver(progress, 0);
  if (tools.now() > progress.begunAt + uploadLifeMs - uploadReserveMs) return startOver(progress, 1);
  const upload = await uploadNext(
    { video, uploadUrl, storedBytes: uploadedBytes, deadline: job.deadline },
    client,
    tools.now,
  );
  switch (upload) {
    case 'only the last chunk is left':
      return { state: 'ready', preparation: { ...progress, isUploaded: true } };
    case 'time is over':
      return { state: 'continue', preparation: progress };
    case 'gone':
      return startOver(progress, 1);
  }
}

/**
 * Starts over if a new attempt may help: no part of a failed post is live. Failed downloads do not use up the renewals,
 * because the host of our files may be down: the engine ends their retries after hours.
 *
 * @throws PlatformError if a new attempt cannot help
 */
function afterFailure(
  progress: Progress,
  { reason, at }: NonNullable<Progress['failure']>,
  now: number,
): PrepareStep {
  const failure = failureOf(reason);
  if (failure.remedy !== 'retry') throw failure;
  const leftSeconds = (failure.retryAfterSeconds ?? 0) - (now - at) / secondMs;
  if (isDownloadFailure(reason)) {
    if (leftSeconds <= 0) return { state: 'continue', preparation: { renewals: progress.renewals } };
  } else {
    if (leftSeconds <= 0) return startOver(progress, 0, failure);
    requireRenewal(progress, failure);
  }
  return { state: 'waiting', preparation: progress, waitSeconds: Math.ceil(leftSeconds) };
}

const uploadEnded = new PlatformError('retry', 'TikTok ended the upload before it was complete');

/** Starts over, a bounded number of times. */
function startOver(progress: Progress, waitSeconds: number, cause = uploadEnded): PrepareStep {
  const preparation = renewed(progress, cause);
  return waitSeconds > 0
    ? { state: 'waiting', preparation, waitSeconds }
    : { state: 'continue', preparation };
}

/** Returns the preparation without its upload. @throws PlatformError `rejected` if it was renewed too often */
export function renewed(progress: Progress, cause: PlatformError): Preparation {
  requireRenewal(progress, cause);
  return { renewals: progress.renewals + 1 };
}

function requireRenewal({ renewals }: Progress, { message, platformCode }: PlatformError): void {
  if (renewals >= maxRenewals) throw new PlatformError('rejected', message, { platformCode });
}

/** Returns the job's only file, a video. @throws PlatformError `rejected` if the job has other media */
export function theVideo({ media }: Pick<PublishJob, 'media'>): MediaSource {
  const [video] = media;
  if (video?.type === 'video' && media.length === 1) return video;
  throw new PlatformError('rejected', 'TikTok allows either one video or photos.');
}
