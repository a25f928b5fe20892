import type { MeasuredMedia } from '../kit/media/media-intake.ts';

const leastVideoSeconds = 3;
const videoPixels = { least: 360, most: 4_096 };
const framesPerSecond = { least: 23, most: 60 };
const photoBytes = 20_000_000;
const photoPixels = 1_080;

/** The `fail_reason` of a video ("Media Transfer Guide"), or undefined. */
export function videoProblem({ mp4, type }: MeasuredMedia, mostSeconds: number): string | undefined {
  if (type === 'video/webm') return undefined;
  if (mp4?.video === undefined) return 'file_format_check_failed';
  const { width, height, framesPerSecond: rate } = mp4.video;
  if (mp4.durationSeconds < leastVideoSeconds || mp4.durationSeconds > mostSeconds) {
    return 'duration_check_failed';
  }
  if (rate < framesPerSecond.least || rate > framesPerSecond.most) return 'frame_rate_check_failed';
  const sides = [width, height];
  const isSized = sides.every((side) => side >= videoPixels.least && side <= videoPixels.most);
  return isSized ? undefined : 'picture_size_check_failed';
}

/** The `fail_reason` of a photo, or undefined. */
export function photoProblem({ type, bytes, jpeg }: MeasuredMedia): string | undefined {
  if (type !== 'image/jpeg' && type !== 'image/webp') return 'file_format_check_failed';
  if (type === 'image/jpeg' && jpeg === undefined) return 'file_format_check_failed';
  const isTooLarge = jpeg !== undefined && Math.min(jpeg.width, jpeg.height) > photoPixels;
  return isTooLarge || bytes > photoBytes ? 'picture_size_check_failed' : undefined;
}
