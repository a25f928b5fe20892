import * as z from 'zod';
import { minuteMs, secondMs } from '../../kernel/clock.ts';
import type { MediaSource, PrepareStep, PublishJob } from '../contract/adapter.ts';
import { PlatformError } from '../contract/errors.ts';
import type { PlatformTools } from '../contract/tools.ts';
import { hasStatus } from '../shared/error-table.ts';
import { pollDelaySeconds } from '../shared/finishing.ts';
import { quote } from '../shared/json.ts';
import { type LinkedinClient, linkedinClient, VideoPart } from './client.ts';
import { isOrganization } from './map.ts';
import { type AssetKind, assetKind } from './options.ts';

const VideoUpload = z.object({
  urn: z.string(),
  uploadToken: z.string(),
  /** The parts that are still to be sent, in order. */
  parts: z.array(VideoPart),
  /** The ETags of the parts that were sent, in order. */
  etags: z.array(z.string()),
});
type VideoUpload = z.infer<typeof VideoUpload>;

/** The preparation as the steps store it. */
export const Progress = z.object({
  /** URNs of the uploaded media, in order. All attempts use the same ones, because a new upload would be new media. */
  assets: z.array(z.string()).catch([]),
  /** How many of them, from the first, are processed. */
  readyAssets: z.int().catch(0),
  /** The upload of the video, until the video is processed. */
  video: VideoUpload.nullable().catch(null),
  /** How often the upload of the video was started over. */
  restarts: z.int().catch(0),
  /** When the current asset was first polled, in epoch milliseconds, and how often it was polled. */
  since: z.number().nullable().catch(null),
  looks: z.int().catch(0),
  /** The post that LinkedIn named when it refused the last call as a duplicate. */
  duplicateUrn: z.string().nullable().catch(null),
});
export type Progress = z.infer<typeof Progress>;

const maxRestarts = 3;
/** Parts sent concurrently in one committed step: 16 MiB of a video. */
const concurrentParts = 4;
const longestUploadSeconds = 120;
/** Time before the deadline in which the engine commits the progress. */
const reserveMs = 5 * secondMs;
/** With less time left than this, no further upload is started. */
const shortestUploadMs = 10 * secondMs;
const longestProcessingMs = 30 * minuteMs;
/** The wait for an asset whose state cannot be read: a member's token may not read images or documents. */
const graceSeconds = 15;

/**
 * Uploads the post's media and waits until LinkedIn has processed them. They are not public, so a step that is repeated
 * after a crash only leaves an unused asset.
 */
export async function prepare(job: PublishJob, tools: PlatformTools): Promise<PrepareStep> {
  const progress = { ...Progress.parse(job.preparation), duplicateUrn: null };
  const client = linkedinClient(job, tools);
  const file = job.media[progress.assets.length];
  if (file === undefined) return pollProcessing(job, client, progress, tools.now());
  const leftMs = job.deadline - tools.now() - reserveMs;
  if (leftMs < shortestUploadMs) return { state: 'continue', preparation: progress };
  const totalSeconds = Math.min(longestUploadSeconds, leftMs / secondMs);
  const kind = assetKind(file);
  if (kind === 'video') return uploadVideo(client, file, progress, totalSeconds);
  const assets = [...progress.assets, await client.uploadFile(kind, file, totalSeconds)];
  const uploaded = { ...progress, assets };
  // If the state cannot be read, start the wait immediately, without another step.
  if (assets.length === job.media.length && !isReadable(job, kind)) {
    return pollProcessing(job, client, uploaded, tools.now());
  }
  // One upload more, if it was lost. Of several files, each is kept.
  return { state: 'continue', preparation: uploaded, isCheap: job.media.length === 1 };
}

/** Whether all media are uploaded and processed, or their time for that has passed. */
export function isReady({ media, preparation }: PublishJob): boolean {
  const { assets, readyAssets, duplicateUrn } = Progress.parse(preparation);
  return duplicateUrn === null && assets.length === media.length && readyAssets >= assets.length;
}

/** Whether LinkedIn lacks one of the files. */
export function sendsFile({ media, preparation }: Pick<PublishJob, 'media' | 'preparation'>): boolean {
  return Progress.parse(preparation).assets.length < media.length;
}

