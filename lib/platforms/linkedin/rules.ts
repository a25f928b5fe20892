import type { DescribedMedia, PlatformRules, RuleCode, RuleProblem } from '../contract/rules.ts';
import { altTextProblems, withoutReplaced } from '../shared/alt-text.ts';
import { fileProblems } from '../shared/media-rules.ts';
import { checkOptions } from '../shared/options.ts';
import {
  altTextCharacters,
  articleCharacters,
  assumedVideoBytes,
  commentaryUnits,
  documentLimits,
  imageLimits,
  leadSeconds,
  maxImages,
  minVideoBytes,
  pixelsBelow,
  videoLimits,
} from './limits.ts';
import { toLittleText } from './little-text.ts';
import { type AssetKind, assetKind, LinkedinOptions } from './options.ts';

/**
 * Further fields of the Posts API, and its other kinds of content: advertisements, audiences, groups, celebrations, events.
 * https://learn.microsoft.com/linkedin/marketing/community-management/shares/posts-api
 * Other clients use `organizationUrn` and `geoRestriction` for such fields: without them, the post would have another
 * author or audience.
 */
const notOffered = [
  'author',
  'organizationUrn',
  'adContext',
  'carousel',
  'celebration',
  'container',
  'content',
  'contentCallToActionLabel',
  'contentLandingPage',
  'distribution',
  'event',
  'feedDistribution',
  'geoRestriction',
  'lifecycleState',
  'targetEntities',
  'thirdPartyDistributionChannels',
] as const;

/** The platform's names for options and fields that have another name here. */
const otherNames = {
  reshareContext: 'reshare',
  reshareUrl: 'reshare',
};

export const linkedinRules: PlatformRules = {
  options: { schema: LinkedinOptions, notOffered, otherNames, needs: { firstComment: 'comments' } },

  check({ content, media, cover, options: given }) {
    const { options, problems } = checkOptions(LinkedinOptions, given);
    const hasMore = ['link', 'poll', 'reshare'].some((option) => given[option] != null);
    return [
      ...problems,
      ...contentProblems(content, media.length > 0 || hasMore),
      ...mediaProblems(media),
      ...altTextProblems(withoutReplaced(options?.altText, media), altTextCharacters, 'LinkedIn'),
      ...(cover
        ? [
            {
              field: 'coverUrl',
              code: 'cover_not_supported' as const,
              message: 'LinkedIn does not support a cover',
            },
          ]
        : []),
      ...(options ? optionProblems(options, media.map(assetKind)) : []),
    ];
  },

  warn({ media, options }) {
    const isPreview = options['link'] != null;
    return media.flatMap((file, index) => {
      if (!file.altText || (!isPreview && assetKind(file) !== 'document')) return [];
      const of = isPreview ? 'the preview of a link' : 'a document';
      return [
        {
          field: `mediaItems[${index}].altText`,
          code: 'alt_text_ignored',
          message: `is left out: LinkedIn takes none for ${of}`,
        },
      ];
    });
  },

  leadSeconds({ media }) {
    const [first] = media;
    if (first === undefined) return leadSeconds.text;
    const kind = assetKind(first);
    const bytes = first.sizeBytes ?? (kind === 'video' ? assumedVideoBytes : 0);
    const upload = Math.ceil((bytes / 1_048_576) * leadSeconds.perMebibyte);
    return leadSeconds.processing[kind] + upload + (media.length - 1) * leadSeconds.eachImage;
  },

  sendsFile: ({ media }) => media.length > 0,
};

function contentProblems(content: string, hasMore: boolean): RuleProblem[] {
  const units = toLittleText(content).length;
  if (units > commentaryUnits) {
    const escapes = units - content.length;
    const counted =
      escapes > 0 ? `${units}, including ${escapes} backslashes that escape special characters` : `${units}`;
    return [
      {
        field: 'content',
        code: 'content_too_long',
        message: `LinkedIn allows at most ${commentaryUnits} characters; the content has ${counted}`,
      },
    ];
  }
  if (content.trim() === '' && !hasMore) {
    return [
      {
        field: 'content',
        code: 'content_required',
        message: 'LinkedIn needs a text, media, a link, a poll or a reshare',
      },
    ];
  }
  return [];
}

