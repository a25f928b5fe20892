import { minuteMs, secondMs } from '../../kernel/clock.ts';
import type { AbsenceRule } from '../contract/last-call.ts';
import type { PostKind } from './options.ts';

/**
 * The longest time of a go-live call. Longer than other calls: Facebook responds after it has made a post of many photos,
 * or has begun a video. Our judgement: no limit is documented.
 */
export const goLiveSeconds = 45;

/**
 * Our judgement: lists have been seen to lag by seconds, and no bound is documented. So a list that stays silent for
 * about five minutes ends the search, but proves nothing.
 */
const lists = {
  callSeconds: goLiveSeconds,
  readLagSeconds: 120,
  lookups: 3,
  gapSeconds: 60,
  processingSeconds: 0,
};

/**
 * A video's own status lags less than a list. Processing is documented to take "many minutes" for large files; an hour
 * is our judgement.
 */
const videos = {
  callSeconds: goLiveSeconds,
  readLagSeconds: 60,
  lookups: 2,
  gapSeconds: 20,
  processingSeconds: (60 * minuteMs) / secondMs,
  // "Reels Publishing API": an upload session has one video id, which the finish call publishes.
  usedOnce: 'Facebook publishes a video once',
};

/** When a last call counts as absent, by kind of post. */
export const absenceRules: Readonly<Record<PostKind, AbsenceRule>> = {
  // Error 506 refuses only a text that is identical to the last post, so another post in between lets a second one through.
  text: { ...lists, where: "the Page's posts on Facebook" },
  photos: {
    ...lists,
    // Error 1366051, "These photos were already posted" (Pages: troubleshooting).
    usedOnce: 'Facebook refuses a second post with the same photos',
    where: "the Page's posts on Facebook",
  },
  // Not `usedOnce`: the Stories API refuses photos that were "used in a previously published post". It does not say
  // whether a story is such a post.
  photoStory: { ...lists, where: "the Page's stories on Facebook" },
  video: { ...videos, where: "the Page's videos in Meta Business Suite" },
  reel: { ...videos, where: "the Page's reels in Meta Business Suite" },
  videoStory: { ...videos, where: "the Page's stories on Facebook" },
};
