import type { FileLimits } from '../contract/file-limits.ts';
import { type DescribedMedia, type PlatformRules, type RuleProblem, ruleProblem } from '../contract/rules.ts';
import { altTextProblems, ignoredAltTexts, surplusAltTextProblems } from '../shared/alt-text.ts';
import { fileProblems, fileWarnings, structureWarnings } from '../shared/media-rules.ts';
import { checkOptions, type OptionRule, optionRuleProblems } from '../shared/options.ts';
import { characterCount, hashtags, mentions } from '../shared/text.ts';
import { instagramNames } from './brought-names.ts';
import {
  altTextCharacters,
  captionLimits,
  carouselItems,
  certainCaption,
  imageLimits,
  leadSeconds,
  plainImageLimits,
  reelLimits,
  storyVideoLimits,
} from './limits.ts';
import { InstagramOptions, type PostKind, postKind } from './options.ts';

const optionRules: readonly OptionRule<keyof InstagramOptions, PostKind>[] = [
  // Many clients send `shareToFeed: true` for every post; it has no effect except on reels.
  [['shareToFeed'], { only: ['reel'], harmless: true }, 'is for reels only'],
  [['thumbOffset', 'audioName', 'trialReel'], { only: ['reel'] }, 'is for reels only'],
  [
    ['firstComment', 'collaborators', 'altText', 'locationId'],
    { not: ['story'] },
    'is not available for stories',
  ],
  [['commentsEnabled'], { not: ['story'], harmless: true }, 'is not available for stories'],
  [['altText'], { not: ['reel'] }, 'is for images only'],
];

export const instagramRules: PlatformRules = {
  options: {
    schema: InstagramOptions,
    brought: instagramNames,
    needs: { firstComment: 'comments', commentsEnabled: 'comments' },
    usual: { commentsEnabled: true },
  },

  check(content) {
    const { options, problems } = checkOptions(InstagramOptions, content.options);
    const kind = postKind(content.media, options ?? {});
    return [
      ...problems,
      ...captionProblems(content.content, kind),
      ...mediaProblems(content.media, kind),
      ...altTextProblems(
        content.media.map((file) => (takesAltText(file, kind) ? file : {})),
        altTextCharacters,
        'Instagram',
      ),
      ...coverProblems(content.cover, kind),
      ...(options ? optionProblems(options, kind, content.media) : []),
    ];
  },

  fileLimits({ media, options }) {
    const kind = postKind(media, checkOptions(InstagramOptions, options).options ?? {});
    const ofFiles = media.map((file) => limitsOf(file, kind)[0]);
    return { media: ofFiles, ...(kind === 'reel' && { cover: plainImageLimits }) };
  },

  warn({ content, media, options: given, account }) {
    const kind = postKind(media, checkOptions(InstagramOptions, given).options ?? {});
    const undescribed = media.map((file) => (takesAltText(file, kind) ? {} : file));
    return [
      ...storyWarnings(kind, account?.meta?.['accountType']),
      ...captionWarnings(content, kind),
      ...ignoredAltTexts(undescribed, kind === 'story' ? 'a story on Instagram' : 'a video on Instagram'),
      ...structureWarnings(media, 'Instagram'),
      ...media.flatMap((file, index) => [
        ...fileWarnings(`mediaItems[${index}]`, file, ...limitsOf(file, kind)),
        ...multiPictureWarnings(`mediaItems[${index}]`, file),
      ]),
    ];
  },

  leadSeconds({ media }) {
    const hasVideo = media.some(({ type }) => type === 'video');
    const further = Math.max(0, media.length - 1);
    return (hasVideo ? leadSeconds.video : leadSeconds.image) + further * leadSeconds.eachFurtherItem;
  },
};

/** Returns true if Instagram accepts alt text for the file. "Reels and stories are not supported" ("Content Publishing"). */
const takesAltText = ({ type }: DescribedMedia, kind: PostKind) => type === 'image' && kind !== 'story';

/** Checks the caption. A story shows none, so its caption is ignored. */
function captionProblems(caption: string, kind: PostKind): RuleProblem[] {
  if (kind === 'story') return [];
  const counts = [
    [characterCount(caption), captionLimits.characters, 'content_too_long', 'characters'],
    [hashtags(caption).length, captionLimits.hashtags, 'content_hashtags', 'hashtags'],
    [mentions(caption).length, captionLimits.mentions, 'content_mentions', 'mentions'],
  ] as const;
  return counts
    .filter(([count, max]) => count > max)
    .map(([count, max, code, noun]) =>
      ruleProblem('content', code, `Instagram allows at most ${max} ${noun}; the content has ${count}`),
    );
}

/**
 * Warns about a story of a creator account: Meta documents stories for business accounts only.
 * https://developers.facebook.com/docs/instagram-platform/content-publishing
 */
