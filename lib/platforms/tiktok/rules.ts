import type { DescribedMedia, PlatformRules, RuleCode, RuleProblem } from '../contract/rules.ts';
import { ignoredAltTexts } from '../shared/alt-text.ts';
import { fileProblems } from '../shared/media-rules.ts';
import { checkOptions } from '../shared/options.ts';
import { nextChunk } from './chunks.ts';
import {
  assumedVideoBytes,
  leadSeconds,
  maxPhotos,
  photoCaptionUnits,
  photoLimits,
  photoPixels,
  videoCaptionUnits,
  videoLimits,
  videoPixels,
} from './limits.ts';
import { privacyLevels, TiktokOptions } from './options.ts';

/**
 * The fields of TikTok's requests that follow from the files and the content.
 * https://developers.tiktok.com/doc/content-posting-api-reference-direct-post
 * `commercialContentType` is another client's name for the disclosure of advertisements, which the law requires.
 */
const notOffered = ['mediaType', 'source', 'commercialContentType'] as const;

/** The names that TikTok and other clients use for options and fields that have another name here. */
const otherNames = {
  description: "the post's content",
  photoImages: "the post's mediaItems",
  videoUrl: "the post's mediaItems",
  postMode: 'draft',
  allowComment: 'disableComment',
  allowDuet: 'disableDuet',
  allowStitch: 'disableStitch',
  brandPartnerPromote: 'brandContentToggle',
  isBrandOrganicPost: 'brandOrganicToggle',
  videoMadeWithAi: 'isAigc',
};

export const tiktokRules: PlatformRules = {
  options: { schema: TiktokOptions, notOffered, otherNames, needs: { draft: 'drafts' } },

  check({ content, media, cover, options: given }) {
    const { options, problems } = checkOptions(TiktokOptions, given);
    const isVideo = media.some(({ type }) => type === 'video');
    const isDraft = given['draft'] === true;
    const coverMessage = `TikTok does not support a cover file: set ${isVideo ? 'videoCoverTimestampMs' : 'photoCoverIndex'} instead`;
    return [
      ...problems,
      ...(given['privacyLevel'] == null && !isDraft ? [missingPrivacy] : []),
      ...(isVideo && isDraft ? [] : contentProblems(content, isVideo)),
      ...mediaProblems(media),
      ...(cover ? [{ field: 'coverUrl', code: 'cover_not_supported' as const, message: coverMessage }] : []),
      ...(options ? optionProblems(options, media, isVideo) : []),
    ];
  },

  warn({ content, media, options }) {
    const isVideoDraft = options['draft'] === true && media.some(({ type }) => type === 'video');
    const message = 'is left out: TikTok takes no text with a draft of a video';
    return [
      ...(isVideoDraft && content.trim() !== ''
        ? [{ field: 'content', code: 'content_ignored' as const, message }]
        : []),
      ...ignoredAltTexts(media, 'TikTok'),
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

const missingPrivacy: RuleProblem = {
  field: 'platformSpecificData.privacyLevel',
  code: 'option_required',
  message: `is required: ${privacyLevels.join(', ')}`,
};

/** The options that a draft of photos accepts too. A person chooses everything else in the TikTok app. */
const forDrafts = ['draft', 'photoCoverIndex', 'title'];

function contentProblems(content: string, isVideo: boolean): RuleProblem[] {
  const max = isVideo ? videoCaptionUnits : photoCaptionUnits;
  if (content.length <= max) return [];
  const message = `TikTok allows at most ${max} characters with ${isVideo ? 'a video' : 'photos'}; the content has ${content.length}`;
  return [{ field: 'content', code: 'content_too_long', message }];
}

function mediaProblems(media: readonly DescribedMedia[]): RuleProblem[] {
  const videos = media.filter(({ type }) => type === 'video').length;
  const problems = media.flatMap((file, index) => fileProblemsOf(`mediaItems[${index}]`, file));
  const isOneVideo = videos === 1 && media.length === 1;
  const arePhotos = videos === 0 && media.length >= 1 && media.length <= maxPhotos;
  if (isOneVideo || arePhotos) return problems;
  const message = `TikTok allows either one video or 1 to ${maxPhotos} photos`;
  return [...problems, { field: 'mediaItems', code: 'media_count', message }];
}

function fileProblemsOf(field: string, file: DescribedMedia): RuleProblem[] {
  const { widthPixels = 0, heightPixels = 0 } = file;
  const [shorter, longer] = [Math.min(widthPixels, heightPixels), Math.max(widthPixels, heightPixels)];
  const isKnown = shorter > 0;
  if (file.type === 'video') {
    const { min, max } = videoPixels;
    const message = `a video must have from ${min} to ${max} pixels on both sides`;
    return [
      ...fileProblems(field, file, videoLimits, 'a video'),
      ...(isKnown && (shorter < min || longer > max)
        ? [{ field, code: 'media_resolution' as const, message }]
        : []),
    ];
  }
  const message = `a photo must have at most ${photoPixels} pixels on its shorter side`;
  return [
    ...fileProblems(field, file, photoLimits, 'a photo'),
    ...(shorter > photoPixels ? [{ field, code: 'media_resolution' as const, message }] : []),
  ];
}

/** Refuses options that do not apply to the media: ignoring them would publish something else. */
function optionProblems(
  options: TiktokOptions,
  media: readonly DescribedMedia[],
  isVideo: boolean,
): RuleProblem[] {
  const problems: RuleProblem[] = [];
  const add = (option: keyof TiktokOptions, message: string, code: RuleCode = 'option_not_applicable') =>
    problems.push({ field: `platformSpecificData.${option}`, code, message });
  const forVideos = ['isAigc', 'disableDuet', 'disableStitch', 'videoCoverTimestampMs'] as const;
  const forPhotos = ['autoAddMusic', 'photoCoverIndex', 'title'] as const;
  const isSet = (option: keyof TiktokOptions) => options[option] !== undefined && options[option] !== false;
  const given = Object.keys(options) as (keyof TiktokOptions)[];
  for (const option of options.draft === true ? given : []) {
    if (!forDrafts.includes(option) && options[option] !== undefined)
      add(option, 'is chosen in the TikTok app for a draft; leave it out');
  }
  for (const option of isVideo ? forPhotos : options.draft === true ? [] : forVideos) {
    if (isSet(option)) add(option, `is for ${isVideo ? 'photos' : 'videos'} only`);
  }
  if (options.brandContentToggle === true && options.privacyLevel === 'SELF_ONLY') {
    add('brandContentToggle', 'a paid partnership cannot be SELF_ONLY', 'option_invalid');
  }
  const { photoCoverIndex = 0 } = options;
  if (!isVideo && photoCoverIndex > 0 && photoCoverIndex >= media.length) {
    add('photoCoverIndex', `must be less than the number of photos (${media.length})`, 'option_invalid');
  }
  return problems;
}
