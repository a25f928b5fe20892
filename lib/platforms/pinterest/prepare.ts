import * as z from 'zod';
import { minuteMs, secondMs } from '../../kernel/clock.ts';
import type { MediaSource, PrepareStep, PublishJob, WorkerLife } from '../contract/adapter.ts';
import { PlatformError } from '../contract/errors.ts';
import type { PlatformHttp } from '../contract/http.ts';
import type { PlatformTools } from '../contract/tools.ts';
import { hasStatus } from '../shared/error-table.ts';
import { pollDelaySeconds } from '../shared/finishing.ts';
import { type PinterestClient, pinterestClient } from './client.ts';
import { leadSeconds } from './limits.ts';

/** The preparation as the steps store it. */
export const Progress = z.object({
  /** The video's id, once it is registered. */
  mediaId: z.string().nullable().catch(null),
  /** True if Pinterest has the whole video. */
  isUploaded: z.boolean().catch(false),
  /** The number of uploads that were started. */
  uploads: z.int().catch(0),
  /** The time of the first poll of the video's processing, in epoch milliseconds, and the number of polls. */
  since: z.number().nullable().catch(null),
  looks: z.int().catch(0),
});
export type Progress = z.infer<typeof Progress>;

const maxUploads = 5;
/** The time before the deadline that is reserved for committing the progress. */
const reserveMs = 5 * secondMs;
/** The time that must be left to start an upload. */
const shortestStepMs = secondMs;
/** The longest time that a worker can run (Lambda's limit). */
const longestUploadSeconds = 900;
/**
 * The life that a worker must still have to start an upload; for a smaller file, the time that its upload usually
 * takes. Otherwise another worker does it.
 */
const enoughForUploadMs = 2 * minuteMs;
/** The wait after which the next step runs in another worker. */
const otherWorkerSeconds = 5;
/** The time after which an upload is lost if its video still has the status `registered`. */
const longestUnnoticedMs = 5 * minuteMs;
const longestProcessingMs = 30 * minuteMs;

/**
 * Uploads a video and waits until Pinterest has processed it. The upload is not public, so a step that is repeated
 * after a crash only leaves an unused upload. Images need no preparation: Pinterest downloads them when it goes live.
 */
export async function prepare(job: PublishJob, tools: PlatformTools): Promise<PrepareStep> {
  const progress = Progress.parse(job.preparation);
  const [file] = job.media;
  if (file?.type !== 'video') return { state: 'ready', preparation: progress };
  const client = pinterestClient(job, tools);
  const { mediaId } = progress;
  if (mediaId !== null && progress.isUploaded)
    return pollProcessing(client, { ...progress, mediaId }, tools.now());
  return upload(client, file, progress, job, tools);
}

/** Returns true if Pinterest lacks a video. */
export function sendsFile(job: Pick<PublishJob, 'media' | 'preparation'>): boolean {
  const { mediaId, isUploaded } = Progress.parse(job.preparation);
  return job.media[0]?.type === 'video' && !(mediaId !== null && isUploaded);
}

/**
 * Waits for the upload that this process has started, or starts one. An upload that is not complete when the worker ends
 * is aborted, and counts. Starts none that could not be completed in time, or that would take the bandwidth of others.
 */
async function upload(
  client: PinterestClient,
  file: MediaSource,
  progress: Progress,
  { deadline, worker }: Pick<PublishJob, 'deadline' | 'worker'>,
  { http, now }: PlatformTools,
): Promise<PrepareStep> {
  const untilMs = deadline - reserveMs;
  const state =
    progress.mediaId === null ? 'unknown' : await awaitUpload(http, progress.mediaId, untilMs - now());
  if (state !== 'unknown') {
    return { state: 'continue', preparation: { ...progress, isUploaded: state === 'sent' } };
  }
  if (untilMs - now() < shortestStepMs) return { state: 'continue', preparation: progress };
  if (progress.uploads >= maxUploads) {
    throw new PlatformError('rejected', `Pinterest did not receive the whole video in ${maxUploads} uploads`);
  }
  if (isBusyUploading(http) || (worker && !isEnough(worker, file, now())))
    return { state: 'waiting', preparation: progress, waitSeconds: otherWorkerSeconds };
  const registration = await client.registerVideo();
  const { mediaId } = registration;
  const limits = { totalSeconds: longestUploadSeconds, signal: worker?.ended };
  beginUpload(http, mediaId, () => client.uploadVideo(registration, file, limits), worker?.ended);
  const isUploaded = (await awaitUpload(http, mediaId, untilMs - now())) === 'sent';
  return {
    state: 'continue',
    preparation: { ...progress, mediaId, isUploaded, uploads: progress.uploads + 1, since: null, looks: 0 },
  };
}