function storyWarnings(kind: PostKind, accountType: unknown): RuleProblem[] {
  if (kind !== 'story' || !/creator/i.test(String(accountType))) return [];
  const message =
    'Instagram may refuse stories of this account: it documents them for business accounts, and this was a creator account when it was connected';
  return [ruleProblem('platformSpecificData.contentType', 'option_not_applicable', message)];
}

/** Warns about a caption that Instagram may cut or refuse, but that its reference allows. */
function captionWarnings(caption: string, kind: PostKind): RuleProblem[] {
  if (kind === 'story') return [];
  const counts = [
    [hashtags(caption).length, 'hashtags', 'content_hashtags'],
    [mentions(caption).length, 'mentions', 'content_mentions'],
  ] as const;
  return counts
    .filter(([count, noun]) => count > certainCaption[noun] && count <= captionLimits[noun])
    .map(([count, noun, code]) => {
      const message = `Instagram may refuse or drop a caption with more than ${certainCaption[noun]} ${noun}; the content has ${count}`;
      return ruleProblem('content', code, message);
    });
}

function mediaProblems(media: readonly DescribedMedia[], kind: PostKind): RuleProblem[] {
  if (media.length === 0)
    return [ruleProblem('mediaItems', 'media_required', 'Instagram needs at least one image or video')];
  if (kind === 'story' && media.length > 1)
    return [ruleProblem('mediaItems', 'media_count', 'a story needs exactly one image or video')];
  if (media.length > carouselItems.max) {
    const message = `Instagram needs 1 item, or ${carouselItems.min} to ${carouselItems.max} for a carousel`;
    return [ruleProblem('mediaItems', 'media_count', message)];
  }
  return media.flatMap((file, index) => fileProblems(`mediaItems[${index}]`, file, ...limitsOf(file, kind)));
}

function limitsOf({ type }: DescribedMedia, kind: PostKind): [limits: FileLimits, noun: string] {
  if (type === 'video')
    return kind === 'story' ? [storyVideoLimits, 'a video story'] : [reelLimits, 'a video'];
  return [kind === 'story' ? plainImageLimits : imageLimits, 'an image'];
}

function multiPictureWarnings(field: string, { isMultiPicture }: DescribedMedia): RuleProblem[] {
  if (!isMultiPicture) return [];
  const message =
    'the JPEG contains several pictures (MPO), which Instagram does not support. If Instagram refuses it, save it again without the others';
  return [ruleProblem(field, 'media_type', message)];
}

function coverProblems(cover: DescribedMedia | undefined, kind: PostKind): RuleProblem[] {
  if (cover === undefined) return [];
  if (kind !== 'reel')
    return [ruleProblem('coverUrl', 'cover_not_supported', 'only a reel (a single video) can have a cover')];
  return fileProblems('coverUrl', cover, plainImageLimits, 'a cover');
}

function optionProblems(
  options: InstagramOptions,
  kind: PostKind,
  media: readonly DescribedMedia[],
): RuleProblem[] {
  const { contentType, type, altText, firstComment, commentsEnabled } = options;
  const reelField = `platformSpecificData.${contentType ? 'contentType' : 'type'}`;
  return [
    ...((contentType ?? type) === 'reel' && kind !== 'reel'
      ? [ruleProblem(reelField, 'option_not_applicable', 'a reel needs exactly one video')]
      : []),
    ...optionRuleProblems(optionRules, options, [kind]),
    ...(firstComment && commentsEnabled === false
      ? [
          ruleProblem(
            'platformSpecificData.firstComment',
            'option_not_applicable',
            'cannot be combined with commentsEnabled: false, which hides all comments',
          ),
        ]
      : []),
    ...surplusAltTextProblems(altText, media.length),
    ...tagProblems(options, kind, media),
  ];
}

/**
 * Checks the tags. "Required for user tagging in images, videos, and stories. Videos in carousels are not supported."
 * `x` and `y` are required for images and optional for stories.
 * https://developers.facebook.com/docs/instagram-platform/instagram-graph-api/reference/ig-user/media
 */
function tagProblems(
  { userTags = [] }: InstagramOptions,
  kind: PostKind,
  media: readonly DescribedMedia[],
): RuleProblem[] {
  return userTags.flatMap(({ x, y, mediaIndex = 0 }, index): RuleProblem[] => {
    const field = `platformSpecificData.userTags[${index}]`;
    const file = media[mediaIndex];
    // Without media, the missing file is already reported.
    if (media.length > 0 && file === undefined) {
      return [ruleProblem(`${field}.mediaIndex`, 'option_invalid', `must be at most ${media.length - 1}`)];
    }
    if (kind === 'carousel' && file?.type === 'video') {
      return [ruleProblem(field, 'option_not_applicable', 'must not be of a video in a carousel')];
    }
    const needsPlace = file?.type === 'image' && kind !== 'story';
    return needsPlace && (x === undefined || y === undefined)
      ? [ruleProblem(field, 'option_required', 'must have x and y for an image')]
      : [];
  });
}
