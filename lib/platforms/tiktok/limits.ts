/**
 * TikTok's limits (Content Posting API: Direct Post, Photo, Media Transfer Guide). TikTok does not say whether a
 * megabyte is 10^6 or 2^20 bytes, so each limit here satisfies both readings.
 */

const mebibyte = 1_048_576;

/** The limit in UTF-16 code units, as for all texts here. */
export const videoCaptionUnits = 2_200;
export const photoCaptionUnits = 4_000;
export const photoTitleUnits = 90;

export const maxPhotos = 35;

/** The limits of videos. TikTok may allow a creator less than these ten minutes, which these rules cannot know. */
export const videoLimits = {
  contentTypes: ['video/mp4', 'video/quicktime', 'video/webm'],
  bytes: 3_814 * mebibyte,
  seconds: { min: 3, max: 600 },
  shorterPixels: { min: 360, max: Number.POSITIVE_INFINITY },
  longerPixels: { min: 0, max: 4_096 },
  video: {
    videoCodecs: ['h264', 'hevc', 'vp8', 'vp9'],
    framesPerSecond: { min: 23, max: 60 },
  },
} as const;

export const photoLimits = {
  contentTypes: ['image/jpeg', 'image/webp'],
  bytes: 19 * mebibyte,
  /** "1080p". */
  shorterPixels: { min: 0, max: 1_080 },
} as const;

/** The smallest chunk of a file that has several. */
export const minChunkBytes = 5 * mebibyte;

/**
 * The time between the start of a target's preparation and its due time, in seconds: a fixed part, and the upload at 4
 * MiB/s. An upload must end within an hour of its start. TikTok downloads photos after the last call.
 */
export const leadSeconds = { photos: 60, video: 120, perMebibyte: 0.25 } as const;

/** The assumed size of a video of unknown size: that of a large phone video. */
export const assumedVideoBytes = 500 * mebibyte;
