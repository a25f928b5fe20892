import { type FileLimits, type Range, type VideoLimits, within } from '../contract/file-limits.ts';
import type { MeasuredProperty } from '../contract/names.ts';
import type { DescribedMedia, RuleCode, RuleProblem } from '../contract/rules.ts';
import { ffmpegCommand } from './ffmpeg.ts';

type Finding = readonly [code: RuleCode, message: string];

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
  const { contentTypes } = limits;
  if (contentType !== undefined && contentTypes?.includes(contentType.toLowerCase()) === false) {
    const kept = file.isAnimated ? '. An animated image is not converted' : '';
    problems.push(['media_type', `${noun} must be ${contentTypes.join(' or ')}, not ${contentType}${kept}`]);
  }
  if (sizeBytes !== undefined && sizeBytes > limits.bytes) {
    problems.push(['media_too_large', `${noun} must be at most ${limits.bytes / 1_048_576} MiB`]);
  }
  if (limits.minBytes !== undefined && sizeBytes !== undefined && sizeBytes < limits.minBytes) {
    problems.push(['media_too_small', `${noun} must have at least ${limits.minBytes / 1_024} KiB`]);
  }
  const { seconds, ratio } = limits;
  if (seconds && durationSeconds !== undefined && !within(durationSeconds, seconds)) {
    problems.push(['media_duration', `${noun} must last from ${seconds.min} to ${seconds.max} seconds`]);
  }
  if (ratio && widthPixels && heightPixels && ratioOf(widthPixels, heightPixels, ratio) === 'outside') {
    problems.push([
      'media_ratio',
      `${noun} must have a width-to-height ratio from ${ratio.min} to ${ratio.max}${fitHint(file)}`,
    ]);
  }
  problems.push(...pixelProblems(file, limits, noun));
  if (limits.video) problems.push(...videoProblems(file, limits.video, noun));
  const codes = problems.map(([code]) => code);
  const command = ffmpegCommand(file, limits, codes);
  return problems.map(([code, message], index) => ({
    field,
    code,
    message: command !== undefined && index === 0 ? `${message}. To convert it: ${command}` : message,
  }));
}

/** The shape of a still picture can be changed, but only as the author says. */
const fitHint = ({ type, isAnimated }: DescribedMedia): string =>
  type === 'image' && !isAnimated ? '; set fit to pad or crop' : '';

