import type { AbsenceRule } from '../contract/last-call.ts';
import { listLookups } from '../shared/find-listed.ts';

/**
 * The longest processing time. "Media Transfer Guide": TikTok downloads for at most an hour. The rest, for processing,
 * is our judgement.
 */
const processingSeconds = 75 * 60;
const where = "the account's profile in the TikTok app";
const inbox = "the account's inbox in the TikTok app";

/**
 * The rule for a video's last chunk: how long the engine looks for its effect before it sends that chunk again. "Get
 * Post Status": the status gives the number of bytes that have arrived; without the last one, nothing is posted.
 */
export const videoAbsence: AbsenceRule = {
  // Our judgement: the last chunk has about 5 MiB, and TikTok may respond slowly.
  callSeconds: 60,
  // Our judgement: TikTok does not document a lag of the status.
  readLagSeconds: 60,
  lookups: 2,
  gapSeconds: 20,
  processingSeconds,
  // "Media Transfer Guide": chunks are accepted once and in order. "Get Post Status": a publish id is one post.
  usedOnce: 'an upload is completed once',
  where,
};

/**
 * The rule for giving up on a call that posts photos. TikTok detects no duplicates, so the call is never repeated. If the
 * response with the publish id was lost, only the list of public posts can show them. `callSeconds` is our judgement.
 */
export const photosAbsence: AbsenceRule = {
  ...listLookups,
  callSeconds: 45,
  processingSeconds,
  where,
};

/** The same rules as {@link videoAbsence} and {@link photosAbsence}, for drafts: a draft is in the inbox, which no list shows. */
export const draftAbsence = {
  video: { ...videoAbsence, where: inbox },
  photos: { ...photosAbsence, where: inbox },
  lostPhotos: { ...photosAbsence, readLagSeconds: 0, lookups: 1, where: inbox },
} as const satisfies Record<string, AbsenceRule>;

/** The same rule as {@link photosAbsence}, for photos that no list shows because they are not public. Waiting would not help. */
export const hiddenPhotosAbsence: AbsenceRule = { ...photosAbsence, readLagSeconds: 0, lookups: 1 };