/** Takes the next step of a video's upload: starts it, sends the next parts, or finishes it. */
async function uploadVideo(
  client: LinkedinClient,
  file: MediaSource,
  progress: Progress,
  totalSeconds: number,
): Promise<PrepareStep> {
  const { video, assets, restarts } = progress;
  if (video === null) {
    const begun = await client.beginVideo(file.sizeBytes);
    return { state: 'continue', preparation: { ...progress, video: { ...begun, etags: [] } } };
  }
  if (video.parts.length === 0) {
    await finishVideo(client, video);
    return { state: 'continue', preparation: { ...progress, assets: [...assets, video.urn] } };
  }
  const sent = await Promise.allSettled(
    video.parts.slice(0, concurrentParts).map((part) => client.uploadPart(file, part, totalSeconds)),
  );
  const firstLost = sent.findIndex(({ status }) => status === 'rejected');
  const lost = sent[firstLost];
  if (firstLost !== 0) {
    const etags = sent
      .slice(0, firstLost === -1 ? undefined : firstLost)
      .flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
    const rest = video.parts.slice(etags.length);
    return {
      state: 'continue',
      preparation: { ...progress, video: { ...video, parts: rest, etags: [...video.etags, ...etags] } },
    };
  }
  const error: unknown = lost?.status === 'rejected' ? lost.reason : undefined;
  if (!isUploadUrlExpired(error)) throw error;
  if (restarts >= maxRestarts) {
    throw new PlatformError('rejected', `LinkedIn ended the upload ${restarts + 1} times: ${error.message}`);
  }
  return {
    state: 'waiting',
    preparation: { ...progress, video: null, restarts: restarts + 1 },
    waitSeconds: 1,
  };
}

/** Whether LinkedIn no longer accepts a part's upload URL. The URLs need no token, so 401 and 403 mean the same. */
function isUploadUrlExpired(error: unknown): error is PlatformError {
  return (
    (error instanceof PlatformError && error.platformCode === 'EXPIRED_UPLOAD_URL') ||
    hasStatus(error, 401) ||
    hasStatus(error, 403)
  );
}

/** Finishes the upload. LinkedIn refuses that if a step before a crash already finished it, which is not an error. */
async function finishVideo(client: LinkedinClient, { urn, uploadToken, etags }: VideoUpload): Promise<void> {
  try {
    await client.finishVideo(urn, uploadToken, etags);
  } catch (error) {
    if (!(error instanceof PlatformError) || error.remedy !== 'rejected') throw error;
    const state = await client.assetState('video', urn).catch(() => undefined);
    if (state === undefined || state.status === 'WAITING_UPLOAD') throw error;
  }
}

/** Polls the next asset that is not known to be processed. */
async function pollProcessing(
  job: PublishJob,
  client: LinkedinClient,
  progress: Progress,
  now: number,
): Promise<PrepareStep> {
  const { assets, readyAssets, since: known, looks } = progress;
  const urn = assets[readyAssets];
  const file = job.media[readyAssets];
  if (urn === undefined || file === undefined) return { state: 'ready', preparation: progress };
  const since = known ?? now;
  const kind = assetKind(file);
  const state = isReadable(job, kind) ? await readState(client, kind, urn) : undefined;
  const next: Progress = { ...progress, readyAssets: readyAssets + 1, video: null, since: null, looks: 0 };
  if (state === undefined) {
    const leftSeconds = Math.ceil(graceSeconds - (now - since) / secondMs);
    if (leftSeconds > 0) {
      return { state: 'waiting', preparation: { ...progress, since }, waitSeconds: leftSeconds };
    }
    // All assets were uploaded before this wait began, so all of them have waited long enough.
    return { state: 'ready', preparation: { ...next, readyAssets: assets.length } };
  }
  if (state.status === 'AVAILABLE') {
    const isLast = next.readyAssets === assets.length;
    return { state: isLast ? 'ready' : 'continue', preparation: next };
  }
  if (state.status === 'PROCESSING_FAILED') {
    const reason = quote(state.processingFailureReason ?? '') || 'no reason given';
    throw new PlatformError('rejected', `LinkedIn could not process the ${kind}: ${reason}`);
  }
  if (now - since > longestProcessingMs) {
    throw new PlatformError('rejected', `LinkedIn was still processing the ${kind} after 30 minutes`);
  }
  if (state.status === 'WAITING_UPLOAD' && progress.video !== null && looks > 0) {
    await finishVideo(client, progress.video);
  }
  return {
    state: 'waiting',
    preparation: { ...progress, since, looks: looks + 1 },
    waitSeconds: pollDelaySeconds(looks),
  };
}

function isReadable(job: PublishJob, kind: AssetKind): boolean {
  return isOrganization(job) || kind === 'video';
}

/** Undefined if LinkedIn forbids the read: it does not document whether a member's token may read videos. */
async function readState(client: LinkedinClient, kind: AssetKind, urn: string) {
  try {
    return await client.assetState(kind, urn);
  } catch (error) {
    if (hasStatus(error, 403)) return undefined;
    throw error;
  }
}
