import type { AbsenceRule } from '../contract/last-call.ts';

/**
 * The rule for the call that makes a private video public. It sets a state, so it may simply be made again: a lost response costs a
 * read, which says whether the video is public.
 */
export const updateAbsence: AbsenceRule = {
  // Our judgement: the call changes a few properties.
  callSeconds: 15,
  // A read that lags causes a repeat, which has no further effect.
  readLagSeconds: 0,
  lookups: 1,
  gapSeconds: 0,
  processingSeconds: 0,
  usedOnce: 'making a video public again changes nothing',
  where: "the channel's videos in YouTube Studio",
};

/** The rule for an upload's last chunk: how long the engine looks for its effect before it sends that chunk again. */
export const uploadAbsence: AbsenceRule = {
  // The last chunk has at most 256 KiB, but YouTube creates the video before it responds. Our judgement.
  callSeconds: 60,
  // Our judgement: YouTube does not document a lag. A session reports its stored bytes; the list of uploads follows the video.
  readLagSeconds: 60,
  // Three lookups, so that a list that lags by a minute and a half still shows the video of a session that is gone.
  lookups: 3,
  gapSeconds: 20,
  // The time that a session with the whole file may take to name its video. Our judgement.
  processingSeconds: 600,
  // "Resumable Uploads" guide: a video exists once the last byte has arrived; a completed session returns that video.
  usedOnce: 'an upload session completes one video',
  where: "the channel's videos in YouTube Studio",
};
