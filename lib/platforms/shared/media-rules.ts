import type { DescribedMedia, RuleCode, RuleProblem } from '../contract/rules.ts';

/** A platform's limits for one file. An absent property is not limited. */
export interface FileLimits {
  readonly contentTypes: readonly string[];
  readonly bytes: number;
  readonly seconds?: Range;
  /** The width divided by the height. */
  readonly ratio?: Range;
  /** The limits of the shorter side. */
  readonly shorterPixels?: Range;
  /** The limits of the longer side. */
  readonly longerPixels?: Range;
  readonly widthPixels?: Range;
  readonly video?: VideoLimits;
}

interface Range {
  readonly min: number;
  readonly max: number;
}

type Finding = readonly [code: RuleCode, message: string];

/** A platform's limits for a video's tracks and structure. */
export interface VideoLimits {
  readonly videoCodecs?: readonly string[];
  readonly audioCodecs?: readonly string[];
  /** The highest rate in hertz. */
  readonly maxAudioSampleRate?: number;
  readonly framesPerSecond?: Range;
  readonly maxBitsPerSecond?: number;
  /** True if the index (moov) must come before the media data. */
  readonly needsMoovFirst?: boolean;
}

/**
 * Checks the known properties of a file against the limits, and returns every problem.
 *
 * @param noun the platform's name for such a file, such as `a reel`; begins each message
 */
export function fileProblems(
  field: string,
  file: DescribedMedia,
  limits: FileLimits,
  noun: string,
): RuleProblem[] {
  const problems: Finding[] = [];
  const { contentType, sizeBytes, durationSeconds, widthPixels, heightPixels } = file;
  if (contentType !== undefined && !limits.contentTypes.includes(contentType.toLowerCase())) {
    problems.push(['media_type', `${noun} must be ${limits.contentTypes.join(' or ')}, not ${contentType}`]);
  }
  if (sizeBytes !== undefined && sizeBytes > limits.bytes) {
    problems.push(['media_too_large', `${noun} must be at most ${limits.bytes / 1_048_576} MiB`]);
  }
  const { seconds, ratio } = limits;
  if (seconds && durationSeconds !== undefined && !within(durationSeconds, seconds)) {
    problems.push(['media_duration', `${noun} must last from ${seconds.min} to ${seconds.max} seconds`]);
  }
  // A tolerance of 0.01: pixels are whole numbers, so an exact ratio is often impossible.
  if (ratio && widthPixels && heightPixels && !within(widthPixels / heightPixels, ratio, 0.01)) {
    problems.push([
      'media_ratio',
      `${noun} must have a width-to-height ratio from ${ratio.min} to ${ratio.max}`,
    ]);
  }
  problems.push(...pixelProblems(file, limits, noun));
  if (limits.video) problems.push(...videoProblems(file, limits.video, noun));
  return problems.map(([code, message]) => ({ field, code, message }));
}

function pixelProblems(
  { widthPixels, heightPixels }: DescribedMedia,
  { shorterPixels, longerPixels, widthPixels: widthRange }: FileLimits,
  noun: string,
): Finding[] {
  if (!widthPixels || !heightPixels) return [];
  const sides = [
    [shorterPixels, Math.min(widthPixels, heightPixels), 'on its shorter side'],
    [longerPixels, Math.max(widthPixels, heightPixels), 'on its longer side'],
    [widthRange, widthPixels, 'in width'],
  ] as const;
  return sides.flatMap(([range, pixels, side]) =>
    range && !within(pixels, range)
      ? [
          [
            'media_resolution',
            `${noun} must have ${describeRange(range)} pixels ${side}; this file has ${pixels}`,
          ],
        ]
      : [],
  );
}

function videoProblems(file: DescribedMedia, limits: VideoLimits, noun: string): Finding[] {
  const { videoCodec, audioCodec, audioSampleRate = 0, framesPerSecond, sizeBytes, durationSeconds } = file;
  const { videoCodecs, audioCodecs, maxAudioSampleRate, maxBitsPerSecond } = limits;
  const problems: Finding[] = [];
  if (videoCodec !== undefined && videoCodecs && !videoCodecs.includes(videoCodec)) {
    problems.push([
      'media_codec',
      `${noun} must use the video codec ${videoCodecs.join(' or ')}, not ${videoCodec}`,
    ]);
  }
  if (audioCodec !== undefined && audioCodecs && !audioCodecs.includes(audioCodec)) {
    problems.push([
      'media_codec',
      `${noun} must use the audio codec ${audioCodecs.join(' or ')}, not ${audioCodec}`,
    ]);
  }
  if (maxAudioSampleRate !== undefined && audioSampleRate > maxAudioSampleRate) {
    problems.push([
      'media_sample_rate',
      `${noun} must have an audio sample rate of at most ${maxAudioSampleRate} Hz; this file has ${audioSampleRate}`,
    ]);
  }
  // A tolerance of 0.5: platforms count 23.976 as 24, and 59.94 as 60.
  const rates = limits.framesPerSecond;
  if (rates && framesPerSecond !== undefined && !within(framesPerSecond, rates, 0.5)) {
    problems.push([
      'media_frame_rate',
      `${noun} must have ${describeRange(rates)} frames per second; this file has ${framesPerSecond}`,
    ]);
  }
  if (maxBitsPerSecond !== undefined && sizeBytes !== undefined && durationSeconds) {
    const bitsPerSecond = (sizeBytes * 8) / durationSeconds;
    if (bitsPerSecond > maxBitsPerSecond)
      problems.push([
        'media_bit_rate',
        `${noun} must have a bit rate of at most ${maxBitsPerSecond / 1_000_000} Mbit/s`,
      ]);
  }
  if (limits.needsMoovFirst && file.moovFirst === false) {
    problems.push([
      'media_structure',
      `${noun} must have its index (moov) before its media: encode it with fast start`,
    ]);
  }
  return problems;
}

function describeRange({ min, max }: Range): string {
  if (min <= 0) return `at most ${max}`;
  return max === Number.POSITIVE_INFINITY ? `at least ${min}` : `from ${min} to ${max}`;
}

function within(value: number, { min, max }: Range, slack = 0): boolean {
  return value >= min - slack && value <= max + slack;
}
