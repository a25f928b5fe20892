import type { MeasuredMedia } from '../kit/media/media-intake.ts';

const mebibyte = 1024 * 1024;

/** Returns the `error_message` of an invalid image, or undefined. `INVALID_ASPEC_RATIO` is Meta's own misspelling. */
export function imageProblem({ type, bytes, jpeg }: MeasuredMedia): string | undefined {
  if (!['image/jpeg', 'image/png'].includes(type) || bytes > 8 * mebibyte) return 'UNKNOWN';
  if (type === 'image/png') return undefined;
  if (jpeg === undefined) return 'UNKNOWN';
  const ratio = jpeg.width / jpeg.height;
  return ratio > 10 || ratio < 1 / 10 ? 'INVALID_ASPEC_RATIO' : undefined;
}

/** Returns the `error_message` of an invalid video, or undefined. */
export function videoProblem({ mp4, bytes }: MeasuredMedia): string | undefined {
  if (mp4?.video === undefined || !mp4.moovFirst) return 'FAILED_PROCESSING_VIDEO';
  const { durationSeconds, video, audio } = mp4;
  const ratio = video.width / video.height;
  const framesPerSecond = Math.round(video.framesPerSecond);
  if (ratio < 0.01 || ratio > 10 || video.width > 1920) return 'INVALID_ASPEC_RATIO';
  if (durationSeconds <= 0 || durationSeconds > 300) return 'INVALID_DURATION';
  if (framesPerSecond < 23 || framesPerSecond > 60) return 'INVALID_FRAME_RATE';
  if ((bytes * 8) / durationSeconds > 100_000_000) return 'INVALID_BIT_RATE';
  return audio !== undefined && audio.sampleRate > 48_000 ? 'FAILED_PROCESSING_AUDIO' : undefined;
}