function mediaProblems(media: readonly DescribedMedia[]): RuleProblem[] {
  const problems = media.flatMap((file, index) => fileProblemsOf(`mediaItems[${index}]`, file));
  const kinds = new Set(media.map(assetKind));
  if (media.length > 1 && (kinds.size > 1 || !kinds.has('image'))) {
    const message = 'LinkedIn allows either images, one video or one document';
    return [...problems, { field: 'mediaItems', code: 'media_count', message }];
  }
  if (media.length > maxImages) {
    return [
      ...problems,
      { field: 'mediaItems', code: 'media_count', message: `LinkedIn allows at most ${maxImages} images` },
    ];
  }
  return problems;
}

function fileProblemsOf(field: string, file: DescribedMedia): RuleProblem[] {
  const { widthPixels = 0, heightPixels = 0, sizeBytes } = file;
  switch (assetKind(file)) {
    case 'document':
      return fileProblems(field, file, documentLimits, 'a document');
    case 'video': {
      const isTooSmall = sizeBytes !== undefined && sizeBytes < minVideoBytes;
      const message = `a video must have at least ${minVideoBytes / 1_024} KiB`;
      return [
        ...fileProblems(field, file, videoLimits, 'a video'),
        ...(isTooSmall ? [{ field, code: 'media_too_small' as const, message }] : []),
      ];
    }
    case 'image': {
      const isTooLarge = widthPixels * heightPixels >= pixelsBelow;
      const message = `an image must have fewer than ${pixelsBelow} pixels`;
      return [
        ...fileProblems(field, file, imageLimits, 'an image'),
        ...(isTooLarge ? [{ field, code: 'media_resolution' as const, message }] : []),
      ];
    }
  }
}

/** Refuses options that do not apply to the post: ignoring them would publish something else. */
function optionProblems(options: LinkedinOptions, kinds: readonly AssetKind[]): RuleProblem[] {
  const { link, title, documentTitle, description, altText, poll, reshare } = options;
  const problems: RuleProblem[] = [];
  const add = (option: keyof LinkedinOptions, message: string, code: RuleCode = 'option_not_applicable') =>
    problems.push({ field: `platformSpecificData.${option}`, code, message });
  const [first] = kinds;
  const isPreview = kinds.length === 0 || (kinds.length === 1 && first === 'image');

  if (link !== undefined && !isPreview)
    add('link', 'cannot be combined with media, except for one image as its preview');
  if (title === undefined && link !== undefined) add('title', 'is required with a link', 'option_required');
  if (documentTitle !== undefined && first !== 'document') add('documentTitle', 'is for documents only');
  else if (documentTitle !== undefined && title !== undefined && documentTitle !== title)
    add('documentTitle', 'differs from title, which means the same: leave one of them out', 'option_invalid');
  if (title !== undefined && link === undefined && (first === undefined || first === 'image')) {
    add('title', 'is for documents, videos and links');
  }
  if (description !== undefined && link === undefined) add('description', 'is for links only');
  for (const option of ['title', 'description'] as const) {
    const most = articleCharacters[option];
    if (link !== undefined && (options[option]?.length ?? 0) > most)
      add(option, `must have at most ${most} characters for a link`, 'option_invalid');
  }
  if (poll !== undefined && kinds.length > 0) add('poll', 'cannot be combined with media');
  if (poll !== undefined && link !== undefined) add('poll', 'cannot be combined with a link');
  if (reshare !== undefined && kinds.length > 0) add('reshare', 'cannot be combined with media');
  if (reshare !== undefined && (link !== undefined || poll !== undefined))
    add('reshare', 'cannot be combined with a link or a poll');
  if (altText !== undefined && (first === undefined || first === 'document' || link !== undefined)) {
    add('altText', 'is for images and videos');
  }
  if (Array.isArray(altText) && altText.length > kinds.length)
    add('altText', 'must not have more entries than the post has media items', 'option_invalid');
  return problems;
}
