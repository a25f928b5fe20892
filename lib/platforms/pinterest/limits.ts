/** Pinterest's limits (OpenAPI description 5.23: PinCreate, MediaUpload; "Pin specs" of the help center). */

const mebibyte = 1_048_576;

/** The limit in Unicode code points, as for all characters here. */
export const titleCharacters = 100;
/** The limit was 500 before, which many tools still use. */
export const descriptionCharacters = 800;
export const altTextCharacters = 500;
export const linkCharacters = 2_048;

/** The number of images; a Pin has only one video. */
export const carouselItems = { min: 2, max: 5 } as const;

export const imageLimits = {
  contentTypes: ['image/jpeg', 'image/png', 'image/webp', 'image/gif'],
  bytes: 20 * mebibyte,
} as const;
export const coverLimits = { contentTypes: ['image/jpeg', 'image/png'], bytes: 20 * mebibyte } as const;

/** The limits of videos. Pinterest also lists M4V, which is MP4. */
export const videoLimits = {
  contentTypes: ['video/mp4', 'video/quicktime'],
  bytes: 2_048 * mebibyte,
  seconds: { min: 4, max: 15 * 60 },
  ratio: { min: 0.5, max: 1.91 },
  video: { videoCodecs: ['h264', 'hevc'] },
} as const;

/** The time of the default cover frame: the first frame is often black, and every allowed video is longer than this. */
export const usualKeyFrameSeconds = 1;

/**
 * The time between the start of a target's preparation and its due time, in seconds. Pinterest downloads images during
 * the go-live call; a video is uploaded (at 4 MiB/s) and processed before it.
 */
export const leadSeconds = { image: 0, videoProcessing: 600, videoPerMebibyte: 0.25 } as const;

/** The assumed size of a video of unknown size: that of a large phone video. */
export const assumedVideoBytes = 300 * mebibyte;

/** The values of `ai_disclosures`, in SDKs that are generated from descriptions newer than 5.23. */
export const aiDisclosures = ['AI_MODIFIED', 'SYNTHETIC_PERFORMER'] as const;
