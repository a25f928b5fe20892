/** What Threads takes (Threads API: Posts, Media, Overview). */

const mebibyte = 1_048_576;

/** Emoji count as their UTF-8 bytes. */
export const textLength = 500;
/** Distinct ones, over the text and the attached link (since December 2025). */
export const mostLinks = 5;
export const topicTagCharacters = 50;
export const altTextCharacters = 1_000;

export const carouselItems = { fewest: 2, most: 20 } as const;

export const imageLimits = {
  contentTypes: ['image/jpeg', 'image/png'],
  bytes: 8 * mebibyte,
  ratio: { least: 0.1, most: 10 },
} as const;

export const videoLimits = {
  contentTypes: ['video/mp4', 'video/quicktime'],
  bytes: 1_024 * mebibyte,
  seconds: { least: 0, most: 300 },
  ratio: { least: 0.01, most: 10 },
  widthPixels: { least: 1, most: 1_920 },
  video: {
    videoCodecs: ['h264', 'hevc'],
    audioCodecs: ['aac'],
    mostAudioSampleRate: 48_000,
    framesPerSecond: { least: 23, most: 60 },
    /** The documentation says 25 in one place and 100 in another: what may pass is let through. */
    mostBitsPerSecond: 100_000_000,
    needsMoovFirst: true,
  },
} as const;

/**
 * How long before its time a target is begun, in seconds. Texts are ready within seconds; Meta asks for five minutes of
 * patience with a video. A container stays good for 24 hours.
 */
export const leadSeconds = { text: 45, image: 60, video: 600, eachFurtherItem: 15 } as const;
