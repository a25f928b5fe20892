/** What Pinterest takes (OpenAPI description 5.23: PinCreate, MediaUpload; "Pin specs" of the help center). */

const mebibyte = 1_048_576;

/** Characters, which are Unicode code points here. */
export const titleCharacters = 100;
/** It was 500 once, and many tools still say so. */
export const descriptionCharacters = 800;
export const altTextCharacters = 500;
export const linkCharacters = 2_048;

/** Images; a video stands alone. */
export const carouselItems = { fewest: 2, most: 5 } as const;

export const imageLimits = {
  contentTypes: ['image/jpeg', 'image/png', 'image/webp', 'image/gif'],
  bytes: 20 * mebibyte,
} as const;
export const coverLimits = { contentTypes: ['image/jpeg', 'image/png'], bytes: 20 * mebibyte } as const;

/** M4V is MP4 by another name. */
export const videoLimits = {
  contentTypes: ['video/mp4', 'video/quicktime'],
  bytes: 2_048 * mebibyte,
  seconds: { least: 4, most: 15 * 60 },
  ratio: { least: 0.5, most: 1.91 },
  video: { videoCodecs: ['h264', 'hevc'] },
} as const;

/** The frame that is the cover where nothing is said: the first one is often black, and no video is this short. */
export const usualKeyFrameSeconds = 1;

/**
 * How long before its time a target is begun, in seconds. An image is fetched within the last call; a video is uploaded,
 * at 4 MiB a second, and processed before.
 */
export const leadSeconds = { image: 0, videoProcessing: 600, videoPerMebibyte: 0.25 } as const;

/** Where the size of a video is not known: that of a large phone video. */
export const assumedVideoBytes = 300 * mebibyte;
