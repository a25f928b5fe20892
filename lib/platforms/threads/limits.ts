/** Threads' limits (Threads API: Posts, Media, Overview). */

const mebibyte = 1_048_576;

/** The limit in characters, except that an emoji counts by its UTF-8 bytes. */
export const textLength = 500;
/** The number of distinct links in the text, including the attached link (since December 2025). */
export const maxLinks = 5;
export const topicTagCharacters = 50;
export const altTextCharacters = 1_000;
/** The limits of a poll. https://developers.facebook.com/docs/threads/create-posts/polls */
export const pollLimits = { options: { min: 2, max: 4 }, optionCharacters: 25 } as const;
/** The limit of a text attachment. https://developers.facebook.com/documentation/threads/create-posts/text-attachments */
export const textAttachmentCharacters = 10_000;
/** The number of hidden parts in a text. https://developers.facebook.com/docs/threads/create-posts/spoilers */
export const maxTextSpoilers = 10;

/**
 * The number of parts that may follow the first part of a thread. Our judgement: each is published by itself, and Threads takes 1,000
 * replies of an account in 24 hours. https://developers.facebook.com/docs/threads/overview
 */
export const maxFurtherParts = 24;

export const carouselItems = { min: 2, max: 20 } as const;

export const imageLimits = {
  contentTypes: ['image/jpeg', 'image/png'],
  bytes: 8 * mebibyte,
  ratio: { min: 0.1, max: 10 },
  /** "Color Space: sRGB". */
  advice: { colorModels: ['gray', 'rgb'] },
} as const;

/**
 * The limits from "Video specifications": "AAC, 48khz sample rate maximum, 1 or 2 channels", "HEVC or H264, progressive scan,
 * closed GOP, 4:2:0 chroma subsampling". https://developers.facebook.com/docs/threads/overview
 */
export const videoLimits = {
  contentTypes: ['video/mp4', 'video/quicktime'],
  bytes: 1_024 * mebibyte,
  seconds: { min: 0, max: 300 },
  ratio: { min: 0.01, max: 10 },
  widthPixels: { min: 1, max: 1_920 },
  video: {
    videoCodecs: ['h264', 'hevc'],
    audioCodecs: ['aac'],
    maxAudioSampleRate: 48_000,
    maxAudioChannels: 2,
    chroma: ['4:2:0'],
    isProgressiveOnly: true,
    framesPerSecond: { min: 23, max: 60 },
    /** The documentation says 25 Mbit/s in one place and 100 in another; the rules allow the higher rate. */
    maxBitsPerSecond: 100_000_000,
  },
  /** "no edit lists, moov atom at the front of the file". In a fragmented file, that index has no samples. */
  advice: { hasPlainIndex: true },
} as const;

/**
 * The age that a container should have at the last call: "It is recommended to wait on average 30 seconds before
 * publishing a Threads media container to give our server enough time to fully process the upload."
 * https://developers.facebook.com/docs/threads/posts
 */
export const settleSeconds = 30;

/**
 * The time between the start of a target's preparation and its due time, in seconds. Texts are ready within seconds;
 * Meta says that a video may take five minutes. A container stays valid for 24 hours. The time includes
 * {@link settleSeconds}. A post that is already due does not wait for them.
 */
export const leadSeconds = { text: 45, image: 60, video: 600, eachFurtherItem: 15 } as const;
