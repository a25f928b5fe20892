/** What LinkedIn takes (Posts API, Images API, Videos API, Documents API, MultiImage API). */

const kibibyte = 1_024;
const mebibyte = 1_048_576;

/**
 * UTF-16 units of the commentary as it is sent. Whether the backslashes of little text count is not documented, so they
 * do.
 */
export const commentaryUnits = 3_000;
export const altTextCharacters = 4_086;

export const mostImages = 20;

/** No limit in bytes is documented for images. */
export const imageLimits = {
  contentTypes: ['image/jpeg', 'image/png', 'image/gif'],
  bytes: Number.POSITIVE_INFINITY,
} as const;
/** An image has fewer pixels than this. */
export const pixelsBelow = 36_152_320;

export const leastVideoBytes = 75 * kibibyte;
/** The specification says 500 MB, the schema 5 GB: the smaller one is safe. */
export const videoLimits = {
  contentTypes: ['video/mp4'],
  bytes: 500 * mebibyte,
  seconds: { least: 3, most: 30 * 60 },
  ratio: { least: 1 / 2.4, most: 2.4 },
} as const;

/** PDF, Word and PowerPoint; 300 pages, which only LinkedIn can count. */
export const documentLimits = {
  contentTypes: [
    'application/pdf',
    'application/msword',
    'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
    'application/vnd.ms-powerpoint',
    'application/vnd.openxmlformats-officedocument.presentationml.presentation',
  ],
  bytes: 100 * mebibyte,
} as const;

/** How long before its time a target is begun, in seconds: the upload at 4 MiB a second, and LinkedIn's processing. */
export const leadSeconds = {
  text: 0,
  eachImage: 10,
  processing: { image: 60, document: 180, video: 600 },
  perMebibyte: 0.25,
} as const;

/** Where the size of a video is not known: that of a large phone video. */
export const assumedVideoBytes = 300 * mebibyte;
