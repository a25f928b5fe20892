import * as z from 'zod';
import { minuteMs, secondMs } from '../../kernel/clock.ts';
import type { MediaSource, PrepareStep, PublishJob } from '../contract/adapter.ts';
import { PlatformError } from '../contract/errors.ts';
import type { PlatformTools } from '../contract/tools.ts';
import { hasStatus } from '../shared/error-table.ts';
import { pollDelaySeconds } from '../shared/finishing.ts';
import { type PinterestClient, pinterestClient } from './client.ts';

import { awaitUpload, beginUpload } from './uploads.ts';

/** What is left between two steps. */
export const Progress = z.object({
  /** The video, once it is registered. */
  mediaId: z.string().nullable().catch(null),
  /** Whether its bytes are at Pinterest. */
  isUploaded: z.boolean().catch(false),
  /** How often an upload was begun. */
  uploads: z.int().catch(0),
  /** Since when Pinterest has been processing the video, in epoch milliseconds, and how often it was asked. */
  since: z.number().nullable().catch(null),
  looks: z.int().catch(0),
  /** The first last call that was found to have had no effect (epoch ms), and the like Pins of other posts by then. */
  firstIntentAt: z.number().nullable().catch(null),
  othersPins: z.array(z.string()).catch([]),
});
export type Progress = z.infer<typeof Progress>;

const mostUploads = 5;
/** Kept free before the deadline, for the engine to commit what was done. */
const reserveMs = 5 * secondMs;
/** With less than this left of the step, which is the end of the worker's time, nothing is begun. */
const shortestStepMs = secondMs;
/** No worker lives longer. */
const longestUploadSeconds = 900;
/** An upload that Pinterest does not notice is lost. */
const longestUnnoticedMs = 5 * minuteMs;
const longestProcessingMs = 30 * minuteMs;

/**
 * Uploads a video and waits until Pinterest has processed it. Nothing of it is public, so a step that is repeated after
 * a crash costs an upload that nobody uses. Images need nothing: Pinterest fetches them within the last call.
 */
export async function prepare(job: PublishJob, tools: PlatformTools): Promise<PrepareStep> {
  const progress = Progress.parse(job.preparation);
  const [file] = job.media;
  if (file?.type !== 'video') return { state: 'ready', preparation: progress };
  const client = pinterestClient(job, tools);
  const { mediaId } = progress;
  if (mediaId !== null && progress.isUploaded)
    return processed(client, { ...progress, mediaId }, tools.now());
  return upload(client, file, progress, job.deadline - reserveMs, tools);
}

/** Goes on waiting for the upload that this process has begun, or begins one. @param untilMs epoch milliseconds */
async function upload(
  client: PinterestClient,
  file: MediaSource,
  progress: Progress,
  untilMs: number,
  { http, now }: PlatformTools,
): Promise<PrepareStep> {
  const state =
    progress.mediaId === null ? 'unknown' : await awaitUpload(http, progress.mediaId, untilMs - now());
  if (state !== 'unknown') {
    return { state: 'continue', preparation: { ...progress, isUploaded: state === 'sent' } };
  }
  if (untilMs - now() < shortestStepMs) return { state: 'continue', preparation: progress };
  if (progress.uploads >= mostUploads) {
    throw new PlatformError('rejected', `Pinterest did not get the whole video in ${mostUploads} uploads`);
  }
  const registration = await client.registerVideo();
  const { mediaId } = registration;
  beginUpload(http, mediaId, () => client.uploadVideo(registration, file, longestUploadSeconds));
  const isUploaded = (await awaitUpload(http, mediaId, untilMs - now())) === 'sent';
  return {
    state: 'continue',
    preparation: { ...progress, mediaId, isUploaded, uploads: progress.uploads + 1, since: null, looks: 0 },
  };
}

/** Looks at the video; also before each further attempt at the last call, for Pinterest may have dropped it. */
async function processed(
  client: PinterestClient,
  progress: Progress & { readonly mediaId: string },
  now: number,
): Promise<PrepareStep> {
  const { since: known, looks, uploads } = progress;
  const since = known ?? now;
  const status = await client.mediaStatus(progress.mediaId).catch((error: unknown) => {
    if (hasStatus(error, 404)) return undefined;
    throw error;
  });
  if (status === 'succeeded') {
    return { state: 'ready', preparation: { ...progress, uploads: 0, since: null, looks: 0 } };
  }
  if (status === 'failed') {
    throw new PlatformError(
      'rejected',
      'Pinterest could not process the video. It takes MP4 and QuickTime with H.264 or H.265, of 4 seconds to 15 minutes.',
    );
  }
  const isLost = status === undefined || (status === 'registered' && now - since > longestUnnoticedMs);
  if (isLost && uploads < mostUploads) {
    const preparation = { ...progress, mediaId: null, isUploaded: false, since: null, looks: 0 };
    return { state: 'waiting', preparation, waitSeconds: 1 };
  }
  if (isLost || now - since > longestProcessingMs) {
    throw new PlatformError('rejected', 'Pinterest was still processing the video after 30 minutes');
  }
  return {
    state: 'waiting',
    preparation: { ...progress, since, looks: looks + 1 },
    // "Create boards and Pins" asks for a look every few seconds.
    waitSeconds: Math.min(20, Math.max(5, pollDelaySeconds(looks))),
  };
}