/** Returns true if the worker lives long enough to upload the file. @param now epoch milliseconds */
function isEnough({ endsMs }: WorkerLife, { sizeBytes }: MediaSource, now: number): boolean {
  const usualMs = (sizeBytes / 1_048_576) * leadSeconds.videoPerMebibyte * secondMs;
  return endsMs - now >= Math.min(usualMs, enoughForUploadMs);
}

/**
 * The uploads in progress in this process, by the id of the video. Pinterest requires a video in one request, which may
 * last longer than a preparation step: the step ends and is committed, and the next step keeps waiting. The upload is
 * aborted when its worker ends, because a frozen process sends nothing. A later worker does not know the upload and starts a
 * new one.
 */
const inProgress = new WeakMap<PlatformHttp, Map<string, Promise<void>>>();

/**
 * The number of concurrent uploads. Our judgement: more would share the process's bandwidth, and none might be
 * complete in time.
 */
const mostUploads = 3;

/** Returns true if this process has as many uploads in progress as it may. */
function isBusyUploading(http: PlatformHttp): boolean {
  return (inProgress.get(http)?.size ?? 0) >= mostUploads;
}

/**
 * Starts an upload that may outlast the current step.
 *
 * @param send must reject soon after `ended` fires
 * @param ended the end of the worker
 */
function beginUpload(
  http: PlatformHttp,
  mediaId: string,
  send: () => Promise<void>,
  ended: AbortSignal | undefined,
): void {
  const sending = send();
  // `awaitUpload` reports a failure. Without this handler, a failure that nobody awaits would end the process.
  sending.catch(() => {});
  const known = inProgress.get(http) ?? new Map<string, Promise<void>>();
  inProgress.set(http, known.set(mediaId, sending));
  ended?.addEventListener('abort', () => known.delete(mediaId), { once: true });
}

/**
 * Waits for an upload, at most `maxMs` milliseconds.
 *
 * @returns `sending` if it is not complete by then; `unknown` if this process did not start it
 * @throws the error of the upload
 */
async function awaitUpload(
  http: PlatformHttp,
  mediaId: string,
  maxMs: number,
): Promise<'sent' | 'sending' | 'unknown'> {
  const known = inProgress.get(http);
  const sending = known?.get(mediaId);
  if (sending === undefined) return 'unknown';
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<'sending'>((resolve) => {
    timer = setTimeout(() => resolve('sending'), Math.max(0, maxMs));
  });
  try {
    const end = await Promise.race([sending.then(() => 'sent' as const), timeout]);
    if (end === 'sent') known?.delete(mediaId);
    return end;
  } catch (error) {
    known?.delete(mediaId);
    throw error;
  } finally {
    clearTimeout(timer);
  }
}

/** Polls the video, also before each retry of the last call, because Pinterest may have discarded the video. */
async function pollProcessing(
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
      'Pinterest could not process the video. It accepts MP4 and QuickTime with H.264 or H.265, from 4 seconds to 15 minutes.',
    );
  }
  const isLost = status === undefined || (status === 'registered' && now - since > longestUnnoticedMs);
  if (isLost && uploads < maxUploads) {
    const preparation = { ...progress, mediaId: null, isUploaded: false, since: null, looks: 0 };
    return { state: 'waiting', preparation, waitSeconds: 1 };
  }
  if (isLost || now - since > longestProcessingMs) {
    throw new PlatformError('rejected', 'Pinterest was still processing the video after 30 minutes');
  }
  return {
    state: 'waiting',
    preparation: { ...progress, since, looks: looks + 1 },
    // "Create boards and Pins" says to poll every few seconds.
    waitSeconds: Math.min(20, Math.max(5, pollDelaySeconds(looks))),
  };
}
