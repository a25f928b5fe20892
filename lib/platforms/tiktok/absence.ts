import type { AbsenceRule } from '../contract/last-call.ts';

/** "Media Transfer Guide": TikTok downloads for an hour at most. The rest, for processing, is our judgement. */
const processingSeconds = 75 * 60;
const where = "the account's profile in the TikTok app";

/**
 * When the engine may conclude that the last chunk of a video had no effect. "Get Post Status": the status names the
 * bytes that have arrived; without the last one, nothing is posted.
 */
export const videoAbsence: AbsenceRule = {
  // Our judgement: the last chunk has about 5 MiB, and TikTok may respond slowly.
  callSeconds: 60,
  // Our judgement: TikTok documents no lag of the status.
  readLagSeconds: 60,
  lookups: 2,
  gapSeconds: 20,
  processingSeconds,
  // "Media Transfer Guide": chunks are accepted once and in order. "Get Post Status": a publish id is one post.
  usedOnce: 'an upload is completed once',
  where,
};

/**
 * When the engine gives up on a call that posts photos. TikTok detects no duplicates, so the call is never repeated. If
 * the response with the publish id was lost, only the list of public posts can show them. The times are our judgement.
 */
export const photosAbsence: AbsenceRule = {
  callSeconds: 45,
  readLagSeconds: 120,
  lookups: 3,
  gapSeconds: 60,
  processingSeconds,
  where,
};

/** As {@link photosAbsence}, for photos that no list shows because they are not public. Waiting would not help. */
export const hiddenPhotosAbsence: AbsenceRule = { ...photosAbsence, readLagSeconds: 0, lookups: 1 };
