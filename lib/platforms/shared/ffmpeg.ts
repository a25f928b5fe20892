import { type FileLimits, within } from '../contract/file-limits.ts';
import type { DescribedMedia, RuleCode } from '../contract/rules.ts';

/** The codecs that an MP4 file can have and that players read there. */
export const mp4Codecs = {
  video: ['h264', 'hevc', 'vp9', 'av1'],
  audio: ['aac', 'mp3', 'opus', 'ac3', 'eac3'],
} as const;

/** The problems of a video that encoding it again can solve. The rest would need another film: a shorter or a sharper one. */
const solvable: ReadonlySet<RuleCode> = new Set<RuleCode>([
  'media_type',
  'media_too_large',
  'media_ratio',
  'media_resolution',
  'media_codec',
  'media_sample_rate',
  'media_frame_rate',
  'media_bit_rate',
  'media_chroma',
  'media_scan',
  'media_channels',
]);

/** Bits per second of sound that is encoded again. */
const soundBits = 128_000;
/** The lowest bits per second of a picture that is worth watching. Our judgement. */
const leastPictureBits = 300_000;
/** The part of a limit in bytes or bits that is used, because rates are averages. */
const usedPart = 0.9;

/**
 * Returns a command line for ffmpeg that makes a video fit the limits; `undefined` if it has no problem, or one that no command
 * solves. It copies the tracks that fit as they are.
 *
 * @param codes the codes of the video's problems
 */
export function ffmpegCommand(
  file: DescribedMedia,
  limits: FileLimits,
  codes: readonly RuleCode[],
): string | undefined {
  if (file.type !== 'video' || codes.length === 0 || !codes.every((code) => solvable.has(code)))
    return undefined;
  const problems = new Set(codes);
  if (problems.has('media_resolution') && isTooSmall(file, limits)) return undefined;
  const bits = pictureBits(file, limits, problems);
  if (problems.has('media_too_large') && (bits === undefined || bits < leastPictureBits)) return undefined;
  const options = [
    ...pictureOptions(file, limits, problems, bits),
    ...soundOptions(file, limits, problems),
    '-movflags +faststart',
  ];
  return `ffmpeg -i input.${endings[file.contentType ?? ''] ?? 'mp4'} ${options.join(' ')} output.mp4`;
}

const endings: Readonly<Record<string, string>> = {
  'video/quicktime': 'mov',
  'video/webm': 'webm',
  'video/x-matroska': 'mkv',
  'video/matroska': 'mkv',
};

function isTooSmall({ widthPixels, heightPixels }: DescribedMedia, limits: FileLimits): boolean {
  if (!widthPixels || !heightPixels) return true;
  const [shorter, longer] = [Math.min(widthPixels, heightPixels), Math.max(widthPixels, heightPixels)];
  const { shorterPixels, longerPixels } = limits;
  return shorter < (shorterPixels?.min ?? 0) || longer < (longerPixels?.min ?? 0);
}

/** The highest bits per second that the picture may have; `undefined` if only its quality decides. */
function pictureBits(
  { durationSeconds }: DescribedMedia,
  { bytes, video }: FileLimits,
  problems: ReadonlySet<RuleCode>,
): number | undefined {
  const isLimited = problems.has('media_too_large') || problems.has('media_bit_rate');
  if (!isLimited || !durationSeconds) return undefined;
  const ofFile = (bytes * 8) / durationSeconds;
  const most = Math.min(ofFile, video?.maxBitsPerSecond ?? ofFile) * usedPart - soundBits;
  return Math.max(0, Math.floor(most / 1_000) * 1_000);
}

const pictureProblems: readonly RuleCode[] = [
  'media_too_large',
  'media_ratio',
  'media_resolution',
  'media_frame_rate',
  'media_bit_rate',
  'media_chroma',
  'media_scan',
];

