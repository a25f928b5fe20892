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
  /** What is still to be sent, in order. */
  parts: z.array(VideoPart),
  /** Of the parts that were sent. */
  etags: z.array(z.string()),
});
type VideoUpload = z.infer<typeof VideoUpload>;

/** What is left between two steps. */
export const Progress = z.object({
  /** URNs of the media whose bytes LinkedIn has, in order. They are kept over all attempts: a new upload is new media. */
  assets: z.array(z.string()).catch([]),
  /** How many of them are ready. */
  readyAssets: z.int().catch(0),
  /** The upload of the video, until it is ready. */
  video: VideoUpload.nullable().catch(null),
  /** How often the upload of the video was begun anew. */
  restarts: z.int().catch(0),
  /** Since when LinkedIn has been processing the present asset, in epoch milliseconds, and how often it was asked. */
  since: z.number().nullable().catch(null),
  looks: z.int().catch(0),
  /** The first last call that was found to have had no effect (epoch ms). */
  firstIntentAt: z.number().nullable().catch(null),
});
export type Progress = z.infer<typeof Progress>;

const mostRestarts = 3;
/** Sent at the same time: 16 MiB of a video, and one committed step. */
const partsAtOnce = 4;
const longestUploadSeconds = 120;
/** Kept free before the deadline, for the engine to commit what was done. */
const reserveMs = 5 * secondMs;
/** Less than this is not worth beginning an upload for. */
const shortestUploadMs = 10 * secondMs;
const longestProcessingMs = 30 * minuteMs;
/** What an asset is given whose state must not be asked for: a member's token reads no images and no documents. */
const graceSeconds = 15;

/**
 * Uploads what the post shows and waits until LinkedIn has processed it. Nothing of it is public, so a step that is
 * repeated after a crash costs an asset that nobody uses.
 */
export async function prepare(job: PublishJob, tools: PlatformTools): Promise<PrepareStep> {
  const progress = Progress.parse(job.preparation);
  const client = linkedinClient(job, tools);
  const file = job.media[progress.assets.length];
  if (file === undefined) return processed(job, client, progress, tools.now());
  const leftMs = job.deadline - tools.now() - reserveMs;
  if (leftMs < shortestUploadMs) return { state: 'continue', preparation: progress };
  const totalSeconds = Math.min(longestUploadSeconds, leftMs / secondMs);
  const kind = assetKind(file);
  if (kind === 'video') return uploadVideo(client, file, progress, totalSeconds);
  const assets = [...progress.assets, await client.uploadFile(kind, file, totalSeconds)];
  const uploaded = { ...progress, assets };
  // Where nothing may be asked, the wait begins without another call.
  if (assets.length === job.media.length && !isReadable(job, kind)) {
    return processed(job, client, uploaded, tools.now());
  }
  return { state: 'continue', preparation: uploaded };
}

/** Begins, sends the next parts, or finishes. */
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
    video.parts.slice(0, partsAtOnce).map((part) => client.uploadPart(file, part, totalSeconds)),
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
  if (!isAddressOver(error)) throw error;
  if (restarts >= mostRestarts) {
    throw new PlatformError('rejected', `LinkedIn ended the upload ${restarts + 1} times: ${error.message}`);
  }
  return {
    state: 'waiting',
    preparation: { ...progress, video: null, restarts: restarts + 1 },
    waitSeconds: 1,
  };
}

/** The addresses of parts last for weeks, and carry their permission in them. */
function isAddressOver(error: unknown): error is PlatformError {
  return (
    (error instanceof PlatformError && error.platformCode === 'EXPIRED_UPLOAD_URL') ||
    hasStatus(error, 401) ||
    hasStatus(error, 403)
  );
}

/** An upload that was finished before, without that being noted, refuses to be finished again. */
async function finishVideo(client: LinkedinClient, { urn, uploadToken, etags }: VideoUpload): Promise<void> {
  try {
    await client.finishVideo(urn, uploadToken, etags);
  } catch (error) {
    if (!(error instanceof PlatformError) || error.remedy !== 'rejected') throw error;
    const state = await client.assetState('video', urn).catch(() => undefined);
    if (state === undefined || state.status === 'WAITING_UPLOAD') throw error;
  }
}

/** Waits for the next asset that is not known to be ready. */
async function processed(
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
    // Uploaded before the last one, and so as long ago at least.
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

/** Undefined where the token must not ask: that a member may ask for videos is not documented. */
async function readState(client: LinkedinClient, kind: AssetKind, urn: string) {
  try {
    return await client.assetState(kind, urn);
  } catch (error) {
    if (hasStatus(error, 403)) return undefined;
    throw error;
  }
}
