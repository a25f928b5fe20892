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
  /** The parts that must still be sent, in order. */
  parts: z.array(VideoPart),
  /** The ETags of the parts that were sent, in order. */
  etags: z.array(z.string()),
});
type VideoUpload = z.infer<typeof VideoUpload>;

/** The preparation as the steps store it. */
export const Progress = z.object({
  /** The URNs of the uploaded media, in order. All attempts use the same ones, because a new upload would be new media. */
  assets: z.array(z.string()).catch([]),
  /** The number of processed assets, counted from the first. */
  readyAssets: z.int().catch(0),
  /** The upload of the video, until LinkedIn has processed the video. */
  video: VideoUpload.nullable().catch(null),
  /** The number of times that an upload was started over. */
  restarts: z.int().catch(0),
  /** The time of the current asset's first poll, in epoch milliseconds, and the number of polls. */
  since: z.number().nullable().catch(null),
  looks: z.int().catch(0),
  /** The post that LinkedIn named when it refused the last call as a duplicate. */
  duplicateUrn: z.string().nullable().catch(null),
});
export type Progress = z.infer<typeof Progress>;

const maxRestarts = 3;
/** The number of polls for which LinkedIn may still wait for a file that it has accepted. Then the file is sent again. Our judgement. */
const looksForUpload = 4;
/** The number of parts to send concurrently in one committed step: 16 MiB of a video. */
const concurrentParts = 4;
const longestUploadSeconds = 120;
/** The time before the deadline that is reserved for committing the progress. */
const reserveMs = 5 * secondMs;
/** The time that must be left to start another upload. */
const shortestUploadMs = 10 * secondMs;
const longestProcessingMs = 30 * minuteMs;
/** The wait for an asset with an unreadable state: a member's token may not read images or documents. */
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
  // If the upload is lost, repeating it costs only one more upload. Of several files, each upload is kept.
  return { state: 'continue', preparation: uploaded, isCheap: job.media.length === 1 };
}

/** Returns true if LinkedIn lacks one of the files. */
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

/** Returns true if LinkedIn no longer accepts a part's upload URL. The URLs need no token, so 401 and 403 mean the same. */
function isUploadUrlExpired(error: unknown): error is PlatformError {
  return (
    (error instanceof PlatformError && error.platformCode === 'EXPIRED_UPLOAD_URL') ||
    hasStatus(error, 401) ||
    hasStatus(error, 403)
  );
}

/** Finishes the upload. LinkedIn refuses if a step before a crash has already finished it; that is not an error. */
async function finishVideo(client: LinkedinClient, { urn, uploadToken, etags }: VideoUpload): Promise<void> {
  try {
    await client.finishVideo(urn, uploadToken, etags);
  } catch (error) {
    if (!(error instanceof PlatformError) || error.remedy !== 'rejected') throw error;
    const state = await client.assetState('video', urn).catch(() => undefined);
    if (state === undefined || state.status === 'WAITING_UPLOAD') throw error;
  }
}

/** Polls the first asset that may still be in processing. */
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
  if (state.status === 'WAITING_UPLOAD' && kind !== 'video' && looks >= looksForUpload) {
    if (progress.restarts >= maxRestarts)
      throw new PlatformError(
        'rejected',
        `LinkedIn did not store the ${kind}, which was sent ${maxRestarts + 1} times`,
      );
    const stored = assets.slice(0, readyAssets);
    return {
      state: 'continue',
      preparation: { ...progress, assets: stored, since: null, looks: 0, restarts: progress.restarts + 1 },
    };
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

/**
 * Reads an asset's state; undefined if LinkedIn forbids it. LinkedIn does not document whether a member's token may
 * read videos.
 */
async function readState(client: LinkedinClient, kind: AssetKind, urn: string) {
  try {
    return await client.assetState(kind, urn);
  } catch (error) {
    if (hasStatus(error, 403)) return undefined;
    throw error;
  }
}