function pictureOptions(
  file: DescribedMedia,
  limits: FileLimits,
  problems: ReadonlySet<RuleCode>,
  bits: number | undefined,
): string[] {
  const { videoCodec } = file;
  const { video = {} } = limits;
  const isCodecTaken =
    videoCodec !== undefined &&
    isIn(mp4Codecs.video, videoCodec) &&
    (video.videoCodecs === undefined || video.videoCodecs.includes(videoCodec));
  if (isCodecTaken && !pictureProblems.some((code) => problems.has(code))) return ['-c:v copy'];
  const filters = [
    ...(problems.has('media_scan') ? ['bwdif'] : []),
    ...(problems.has('media_resolution') ? [scaleFilter(file, limits)] : []),
    ...(problems.has('media_ratio') ? [padFilter(limits)] : []),
  ];
  return [
    '-c:v libx264 -pix_fmt yuv420p',
    ...(filters.length > 0 ? [`-vf "${filters.join(',')}"`] : []),
    ...(problems.has('media_frame_rate') ? [`-r ${frameRate(file, limits)}`] : []),
    ...(bits === undefined
      ? []
      : [`-b:v ${bits / 1_000}k -maxrate ${bits / 1_000}k -bufsize ${bits / 500}k`]),
  ];
}

/** Scales a picture that is too large. H.264 with 4:2:0 needs even numbers of pixels. */
function scaleFilter({ widthPixels = 0, heightPixels = 0 }: DescribedMedia, limits: FileLimits): string {
  const isWide = widthPixels >= heightPixels;
  const { widthPixels: width, longerPixels: longer, shorterPixels: shorter } = limits;
  const factor = Math.min(
    1,
    (width?.max ?? Number.POSITIVE_INFINITY) / widthPixels,
    (longer?.max ?? Number.POSITIVE_INFINITY) / Math.max(widthPixels, heightPixels),
    (shorter?.max ?? Number.POSITIVE_INFINITY) / Math.min(widthPixels, heightPixels),
  );
  const even = (pixels: number) => Math.floor((pixels * factor) / 2) * 2;
  return isWide ? `scale=${even(widthPixels)}:-2` : `scale=-2:${even(heightPixels)}`;
}

/** Adds bars at two sides of a picture that is too wide or too tall. */
function padFilter({ ratio = { min: 0, max: Number.POSITIVE_INFINITY } }: FileLimits): string {
  const factor = (number: number) => Number(number.toFixed(6));
  // Slightly inside the limits, because the sides are rounded to even numbers.
  const [least, most] = [factor(ratio.min * 1.01), factor(ratio.max / 1.01)];
  return `pad='2*ceil(max(iw,ih*${least})/2)':'2*ceil(max(ih,iw/${most})/2)':-1:-1`;
}

/** Returns the usual rate that is nearest to that of the file. */
function frameRate({ framesPerSecond = 30 }: DescribedMedia, { video = {} }: FileLimits): number {
  const { framesPerSecond: range } = video;
  const taken = [25, 30, 60].filter((rate) => !range || within(rate, range));
  const nearest = taken.toSorted(
    (one, other) => Math.abs(one - framesPerSecond) - Math.abs(other - framesPerSecond),
  );
  return nearest[0] ?? range?.max ?? 30;
}

function soundOptions(
  { audioCodec }: DescribedMedia,
  { video = {} }: FileLimits,
  problems: ReadonlySet<RuleCode>,
): string[] {
  if (audioCodec === undefined) return ['-c:a aac'];
  const isCodecTaken = isIn(mp4Codecs.audio, audioCodec) && (video.audioCodecs?.includes(audioCodec) ?? true);
  const { maxAudioChannels, maxAudioSampleRate } = video;
  const isTooMuch = problems.has('media_channels') || problems.has('media_sample_rate');
  if (isCodecTaken && !isTooMuch) return ['-c:a copy'];
  return [
    `-c:a aac -b:a ${soundBits / 1_000}k`,
    ...(maxAudioChannels === undefined ? [] : [`-ac ${maxAudioChannels}`]),
    ...(maxAudioSampleRate === undefined ? [] : [`-ar ${maxAudioSampleRate}`]),
  ];
}

const isIn = (list: readonly string[], name: string): boolean => list.includes(name);
