import type { MeasuredMedia } from '../kit/media/media-intake.ts';

const minVideoSeconds = 3;
const videoPixels = { min: 360, max: 4_096 };
const framesPerSecond = { min: 23, max: 60 };
const photoBytes = 20_000_000;
const photoPixels = 1_080;

/** Returns the `fail_reason` of a video ("Media Transfer Guide"), or undefined. */
export function videoProblem({ mp4, type }: MeasuredMedia, maxSeconds: number): string | undefined {
  if (type === 'video/webm') return undefined;
  if (mp4?.video === undefined) return 'file_format_check_failed';
  const { width, height, framesPerSecond: rate } = mp4.video;
  if (mp4.durationSeconds < minVideoSeconds || mp4.durationSeconds > maxSeconds) {
    return 'duration_check_failed';
  }
  if (rate < framesPerSecond.min || rate > framesPerSecond.max) return 'frame_rate_check_failed';
  const sides = [width, height];
  const isSized = sides.every((side) => side >= videoPixels.min && side <= videoPixels.max);
  return isSized ? undefined : 'picture_size_check_failed';
}

/** Returns the `fail_reason` of a photo, or undefined. */
export function photoProblem({ type, bytes, jpeg }: MeasuredMedia): string | undefined {
  if (type !== 'image/jpeg' && type !== 'image/webp') return 'file_format_check_failed';
  if (type === 'image/jpeg' && jpeg === undefined) return 'file_format_check_failed';
  const isTooLarge = jpeg !== undefined && Math.min(jpeg.width, jpeg.height) > photoPixels;
  return isTooLarge || bytes > photoBytes ? 'picture_size_check_failed' : undefined;
}
