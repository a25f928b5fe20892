import { minuteMs, secondMs } from '../../kernel/clock.ts';
import type { AbsenceRule } from '../contract/last-call.ts';
import { listLookups } from '../shared/find-listed.ts';
import type { PostKind } from './options.ts';

/**
 * The time limit of a last call. Longer than that of other calls: Facebook responds after it has made a post of many
 * photos, or has begun a video. Our judgement: no limit is documented.
 */
export const goLiveSeconds = 45;

const lists = { ...listLookups, callSeconds: goLiveSeconds, processingSeconds: 0 };

/**
 * The rule for videos. Our judgement: a video's own status lags less than a list, and processing takes minutes, at most
 * an hour.
 */
const videos = {
  callSeconds: goLiveSeconds,
  readLagSeconds: 60,
  lookups: 2,
  gapSeconds: 20,
  processingSeconds: (60 * minuteMs) / secondMs,
  // "Reels Publishing API": the finish call publishes the video id of the upload. Our judgement: that is one object, so a
  // second call with the same id cannot make another.
  usedOnce: 'Facebook publishes a video once',
};

/** The rules for a last call that leaves no trace, by kind of post. */
export const absenceRules: Readonly<Record<PostKind, AbsenceRule>> = {
  // Not `usedOnce`: error 506 refuses only a text that is identical to the last post. Another post in between lets a second
  // one through.
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

const draftsAt = 'the drafts in Meta Business Suite';
/** The rule for drafts that no list shows: waiting would not help. Nor is it known whether photos can be in two drafts. */
const unlistedDraft = {
  callSeconds: goLiveSeconds,
  readLagSeconds: 0,
  lookups: 1,
  gapSeconds: 0,
  processingSeconds: 0,
  where: draftsAt,
};
const videoDraft = {
  ...videos,
  usedOnce: 'Facebook makes one draft of an uploaded video',
  where: draftsAt,
};

/** The rules for drafts. Stories cannot be drafts. */
export const draftRules: Readonly<Partial<Record<PostKind, AbsenceRule>>> = {
  text: unlistedDraft,
  photos: unlistedDraft,
  video: videoDraft,
  reel: videoDraft,
};
