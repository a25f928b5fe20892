import { Readable } from 'node:stream';
import * as z from 'zod';
import { minuteMs, secondMs } from '../../kernel/clock.ts';
import type { MediaSource, PrepareStep, PublishJob } from '../contract/adapter.ts';
import { isAboutAccount, PlatformError } from '../contract/errors.ts';
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
  /** The URL for the cover, until it was sent; null without one, and in records of earlier releases. */
  coverUrl: z.string().nullable().catch(null),
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
  /** True if the card's picture could not be had, so that the card goes without it. */
  isWithoutPicture: z.boolean().catch(false),
  /** The time of the first try to send the card's picture, in epoch milliseconds. */
  pictureSince: z.number().nullable().catch(null),
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
/** The time in which LinkedIn must have taken the picture of a card, and in which it must have processed it. It must not make the post late. */
const longestPictureMs = minuteMs;
/** The time that fetching a picture may take, before it is sent. */
const fetchPictureMs = 15 * secondMs;
/** The wait before a picture is sent again. */
const pictureRetrySeconds = 10;
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
  const sendsPicture = file === undefined && lacksPicture(job, progress);
  if (file === undefined && !sendsPicture) return pollProcessing(job, client, progress, tools.now());
  const leftMs = job.deadline - tools.now() - reserveMs;
  const neededMs = shortestUploadMs + (sendsPicture ? fetchPictureMs : 0);
  if (leftMs < neededMs) return { state: 'continue', preparation: progress };
  if (file === undefined) return sendPicture(job, client, progress, tools.now);
  const totalSeconds = Math.min(longestUploadSeconds, leftMs / secondMs);
  const kind = assetKind(file);
  if (kind === 'video') return uploadVideo(client, job, file, progress, totalSeconds);
  const assets = [...progress.assets, await client.uploadFile(kind, file, totalSeconds)];
  const uploaded = { ...progress, assets };
  // If the state cannot be read, start the wait immediately, without another step.
  if (assets.length === job.media.length && !isReadable(job, kind)) {
    return pollProcessing(job, client, uploaded, tools.now());
  }
  // If the upload is lost, repeating it costs only one more upload. Of several files, each upload is kept.
  return { state: 'continue', preparation: uploaded, isCheap: job.media.length === 1 };
}

type Files = Pick<PublishJob, 'media' | 'card' | 'preparation'>;

/** Returns true if LinkedIn lacks one of the files, or the picture of the card. */
export function sendsFile(job: Files): boolean {
  const progress = Progress.parse(job.preparation);
  return progress.assets.length < job.media.length || lacksPicture(job, progress);
}

/** Returns true if the card's picture must still be sent. A card belongs to a post without media. */
const lacksPicture = (
  { media, card }: Pick<Files, 'media' | 'card'>,
  { assets, isWithoutPicture }: Progress,
): boolean =>
  media.length === 0 && card?.fetchPicture !== undefined && assets.length === 0 && !isWithoutPicture;

/**
 * Fetches the picture of the card and sends it to LinkedIn. Nothing about the picture fails the post: it is somebody else's, and may
 * have changed since the page was read.
 */
async function sendPicture(
  { card, deadline }: PublishJob,
  client: LinkedinClient,
  progress: Progress,
  now: PlatformTools['now'],
): Promise<PrepareStep> {
  const begun = { ...progress, pictureSince: progress.pictureSince ?? now() };
  const picture = (await card?.fetchPicture?.()) ?? { problem: 'the page has none' };
  if ('problem' in picture) return leavePictureOut(progress, picture.problem);
  const bytes = Buffer.from(picture.bytes);
  const file = {
    contentType: picture.contentType,
    sizeBytes: bytes.length,
    openRange: async (first: number, last: number) => Readable.from([bytes.subarray(first, last + 1)]),
  };
  const totalSeconds = Math.min(longestUploadSeconds, (deadline - now() - reserveMs) / secondMs);
  try {
    const assets = [await client.uploadFile('image', file, totalSeconds)];
    return { state: 'continue', preparation: { ...begun, assets }, isCheap: true };
  } catch (error) {
    // Without the account, nothing can be published.
    if (!(error instanceof PlatformError) || isAboutAccount(error)) throw error;
    const { retryAfterSeconds: waitSeconds = pictureRetrySeconds } = error;
    const isTemporary = error.remedy === 'retry' || error.remedy === 'unknown';
    if (!isTemporary || isPictureLate(begun, now() + waitSeconds * secondMs))
      return leavePictureOut(progress, error.message);
    return { state: 'waiting', preparation: begun, waitSeconds };
  }
}

/** True if LinkedIn has had its time for the picture of the card. @param now epoch milliseconds */
export const isPictureLate = ({ pictureSince }: Progress, now: number): boolean =>
  pictureSince === null || now - pictureSince >= longestPictureMs;

/** Returns the progress of a card without its picture. */
export const withoutPicture = (progress: Progress): Progress => ({
  ...progress,
  ...{ assets: [], readyAssets: 0, since: null, looks: 0, isWithoutPicture: true },
});

function leavePictureOut(progress: Progress, reason: string): PrepareStep {
  const remark = `The card of the link has no picture: ${reason}`;
  return { state: 'continue', preparation: withoutPicture(progress), remark };
}

/** Takes the next step of a video's upload: starts it, sends the next parts, or finishes it. */
async function uploadVideo(
  client: LinkedinClient,
  { cover }: PublishJob,
  file: MediaSource,
  progress: Progress,
  totalSeconds: number,
): Promise<PrepareStep> {
  const { video, assets } = progress;
  if (video === null) {
    const begun = await client.beginVideo(file.sizeBytes, cover !== undefined);
    const preparation = { ...progress, video: { ...begun, etags: [] } };
    const isLost = cover !== undefined && begun.coverUrl === null;
    const remark = 'LinkedIn takes no cover for this video: it goes live with a frame that LinkedIn chooses';
    return { state: 'continue', preparation, ...(isLost && { remark }) };
  }
  if (video.parts.length === 0 && video.coverUrl !== null && cover !== undefined) {
    try {
      await client.uploadCover(cover, video.coverUrl, totalSeconds);
    } catch (error) {
      return startedOver(progress, error);
    }
    return {
      state: 'continue',
      preparation: { ...progress, video: { ...video, coverUrl: null } },
      isCheap: true,
    };
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
  return startedOver(progress, lost?.status === 'rejected' ? lost.reason : undefined);
}

/** Starts a video's upload over if its URLs have expired. @throws any other error */
function startedOver(progress: Progress, error: unknown): PrepareStep {
  const { restarts } = progress;
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
  if (urn === undefined) return { state: 'ready', preparation: progress };
  const file = job.media[readyAssets];
  const since = known ?? now;
  const kind = file === undefined ? 'image' : assetKind(file);
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
    if (file === undefined) return leavePictureOut(progress, `LinkedIn could not process it: ${reason}`);
    throw new PlatformError('rejected', `LinkedIn could not process the ${kind}: ${reason}`);
  }
  if (state.status === 'WAITING_UPLOAD' && kind !== 'video' && looks >= looksForUpload) {
    if (file === undefined) return leavePictureOut(progress, 'LinkedIn did not store it');
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
  if (file === undefined && now - since > longestPictureMs)
    return leavePictureOut(progress, 'LinkedIn was still processing it after a minute');
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
