import type { AccountLimit } from '../contract/rules.ts';

/** The limits of Facebook Pages (Pages API: Posts; Reels Publishing API; Page Stories API; Video API). */

const mebibyte = 1_048_576;

export const messageCharacters = 63_206;
export const commentCharacters = 8_000;
export const titleCharacters = 255;

/** The number of photos that is known to work; more have worked at times. */
export const maxPhotos = 10;

/**
 * The limits of photos. "Page Photos" says 10 MB; the text of error 1366046, which refuses a photo, says 4 MB. So photos of up to
 * 4 MB are certain to be accepted.
 */
export const photoLimits = {
  contentTypes: ['image/jpeg', 'image/png', 'image/gif', 'image/bmp', 'image/tiff'],
  bytes: 10 * mebibyte,
  advice: { bytes: 4 * mebibyte },
} as const;

/** The limits of chunked uploads. */
export const videoLimits = {
  contentTypes: ['video/mp4', 'video/quicktime'],
  bytes: 10 * 1024 * mebibyte,
  seconds: { min: 1, max: 4 * 3_600 },
} as const;

/**
 * The limits of reels: "H.264, H.265, VP9, AV1", "4:2:0 chroma subsampling", "progressive scan", "AAC Low Complexity", "stereo",
 * "24 to 60 frames per second". https://developers.facebook.com/docs/video-api/guides/reels-publishing
 */
export const reelLimits = {
  contentTypes: ['video/mp4'],
  bytes: 1024 * mebibyte,
  seconds: { min: 3, max: 90 },
  ratio: { min: 9 / 16, max: 16 / 9 },
  shorterPixels: { min: 540, max: Number.POSITIVE_INFINITY },
  longerPixels: { min: 960, max: Number.POSITIVE_INFINITY },
  video: {
    videoCodecs: ['h264', 'hevc', 'vp9', 'av1'],
    audioCodecs: ['aac'],
    maxAudioChannels: 2,
    chroma: ['4:2:0'],
    isProgressiveOnly: true,
    framesPerSecond: { min: 24, max: 60 },
  },
} as const;

export const storyVideoLimits = { ...reelLimits, seconds: { min: 3, max: 60 } } as const;

/**
 * The reels of a Page that apps may publish in any 24 hours. "Meta recommends that your app also enforces the publishing rate limit".
 * https://developers.facebook.com/documentation/video-api/guides/reels-publishing
 */
export const reelsPerDay = 30;

export const accountLimit: AccountLimit = {
  posts: reelsPerDay,
  counts: 'reels',
  isCounted: ({ contentType, type, draft }) => (contentType ?? type) === 'reel' && draft !== true,
};

/** The time between the start of a target's preparation and its due time, in seconds. Videos take longest to process. */
export const leadSeconds = { text: 0, photo: 60, eachFurtherPhoto: 10, video: 600 } as const;

/**
 * The number of Pages that can be invited to a reel: "10 collaborator invitation per Page per 24 hours".
 * https://developers.facebook.com/documentation/video-api/guides/reels-publishing
 */
export const maxCollaborators = 10;

/** The number of countries of an audience. Our judgement: it is more than there are. */
export const maxCountries = 250;
