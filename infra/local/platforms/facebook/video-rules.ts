import type { MeasuredMedia } from '../kit/media/media-intake.ts';
import type { ErrorCode } from './errors.ts';
import type { VideoKind } from './state.ts';

const limits = {
  video: { min: 1, max: 4 * 3600 },
  reel: { min: 3, max: 90 },
  story: { min: 3, max: 60 },
} as const;

/** Returns the error code with which processing fails, or undefined. Resolution is not checked, to keep test fixtures small. */
export function videoProblem(kind: VideoKind, { mp4 }: MeasuredMedia): ErrorCode | undefined {
  if (mp4?.video === undefined) return '352/1349125';
  const { durationSeconds, video } = mp4;
  if (durationSeconds < limits[kind].min || durationSeconds > limits[kind].max) return '100/1363128';
  if (kind === 'video') return undefined;
  const ratio = video.width / video.height;
  if (ratio < 9 / 16 - 0.01 || ratio > 16 / 9 + 0.01) return '100/1363040';
  const framesPerSecond = Math.round(video.framesPerSecond);
  return framesPerSecond < 24 || framesPerSecond > 60 ? '100/1363129' : undefined;
}
