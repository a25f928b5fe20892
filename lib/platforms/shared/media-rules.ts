import type { DescribedMedia, RuleProblem } from '../contract/rules.ts';

/** A platform's limits of one file; what is absent is not limited. */
export interface FileLimits {
  readonly contentTypes: readonly string[];
  readonly bytes: number;
  readonly seconds?: Range;
  /** Width divided by height. */
  readonly ratio?: Range;
  /** Of the shorter side. */
  readonly shorterPixels?: Range;
  /** Of the longer side. */
  readonly longerPixels?: Range;
  readonly widthPixels?: Range;
  readonly video?: VideoLimits;
}

interface Range {
  readonly least: number;
  readonly most: number;
}

/** What a platform takes of a video beyond its container. */
export interface VideoLimits {
  readonly videoCodecs?: readonly string[];
  readonly audioCodecs?: readonly string[];
  /** Hertz. */
  readonly mostAudioSampleRate?: number;
  readonly framesPerSecond?: Range;
  readonly mostBitsPerSecond?: number;
  /** Whether the index has to stand before the media. */
  readonly needsMoovFirst?: boolean;
  /** Whether every track has to be played just as it is stored. */
  readonly takesNoEditList?: boolean;
}

/** Checks what is known of a file. @param noun what the platform makes of it, such as `a reel` */
export function fileProblems(
  field: string,
  file: DescribedMedia,
  limits: FileLimits,
  noun: string,
): RuleProblem[] {
  const problems: string[] = [];
  const { contentType, sizeBytes, durationSeconds, widthPixels, heightPixels } = file;
  if (contentType !== undefined && !limits.contentTypes.includes(contentType.toLowerCase())) {
    problems.push(`${noun} must be ${limits.contentTypes.join(' or ')}, not ${contentType}`);
  }
  if (sizeBytes !== undefined && sizeBytes > limits.bytes) {
    problems.push(`${noun} may have at most ${limits.bytes / 1_048_576} MiB`);
  }
  const { seconds, ratio } = limits;
  if (seconds && durationSeconds !== undefined && !within(durationSeconds, seconds)) {
    problems.push(`${noun} must last from ${seconds.least} to ${seconds.most} seconds`);
  }
  // A hundredth of slack: pixels are whole, ratios are not.
  if (ratio && widthPixels && heightPixels && !within(widthPixels / heightPixels, ratio, 0.01)) {
    problems.push(`${noun} must have a width-to-height ratio from ${ratio.least} to ${ratio.most}`);
  }
  problems.push(...pixelProblems(file, limits, noun));
  if (limits.video) problems.push(...videoProblems(file, limits.video, noun));
  return problems.map((message) => ({ field, message }));
}

function pixelProblems(
  { widthPixels, heightPixels }: DescribedMedia,
  { shorterPixels, longerPixels, widthPixels: ofWidth }: FileLimits,
  noun: string,
): string[] {
  if (!widthPixels || !heightPixels) return [];
  const sides = [
    [shorterPixels, Math.min(widthPixels, heightPixels), 'on its shorter side'],
    [longerPixels, Math.max(widthPixels, heightPixels), 'on its longer side'],
    [ofWidth, widthPixels, 'in width'],
  ] as const;
  return sides.flatMap(([range, pixels, where]) =>
    range && !within(pixels, range)
      ? [`${noun} must have ${wordsOf(range)} pixels ${where}; this has ${pixels}`]
      : [],
  );
}

function videoProblems(file: DescribedMedia, limits: VideoLimits, noun: string): string[] {
  const { videoCodec, audioCodec, audioSampleRate = 0, framesPerSecond, sizeBytes, durationSeconds } = file;
  const { videoCodecs, audioCodecs, mostAudioSampleRate, mostBitsPerSecond } = limits;
  const problems: string[] = [];
  if (videoCodec !== undefined && videoCodecs && !videoCodecs.includes(videoCodec)) {
    problems.push(`${noun} must be coded as ${videoCodecs.join(' or ')}, not ${videoCodec}`);
  }
  if (audioCodec !== undefined && audioCodecs && !audioCodecs.includes(audioCodec)) {
    problems.push(`the sound of ${noun} must be coded as ${audioCodecs.join(' or ')}, not ${audioCodec}`);
  }
  if (mostAudioSampleRate !== undefined && audioSampleRate > mostAudioSampleRate) {
    problems.push(
      `the sound of ${noun} may have at most ${mostAudioSampleRate} Hz; this has ${audioSampleRate}`,
    );
  }
  // Half a frame of slack: 23.976 is meant by 24, and 59.94 by 60.
  const rates = limits.framesPerSecond;
  if (rates && framesPerSecond !== undefined && !within(framesPerSecond, rates, 0.5)) {
    problems.push(`${noun} must have ${wordsOf(rates)} frames a second; this has ${framesPerSecond}`);
  }
  if (mostBitsPerSecond !== undefined && sizeBytes !== undefined && durationSeconds) {
    const bitsPerSecond = (sizeBytes * 8) / durationSeconds;
    if (bitsPerSecond > mostBitsPerSecond)
      problems.push(`${noun} may have at most ${mostBitsPerSecond / 1_000_000} Mbit a second`);
  }
  if (limits.needsMoovFirst && file.moovFirst === false) {
    problems.push(`${noun} must have its index (moov) in front: write it for fast start`);
  }
  if (limits.takesNoEditList && file.hasEditList) {
    problems.push(`${noun} must have no edit list: encode it without one`);
  }
  return problems;
}

function wordsOf({ least, most }: Range): string {
  if (least <= 0) return `at most ${most}`;
  return most === Number.POSITIVE_INFINITY ? `at least ${least}` : `from ${least} to ${most}`;
}

function within(value: number, { least, most }: Range, slack = 0): boolean {
  return value >= least - slack && value <= most + slack;
}
