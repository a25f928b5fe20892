import { measureMedia } from '../kit/media/media-intake.ts';
import type { Mp4Facts } from '../kit/media/mp4.ts';
import type { PartialFiles } from '../kit/media/partial-files.ts';
import type { WebmFacts } from '../kit/media/webm.ts';
import type { PlannedFault, Workbench } from '../kit/types.ts';
import type { StoreVideo } from './live-videos.ts';
import type { ProcessingOutcome, State, User, Video } from './state.ts';
import type { CompleteUpload } from './uploads.ts';

/** The values of `status.rejectionReason` in the reference of videos. Any other planned reason is a `failureReason`. */
const rejectionReasons = new Set([
  'claim',
  'copyright',
  'duplicate',
  'inappropriate',
  'legal',
  'length',
  'termsOfUse',
  'trademark',
  'uploaderAccountClosed',
  'uploaderAccountSuspended',
]);

/** The maximum duration in seconds for channels without and with a verified phone number (YouTube Help). */
const longest = { unverified: 15 * 60, verified: 12 * 3600 } as const;

const longestShortSeconds = 180;

/**
 * Turns a finished upload into a video: hashes the file, decides the outcome of processing, and commits the video and the end of
 * the session in one transaction. A retry after a crash cannot create a second video.
 */
export function createCompletion(
  { ledger, faults, random, setting }: Workbench,
  { users, sessions }: State,
  files: PartialFiles,
  storeVideo: StoreVideo,
): CompleteUpload {
  return async (session, at) => {
    const user = users.get(session.username);
    const { bytes, sha256, mp4: iso, webm } = await measureMedia(files.read(session.id), 'video');
    const file = iso ?? webm;
    const planned = faults.take('processing');
    const neverEnds = planned?.fault === 'timeout';
    const video: Video = {
      id: random.bytes(8).toString('base64url'),
      channelId: session.channelId,
      channelTitle: user?.title ?? '',
      metadata: session.metadata,
      fileName: session.fileName,
      file: { type: session.contentType, bytes, sha256 },
      uploadedAt: at,
      processedAt: neverEnds ? Number.MAX_SAFE_INTEGER : at + Number(setting('processingSeconds')) * 1000,
      outcome: outcomeOf(planned, file, user),
      isShort: isShort(file),
    };
    ledger.transaction(() => {
      storeVideo(video, at);
      sessions.put(session.id, { ...session, storedBytes: bytes, videoId: video.id });
    });
    await files.remove(session.id);
    return video;
  };
}

function outcomeOf(
  planned: PlannedFault | undefined,
  file: Mp4Facts | WebmFacts | undefined,
  user: User | undefined,
): ProcessingOutcome {
  const reason = planned?.code;
  if (reason !== undefined) {
    return { uploadStatus: rejectionReasons.has(reason) ? 'rejected' : 'failed', reason };
  }
  const longestSeconds = user?.isVerified === true ? longest.verified : longest.unverified;
  if (file !== undefined && file.durationSeconds > longestSeconds) {
    return { uploadStatus: 'rejected', reason: 'length' };
  }
  return { uploadStatus: 'processed' };
}

function isShort(file: Mp4Facts | WebmFacts | undefined): boolean {
  if (file?.video === undefined) return false;
  const { width, height } = file.video;
  return height >= width && file.durationSeconds <= longestShortSeconds;
}
