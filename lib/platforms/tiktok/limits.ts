/**
 * What TikTok takes (Content Posting API: Direct Post, Photo, Media Transfer Guide). TikTok does not say whether a
 * megabyte of its is 10^6 bytes or 2^20, so each limit is kept in both readings.
 */

const mebibyte = 1_048_576;

/** In UTF-16 units, as all texts here. */
export const videoCaptionUnits = 2_200;
export const photoCaptionUnits = 4_000;
export const photoTitleUnits = 90;

export const mostPhotos = 35;

/** A creator may have less than these ten minutes; how much, only TikTok knows at the time. */
export const videoLimits = {
  contentTypes: ['video/mp4', 'video/quicktime', 'video/webm'],
  bytes: 3_814 * mebibyte,
  seconds: { least: 3, most: 600 },
  video: {
    videoCodecs: ['h264', 'hevc', 'vp8', 'vp9'],
    framesPerSecond: { least: 23, most: 60 },
  },
} as const;
/** Of both sides. */
export const videoPixels = { least: 360, most: 4_096 } as const;

export const photoLimits = { contentTypes: ['image/jpeg', 'image/webp'], bytes: 19 * mebibyte } as const;
/** Of the shorter side: "1080p". */
export const photoPixels = 1_080;

/** The smallest chunk of a file that has more than one. */
export const leastChunkBytes = 5 * mebibyte;

/**
 * How long before its time a target is begun, in seconds: a start, and the file at 4 MiB a second. An upload must end
 * within an hour of its begin. Photos are fetched by TikTok once they are posted.
 */
export const leadSeconds = { photos: 60, video: 120, perMebibyte: 0.25 } as const;

/** Where the size of a video is not known: that of a large phone video. */
export const assumedVideoBytes = 500 * mebibyte;
