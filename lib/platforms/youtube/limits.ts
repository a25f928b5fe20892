import type { DailyLimit } from '../contract/daily-limit.ts';

/** YouTube's limits (YouTube Data API: videos.insert, thumbnails.set; YouTube Help: longer videos). */

const mebibyte = 1_048_576;

/**
 * The characters that YouTube refuses in titles, descriptions and tags. It documents `<` and `>` for titles and descriptions; the API
 * also refuses control characters, without saying so. https://github.com/FriendTeamInc/VodBot/issues/46
 */
export const refusedCharacters = /[<>\p{Cc}]/gu;
/** The control characters that a description has all the same. */
export const descriptionBreaks = /[\t\n\r]/g;

export const titleCharacters = 100;
export const descriptionBytes = 5_000;
export const tagsCharacters = 500;
/**
 * The categories with `assignable: true`, and those with `assignable: false`, in the answers of `videoCategories.list`. Each region
 * has its own list, and YouTube may add categories. https://developers.google.com/youtube/v3/docs/videoCategories/list
 */
export const categories: Readonly<Record<'assignable' | 'notAssignable', readonly string[]>> = {
  assignable: ['1', '2', '10', '15', '17', '19', '20', '22', '23', '24', '25', '26', '27', '28', '29'],
  notAssignable: ['18', '21', ...Array.from({ length: 15 }, (_, index) => String(30 + index))],
};
/** The limit on YouTube's own pages; the API documents `commentTextTooLong` without a number. */
export const commentCharacters = 10_000;
/**
 * The length of a playlist's id. Our judgement: YouTube documents none. The ids begin with two letters and have up to
 * 34 characters.
 */
export const playlistIdCharacters = { min: 2, max: 100 } as const;

export const videoLimits = {
  /** The limit of verified channels. For others YouTube allows 15 minutes, which these rules do not check. */
  seconds: { min: 1, max: 12 * 3_600 },
  bytes: 256 * 1_024 * mebibyte,
} as const;

/** The limits of thumbnails: 50 MB since 14 September 2026 (Revision History); formerly 2 MB. */
export const thumbnailLimits = { contentTypes: ['image/jpeg', 'image/png'], bytes: 50 * mebibyte } as const;

/**
 * The limits of caption tracks. The API documents 150 characters of a name, and 100 MB of a file. Our judgement: the texts are stored
 * with the destination, which has room for the captions of several hours.
 * https://developers.google.com/youtube/v3/docs/captions
 */
export const captionLimits = { tracks: 10, nameCharacters: 150, bytes: 200_000 } as const;

/**
 * The time between the end of an upload and the due time in which YouTube processes the video. Our judgement: most videos take
 * minutes. One that takes longer goes public all the same, and its processing is watched after that.
 */
const processingLeadSeconds = 1_800;

/**
 * Returns the time between the start of a target's upload and its due time, in seconds: two minutes, the upload at 4 MiB/s, which
 * leaves room for a second attempt, and the processing.
 */
export function uploadLeadSeconds(sizeBytes: number): number {
  return 120 + Math.ceil(sizeBytes / (4 * mebibyte)) + processingLeadSeconds;
}

/** The assumed size of a video of unknown size: that of a large phone video. */
export const assumedBytes = 500 * mebibyte;

/**
 * The calls of `videos.insert` per day and Google Cloud project, for all channels together. Midnight Pacific time
 * resets them. A project can be granted more. https://developers.google.com/youtube/v3/determine_quota_cost
 */
export const dailyLimit: DailyLimit = { posts: 100, timeZone: 'America/Los_Angeles', counts: 'uploads' };
