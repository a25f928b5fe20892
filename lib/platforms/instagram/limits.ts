/** Instagram's limits (Instagram Platform: Content Publishing, IG User Media, Error Codes). */

import type { MessagingLimits } from '../contract/messaging.ts';

const mebibyte = 1_048_576;

export const captionLimits = { characters: 2_200, hashtags: 30, mentions: 20 } as const;
/**
 * The hashtags and mentions that are certain to be accepted. Since December 2025, Instagram's apps allow five hashtags; Meta's
 * reference still says 30. The mentions are those of another service. https://www.ayrshare.com/docs/apis/post/social-networks/instagram
 */
export const certainCaption = { hashtags: 5, mentions: 3 } as const;
export const commentCharacters = 2_200;
export const altTextCharacters = 1_000;
export const maxCollaborators = 3;
export const maxUserTags = 20;

export const carouselItems = { min: 2, max: 10 } as const;

/**
 * The limits of images in stories, and of covers: JPEG, up to 8 MiB. "Extended JPEG formats such as MPO and JPS are not supported",
 * "color space: sRGB". Phones write MPO and printers want CMYK, so neither is refused.
 * https://developers.facebook.com/docs/instagram-platform/content-publishing
 */
export const plainImageLimits = {
  contentTypes: ['image/jpeg'],
  bytes: 8 * mebibyte,
  advice: { isSinglePicture: true, colorModels: ['gray', 'rgb'] },
} as const;

/** The limits of other images, with a width-to-height ratio from 4:5 to 1.91:1. */
export const imageLimits = { ...plainImageLimits, ratio: { min: 4 / 5, max: 1.91 } } as const;

/**
 * The limits from "Reel Specifications" and "Story video specifications": "AAC, 48khz sample rate maximum, 1 or 2
 * channels", "HEVC or H264, progressive scan, closed GOP, 4:2:0 chroma subsampling".
 * https://developers.facebook.com/docs/instagram-platform/instagram-graph-api/reference/ig-user/media
 */
const trackLimits = {
  videoCodecs: ['h264', 'hevc'],
  audioCodecs: ['aac'],
  maxAudioSampleRate: 48_000,
  maxAudioChannels: 2,
  chroma: ['4:2:0'],
  isProgressiveOnly: true,
  framesPerSecond: { min: 23, max: 60 },
  maxBitsPerSecond: 25_000_000,
} as const;
const videoWidth = { min: 1, max: 1_920 } as const;
/** "no edit lists, moov atom at the front of the file". In a fragmented file, that index has no samples. */
const videoAdvice = { hasPlainIndex: true } as const;

/** The limits of reels, and of videos in carousels, for which Instagram documents no other limits. */
export const reelLimits = {
  contentTypes: ['video/mp4', 'video/quicktime'],
  bytes: 300 * mebibyte,
  seconds: { min: 3, max: 15 * 60 },
  ratio: { min: 0.01, max: 10 },
  widthPixels: videoWidth,
  video: trackLimits,
  advice: videoAdvice,
} as const;

export const storyVideoLimits = {
  contentTypes: ['video/mp4', 'video/quicktime'],
  bytes: 100 * mebibyte,
  seconds: { min: 3, max: 60 },
  ratio: { min: 0.01, max: 10 },
  widthPixels: videoWidth,
  video: trackLimits,
  advice: videoAdvice,
} as const;

/**
 * The time between the start of a target's preparation and its due time, in seconds. An image is ready within seconds;
 * Meta says that a video may take five minutes, and long ones take longer. A container stays valid for 24 hours.
 */
export const leadSeconds = { image: 60, video: 600, eachFurtherItem: 15 } as const;

/** The limits from "Send Messages", "Button Template", "Private Replies" and "Rate Limits" of the Instagram Platform. */
export const messagingLimits: MessagingLimits = {
  publicReplyCharacters: commentCharacters,
  textBytes: 1_000,
  textWithButtonsCharacters: 640,
  buttons: 3,
  buttonTitleCharacters: 20,
  buttonPayloadCharacters: 1_000,
  privateReplyDays: 7,
  privateRepliesPerHour: 750,
  windowHours: 24,
};
