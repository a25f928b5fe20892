/** LinkedIn's limits (Posts API, Images API, Videos API, Documents API, MultiImage API). */

const kibibyte = 1_024;
const mebibyte = 1_048_576;

/**
 * The limit in UTF-16 code units of the text as it is sent. LinkedIn does not document whether the backslashes of the
 * little text format count; here they do.
 */
export const commentaryUnits = 3_000;
export const altTextCharacters = 4_086;
/**
 * The limits of a link's title and description. LinkedIn's documentation has no numbers; these are what other clients allow.
 * https://github.com/bytechefhq/bytechef (component `linkedin`)
 */
export const articleCharacters = { title: 400, description: 4_086 } as const;

/**
 * The limits of a poll. "Poll API": two to four options. The numbers of characters are LinkedIn's own, and those of
 * other clients.
 * https://learn.microsoft.com/linkedin/marketing/community-management/shares/poll-post-api
 */
export const pollLimits = {
  questionCharacters: 140,
  optionCharacters: 30,
  options: { min: 2, max: 4 },
} as const;

/** The limit of LinkedIn's own apps; its API documents no number. */
export const commentCharacters = 1_250;

/** The length of a title that Herald takes from the file's name or the text. Our judgement. */
export const defaultTitleCharacters = 100;

export const maxImages = 20;

/** The limits of images. LinkedIn documents none in bytes. */
export const imageLimits = {
  contentTypes: ['image/jpeg', 'image/png', 'image/gif'],
  bytes: Number.POSITIVE_INFINITY,
  pixelsBelow: 36_152_320,
} as const;

/** The limits of videos. The specification says 500 MB, the schema 5 GB: the smaller one is safe. */
export const videoLimits = {
  contentTypes: ['video/mp4'],
  bytes: 500 * mebibyte,
  minBytes: 75 * kibibyte,
  seconds: { min: 3, max: 30 * 60 },
  ratio: { min: 1 / 2.4, max: 2.4 },
} as const;

/** The limits of a video's cover: those of images. The Videos API documents none. */
export const coverLimits = { ...imageLimits, contentTypes: ['image/jpeg', 'image/png'] } as const;

/**
 * The limits of documents: PDF, Word and PowerPoint. LinkedIn also limits documents to 300 pages, which Herald does not count.
 */
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

/** The time between the start of a target's preparation and its due time, in seconds: the upload at 4 MiB/s, and processing. */
export const leadSeconds = {
  text: 0,
  eachImage: 10,
  processing: { image: 60, document: 180, video: 600 },
  perMebibyte: 0.25,
} as const;

/** The assumed size of a video of unknown size: that of a large phone video. */
export const assumedVideoBytes = 300 * mebibyte;

/** The number of places of an audience. Our judgement. */
export const maxGeoLocations = 150;
