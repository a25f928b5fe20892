import * as z from 'zod';
import { hourMs, minuteMs, secondMs } from '../../kernel/clock.ts';
import type { MediaSource, Preparation, PrepareStep, PublishJob } from '../contract/adapter.ts';
import { PlatformError } from '../contract/errors.ts';
import type { PlatformTools } from '../contract/tools.ts';
import { readOptions } from '../shared/options.ts';
import { type TiktokClient, tiktokClient } from './client.ts';
import { failureOf } from './errors.ts';
import { type Creator, isVideo, videoRequest } from './map.ts';
import { TiktokOptions } from './options.ts';
import { uploadNext } from './upload.ts';

const KnownCreator = z.object({
  username: z.string().nullable(),
  commentDisabled: z.boolean(),
  duetDisabled: z.boolean(),
  stitchDisabled: z.boolean(),
});

/** What is left between two steps. */
export const Progress = z.object({
  /** Of photos it is there only after the last call. */
  publishId: z.string().nullable().catch(null),
  uploadUrl: z.string().nullable().catch(null),
  /** When the upload began (epoch milliseconds): its address is good for an hour. */
  begunAt: z.number().catch(0),
  /** Whether the last chunk may have been sent. Then only TikTok can tell that nothing was posted. */
  isTried: z.boolean().catch(false),
  creator: KnownCreator.nullable().catch(null),
  /** Why TikTok gave the post up, and when that was seen (epoch milliseconds). */
  failure: z.object({ reason: z.string(), at: z.number() }).nullable().catch(null),
  /** How often everything was begun anew. */
  renewals: z.int().catch(0),
});
export type Progress = z.infer<typeof Progress>;

const mostRenewals = 3;
const uploadLifeMs = hourMs;
/** Too little of the hour is left for what is still to be done. */
const uploadReserveMs = 3 * minuteMs;
/** Their clock and ours may differ by this much. */
const clockSlackMs = minuteMs;

/**
 * Asks what the creator may post, and uploads a video but for its last chunk. Nothing of it is posted: an upload that is
 * never completed comes to nothing. Photos cannot be prepared: TikTok fetches and posts them in one.
 */
export async function prepare(job: PublishJob, tools: PlatformTools): Promise<PrepareStep> {
  const progress = Progress.parse(job.preparation);
  const client = tiktokClient(job, tools);
  if (progress.failure !== null) return afterFailure(progress, progress.failure, tools.now());
  if (!isVideo(job)) {
    const creator = progress.creator ?? (await askCreator(job, client));
    return { state: 'ready', preparation: { ...progress, creator } };
  }
  const video = theVideo(job);
  const { publishId } = progress;
  if (publishId === null) return begin(job, video, progress, client, tools.now());
  return proceed(job, video, { ...progress, publishId }, client, tools);
}

/** The address of an upload has to be committed before any byte is sent. */
async function begin(
  job: PublishJob,
  video: MediaSource,
  { renewals }: Progress,
  client: TiktokClient,
  now: number,
): Promise<PrepareStep> {
  const creator = await askCreator(job, client);
  const begun = await client.beginVideo(videoRequest(job, video.sizeBytes, creator));
  return { state: 'continue', preparation: { ...begun, begunAt: now, creator, renewals } };
}

/** TikTok wants to be asked before every post, and the answer decides what the post may be. */
async function askCreator(job: PublishJob, client: TiktokClient): Promise<Creator & Preparation> {
  const { privacyLevels, ...creator } = await client.creator();
  const { privacyLevel } = readOptions(TiktokOptions, job.options);
  if (!privacyLevels.includes(privacyLevel)) {
    throw new PlatformError(
      'rejected',
      `TikTok: this account does not offer the privacyLevel ${privacyLevel}, but ${privacyLevels.join(', ')}`,
    );
  }
  return creator;
}

async function proceed(
  job: PublishJob,
  video: MediaSource,
  progress: Progress & { readonly publishId: string },
  client: TiktokClient,
  tools: PlatformTools,
): Promise<PrepareStep> {
  const { state, failReason, uploadedBytes = 0 } = await client.status(progress.publishId);
  if (state === 'FAILED') {
    const failure = { reason: failReason, at: tools.now() };
    return afterFailure({ ...progress, failure }, failure, tools.now());
  }
  // All of it is there: an earlier last call did take effect. The next one will find that out.
  if (state !== 'PROCESSING_UPLOAD' || uploadedBytes >= video.sizeBytes) {
    return { state: 'ready', preparation: progress };
  }
  const ageMs = tools.now() - progress.begunAt;
  if (ageMs > uploadLifeMs - uploadReserveMs) return afterExpiry(progress, ageMs);
  const { uploadUrl } = progress;
  if (uploadUrl === null) return renewed(progress, 0);
  const upload = await uploadNext(
    { video, uploadUrl, storedBytes: uploadedBytes, deadline: job.deadline },
    client,
    tools.now,
  );
  switch (upload) {
    case 'only the last chunk is left':
      return { state: 'ready', preparation: progress };
    case 'time is over':
      return { state: 'continue', preparation: progress };
    case 'gone':
      return afterExpiry(progress, ageMs);
  }
}

/**
 * An upload whose last chunk was never sent is left behind at once. Of any other nothing can be posted any more once its
 * hour is over without it being complete.
 */
function afterExpiry(progress: Progress, ageMs: number): PrepareStep {
  const leftMs = uploadLifeMs + clockSlackMs - ageMs;
  if (!progress.isTried || leftMs <= 0) return renewed(progress, 1);
  return { state: 'waiting', preparation: progress, waitSeconds: Math.ceil(leftMs / secondMs) };
}

/** A post that has failed is nowhere, so that it can be begun anew, if that is of any use. */
function afterFailure(
  progress: Progress,
  { reason, at }: NonNullable<Progress['failure']>,
  now: number,
): PrepareStep {
  const failure = failureOf(reason);
  if (failure.remedy !== 'retry') throw failure;
  const leftSeconds = (failure.retryAfterSeconds ?? 0) - (now - at) / secondMs;
  if (leftSeconds <= 0) return renewed(progress, 0, failure);
  requireRenewal(progress, failure);
  return { state: 'waiting', preparation: progress, waitSeconds: Math.ceil(leftSeconds) };
}

/** Begins again, a bounded number of times. */
function renewed(
  progress: Progress,
  waitSeconds: number,
  cause = new PlatformError('retry', 'TikTok ended the upload before it was complete'),
): PrepareStep {
  requireRenewal(progress, cause);
  const preparation = { renewals: progress.renewals + 1 };
  return waitSeconds > 0
    ? { state: 'waiting', preparation, waitSeconds }
    : { state: 'continue', preparation };
}

function requireRenewal({ renewals }: Progress, { message, platformCode }: PlatformError): void {
  if (renewals >= mostRenewals) throw new PlatformError('rejected', message, { platformCode });
}

/** @throws PlatformError `rejected` where the rules were not kept */
export function theVideo({ media }: Pick<PublishJob, 'media'>): MediaSource {
  const [video] = media;
  if (video?.type === 'video' && media.length === 1) return video;
  throw new PlatformError('rejected', 'TikTok takes either one video or photos.');
}
