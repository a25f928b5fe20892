import type { MeasuredMedia } from '../kit/media/media-intake.ts';
import type { ErrorCode } from './errors.ts';

const mebibyte = 1024 * 1024;
const megabyte = 1_000_000;

/** Returns the error of an invalid image, or undefined. @param anyRatio for stories and covers, which may have any ratio */
export function imageProblem(media: MeasuredMedia, anyRatio = false): ErrorCode | undefined {
  if (!media.type.startsWith('image/')) return '9004/2207052';
  if (media.bytes > 8 * mebibyte) return '36000/2207004';
  if (media.jpeg === undefined || media.jpeg.multiPicture) return '36001/2207005';
  const ratio = media.jpeg.width / media.jpeg.height;
  if (!anyRatio && (ratio < 4 / 5 || ratio > 1.91)) return '36003/2207009';
  return undefined;
}

const videoLimits = {
  REELS: { seconds: 15 * 60, bytes: 300 * megabyte },
  VIDEO: { seconds: 15 * 60, bytes: 300 * megabyte },
  STORIES: { seconds: 60, bytes: 100 * megabyte },
} as const;

export type VideoKind = keyof typeof videoLimits;

/**
 * Returns the error of an invalid video, or undefined.
 *
 * @param isStrict true if a video with an edit list, or with its index (moov) at the end, is invalid, as the specification says.
 *   Reels with edit lists have been published, and such files have been refused.
 */
export function videoProblem(
  kind: VideoKind,
  media: MeasuredMedia,
  isStrict: boolean,
): ErrorCode | undefined {
  if (!media.type.startsWith('video/')) return '9004/2207052';
  if (isStrict && media.mp4 && (!media.mp4.moovFirst || media.mp4.hasEditList)) return '352/2207026';
  return isSupportedVideo(kind, media) ? undefined : '352/2207026';
}

function isSupportedVideo(kind: VideoKind, { mp4, bytes }: MeasuredMedia): boolean {
  if (mp4?.video === undefined) return false;
  const { video, audio, durationSeconds } = mp4;
  const limit = videoLimits[kind];
  const framesPerSecond = Math.round(video.framesPerSecond);
  const ratio = video.width / video.height;
  return (
    ['avc1', 'avc3', 'hvc1', 'hev1'].includes(video.codec) &&
    (audio === undefined || (audio.codec === 'mp4a' && audio.sampleRate <= 48_000)) &&
    durationSeconds >= 3 &&
    durationSeconds <= limit.seconds &&
    bytes <= limit.bytes &&
    (bytes * 8) / durationSeconds <= 25 * megabyte &&
    framesPerSecond >= 23 &&
    framesPerSecond <= 60 &&
    video.width <= 1920 &&
    ratio >= 0.01 &&
    ratio <= 10
  );
}