function pixelProblems(
  { widthPixels, heightPixels }: DescribedMedia,
  { shorterPixels, longerPixels, widthPixels: widthRange, pixelsBelow }: FileLimits,
  noun: string,
): Finding[] {
  if (!widthPixels || !heightPixels) return [];
  if (pixelsBelow !== undefined && widthPixels * heightPixels >= pixelsBelow)
    return [['media_resolution', `${noun} must have fewer than ${pixelsBelow} pixels`]];
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
  const rates = limits.framesPerSecond;
  if (rates && framesPerSecond !== undefined && !isRateWithin(framesPerSecond, rates)) {
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
  return [...problems, ...formatProblems(file, limits, noun)];
}

function formatProblems(
  { chroma, scan, audioChannels = 0 }: DescribedMedia,
  { chroma: chromas, isProgressiveOnly, maxAudioChannels }: VideoLimits,
  noun: string,
): Finding[] {
  const problems: Finding[] = [];
  if (chroma !== undefined && chromas && !chromas.includes(chroma)) {
    problems.push([
      'media_chroma',
      `${noun} must have the chroma subsampling ${chromas.join(' or ')}; this file has ${chroma}`,
    ]);
  }
  if (isProgressiveOnly && scan === 'interlaced') {
    problems.push(['media_scan', `${noun} must be progressive; this file is interlaced`]);
  }
  if (maxAudioChannels !== undefined && audioChannels > maxAudioChannels) {
    problems.push([
      'media_channels',
      `${noun} must have at most ${maxAudioChannels} audio channels; this file has ${audioChannels}`,
    ]);
  }
  return problems;
}

/**
 * Warnings about a file that meets the limits as far as they can be checked: a property that a limit is for and that could
 * not be measured; a ratio that misses its limit by no more than rounding to whole pixels explains.
 *
 * @param noun the platform's name for such a file; begins each message
 */
export function fileWarnings(
  field: string,
  file: DescribedMedia,
  limits: FileLimits,
  noun: string,
): RuleProblem[] {
  const findings: Finding[] = [];
  const { widthPixels, heightPixels, unknown = [] } = file;
  const { ratio } = limits;
  if (ratio && widthPixels && heightPixels && ratioOf(widthPixels, heightPixels, ratio) === 'rounded') {
    findings.push([
      'media_ratio',
      `${noun} should have a width-to-height ratio from ${ratio.min} to ${ratio.max}; ${widthPixels} by ${heightPixels} pixels are just outside, and may be refused`,
    ]);
  }
  for (const property of unknown) {
    const limit = limitOf(property, limits);
    if (limit === undefined) continue;
    findings.push([
      'media_unmeasured',
      `${noun} must have ${limit}: this could not be measured, so it was not checked`,
    ]);
  }
  return findings.map(([code, message]) => ({ field, code, message }));
}

/** The limit for a property, in words; `undefined` if there is none. */
function limitOf(property: MeasuredProperty, limits: FileLimits): string | undefined {
  const { video = {}, seconds, ratio } = limits;
  switch (property) {
    case 'width': {
      const sides = limits.shorterPixels ?? limits.longerPixels ?? limits.widthPixels;
      return ratio || sides ? 'a width and height within limits' : undefined;
    }
    case 'durationMs':
      return seconds && `a duration from ${seconds.min} to ${seconds.max} seconds`;
    case 'videoCodec':
      return video.videoCodecs && `the video codec ${video.videoCodecs.join(' or ')}`;
    case 'frameRate':
      return video.framesPerSecond && `${describeRange(video.framesPerSecond)} frames per second`;
    case 'chroma':
      return video.chroma && `the chroma subsampling ${video.chroma.join(' or ')}`;
    case 'scan':
      return video.isProgressiveOnly ? 'progressive frames' : undefined;
    case 'audioCodec':
      return video.audioCodecs && `the audio codec ${video.audioCodecs.join(' or ')}`;
    case 'audioSampleRate':
      return video.maxAudioSampleRate === undefined
        ? undefined
        : `an audio sample rate of at most ${video.maxAudioSampleRate} Hz`;
    case 'audioChannels':
      return video.maxAudioChannels === undefined
        ? undefined
        : `at most ${video.maxAudioChannels} audio channels`;
  }
}

/** Instructions for a video without the structure that Meta advises against. Both are options of ffmpeg's muxer for MP4. */
export const encodingAdvice =
  'encode it again without an edit list and with its index at the front (ffmpeg: -use_editlist 0 -movflags +faststart).';

/**
 * Warns about videos with an edit list, with the index after the media, or with an index in fragments. Meta's specifications require files without
 * edit lists, with the index (moov) at the front. Ordinary encoders write neither so, and the APIs have published such
 * files, so they are not refused.
 * https://developers.facebook.com/docs/instagram-platform/instagram-graph-api/reference/ig-user/media
 * https://developers.facebook.com/docs/threads/overview
 */
export function structureWarnings(media: readonly DescribedMedia[], platform: string): RuleProblem[] {
  return media.flatMap(({ hasEditList, moovFirst, isFragmented }, index) => {
    const findings = [
      ...(hasEditList ? ['has an edit list'] : []),
      ...(moovFirst === false ? ['has its index (moov) after its media'] : []),
      ...(isFragmented ? ['is fragmented, so its index has no samples'] : []),
    ];
    if (findings.length === 0) return [];
    const message = `the video ${findings.join(' and ')}, which ${platform} advises against. If ${platform} refuses it, ${encodingAdvice}`;
    return [{ field: `mediaItems[${index}]`, code: 'media_structure' as const, message }];
  });
}

function describeRange({ min, max }: Range): string {
  if (min <= 0) return `at most ${max}`;
  return max === Number.POSITIVE_INFINITY ? `at least ${min}` : `from ${min} to ${max}`;
}

/**
 * Compares a ratio with its limits. `rounded`: outside, but one side would be within if it were not rounded to whole
 * pixels. Instagram has refused 326 by 408 pixels (0.799), so this is not certain to be accepted.
 * https://github.com/mgp25/Instagram-API/issues/1178
 */
export function ratioOf(
  width: number,
  height: number,
  { min, max }: Range,
): 'within' | 'rounded' | 'outside' {
  if (within(width / height, { min, max })) return 'within';
  const limit = width / height < min ? min : max;
  const isRounded = Math.abs(width - height * limit) <= 0.5 || Math.abs(height - width / limit) <= 0.5;
  return isRounded ? 'rounded' : 'outside';
}

/**
 * Compares frames per second with their limits. Rates of television are a thousandth lower than their name: 23.976 is 24, and
 * 59.94 is 60. The times of recorded frames are rounded, which changes the average by less.
 */
function isRateWithin(rate: number, { min, max }: Range): boolean {
  return within(rate, { min: min / 1.001 - 0.01, max: max * 1.001 });
}
