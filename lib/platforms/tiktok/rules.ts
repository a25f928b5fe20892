import type { FileLimits } from '../contract/file-limits.ts';
import { type DescribedMedia, type PlatformRules, type RuleProblem, ruleProblem } from '../contract/rules.ts';
import { ignoredAltTexts } from '../shared/alt-text.ts';
import { fileProblems, fileWarnings } from '../shared/media-rules.ts';
import { checkOptions, type OptionRule, optionRuleProblems } from '../shared/options.ts';
import { tiktokNames } from './brought-names.ts';
import { nextChunk } from './chunks.ts';
import {
  assumedVideoBytes,
  leadSeconds,
  maxPhotos,
  photoCaptionUnits,
  photoLimits,
  videoCaptionUnits,
  videoLimits,
} from './limits.ts';
import { privacyLevels, TiktokOptions } from './options.ts';

const optionRules: readonly OptionRule<keyof TiktokOptions, 'video' | 'photos' | 'photoDraft'>[] = [
  [['isAigc', 'disableDuet', 'disableStitch'], { not: ['photos'] }, 'is for videos only'],
  [['videoCoverTimestampMs'], { not: ['photos'] }, 'is for videos only'],
  [['autoAddMusic', 'photoCoverIndex', 'title'], { not: ['video'] }, 'is for photos only'],
];

/** The options that a draft of photos accepts too. A person chooses everything else in the TikTok app. */
const forDrafts: readonly string[] = ['draft', 'photoCoverIndex', 'title'];

export const tiktokRules: PlatformRules = {
  options: { schema: TiktokOptions, brought: tiktokNames, needs: { draft: 'drafts' } },

  check({ content, media, cover, options: given }) {
    const { options, problems } = checkOptions(TiktokOptions, given);
    const isVideo = media.some(({ type }) => type === 'video');
    const isDraft = given['draft'] === true;
    const needsLevel = `is required: ${privacyLevels.join(', ')}`;
    const coverMessage = `TikTok's Content Posting API takes no cover file: set ${isVideo ? 'videoCoverTimestampMs' : 'photoCoverIndex'} instead`;
    return [
      ...problems,
      ...(given['privacyLevel'] == null && !isDraft
        ? [ruleProblem('platformSpecificData.privacyLevel', 'option_required', needsLevel)]
        : []),
      ...(isVideo && isDraft ? [] : contentProblems(content, isVideo)),
      ...mediaProblems(media),
      ...(cover ? [ruleProblem('coverUrl', 'cover_not_supported', coverMessage)] : []),
      ...(options ? optionProblems(options, media, isVideo) : []),
    ];
  },

  fileLimits: ({ media }) => ({ media: media.map((file) => limitsOf(file)[0]) }),

  warn({ content, media, options }) {
    const isVideoDraft = options['draft'] === true && media.some(({ type }) => type === 'video');
    const message = 'is left out: TikTok takes no text with a draft of a video';
    return [
      ...(isVideoDraft && content.trim() !== '' ? [ruleProblem('content', 'content_ignored', message)] : []),
      ...ignoredAltTexts(media, 'TikTok'),
      ...media.flatMap((file, index) =>
        file.type === 'video' ? fileWarnings(`mediaItems[${index}]`, file, videoLimits, 'a video') : [],
      ),
    ];
  },

  leadSeconds({ media }) {
    const video = media.find(({ type }) => type === 'video');
    if (video === undefined) return leadSeconds.photos;
    const bytes = video.sizeBytes ?? assumedVideoBytes;
    return leadSeconds.video + Math.ceil((bytes / 1_048_576) * leadSeconds.perMebibyte);
  },

  sendsFile({ media: [file] }) {
    return file?.type === 'video' && nextChunk(0, file.sizeBytes ?? assumedVideoBytes) !== undefined;
  },
};

function contentProblems(content: string, isVideo: boolean): RuleProblem[] {
  const max = isVideo ? videoCaptionUnits : photoCaptionUnits;
  if (content.length <= max) return [];
  const message = `TikTok allows at most ${max} characters with ${isVideo ? 'a video' : 'photos'}; the content has ${content.length}`;
  return [ruleProblem('content', 'content_too_long', message)];
}

function mediaProblems(media: readonly DescribedMedia[]): RuleProblem[] {
  const videos = media.filter(({ type }) => type === 'video').length;
  const problems = media.flatMap((file, index) =>
    fileProblems(`mediaItems[${index}]`, file, ...limitsOf(file)),
  );
  const isOneVideo = videos === 1 && media.length === 1;
  const arePhotos = videos === 0 && media.length >= 1 && media.length <= maxPhotos;
  if (isOneVideo || arePhotos) return problems;
  const message = `TikTok allows either one video or 1 to ${maxPhotos} photos`;
  return [...problems, ruleProblem('mediaItems', 'media_count', message)];
}

const limitsOf = ({ type }: DescribedMedia): [limits: FileLimits, noun: string] =>
  type === 'video' ? [videoLimits, 'a video'] : [photoLimits, 'a photo'];

function optionProblems(
  options: TiktokOptions,
  media: readonly DescribedMedia[],
  isVideo: boolean,
): RuleProblem[] {
  const { draft, brandContentToggle, privacyLevel, photoCoverIndex = 0 } = options;
  const chosenInApp = draft ? Object.keys(options).filter((option) => !forDrafts.includes(option)) : [];
  const kind = isVideo ? 'video' : draft ? 'photoDraft' : 'photos';
  const field = (option: string) => `platformSpecificData.${option}`;
  const leaveOut = 'is chosen in the TikTok app for a draft; leave it out';
  const problems = [
    ...chosenInApp.map((option) => ruleProblem(field(option), 'option_not_applicable', leaveOut)),
    ...optionRuleProblems(optionRules, options, [kind]),
  ];
  const add = (option: keyof TiktokOptions, message: string) =>
    problems.push(ruleProblem(field(option), 'option_invalid', message));
  if (brandContentToggle && privacyLevel === 'SELF_ONLY')
    add('brandContentToggle', 'a paid partnership cannot be SELF_ONLY');
  if (!isVideo && photoCoverIndex > 0 && photoCoverIndex >= media.length)
    add('photoCoverIndex', `must be less than the number of photos (${media.length})`);
  return problems;
}
