/** What YouTube takes (YouTube Data API: videos.insert, thumbnails.set; YouTube Help: longer videos). */

const mebibyte = 1_048_576;

export const titleCharacters = 100;
export const descriptionBytes = 5_000;
export const tagsCharacters = 500;

export const videoLimits = {
  /** Verified channels; others end at 15 minutes, which only the channel knows. */
  seconds: { least: 1, most: 12 * 3_600 },
  bytes: 256 * 1_024 * mebibyte,
} as const;

/** 50 MB since 14 September 2026 (Revision History); 2 MB before. */
export const thumbnailLimits = { contentTypes: ['image/jpeg', 'image/png'], bytes: 50 * mebibyte } as const;

/**
 * How long before its time an upload begins, in seconds: a start of two minutes, and the file at 4 MiB a second,
 * which leaves room for a second try.
 */
export function uploadLeadSeconds(sizeBytes: number): number {
  return 120 + Math.ceil(sizeBytes / (4 * mebibyte));
}

/** Where the size is not known: that of a large phone video. */
export const assumedBytes = 500 * mebibyte;
