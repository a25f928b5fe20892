import type { DescribedMedia, PlatformRules, RuleCode, RuleProblem } from '../contract/rules.ts';
import { ignoredAltTexts } from '../shared/alt-text.ts';
import { fileProblems } from '../shared/media-rules.ts';
import { checkOptions } from '../shared/options.ts';
import { characterCount } from '../shared/text.ts';
import {
  certainPhotoBytes,
  leadSeconds,
  maxPhotos,
  messageCharacters,
  photoLimits,
  reelLimits,
  storyVideoLimits,
  videoLimits,
} from './limits.ts';
import { FacebookOptions, type PostKind, postKind } from './options.ts';

/**
 * The parameters of the edges `feed`, `photos`, `videos` and `video_reels` of a Page that change the post and are not offered.
 * https://developers.facebook.com/docs/graph-api/reference/page/feed
 * https://developers.facebook.com/docs/graph-api/reference/page/videos
 */
const notOffered = [
  'actions',
  'backdatedTime',
  'backdatedTimeGranularity',
  'callToAction',
  'childAttachments',
  'collaborators',
  'contentCategory',
  'contentTags',
  'crosspostingActions',
  'customLabels',
  'description',
  'embeddable',
  'expiration',
  'feedTargeting',
  'isExplicitShare',
  'multiShareEndCard',
  'multiShareOptimized',
  'name',
  'noStory',
  'objectAttachment',
  'picture',
  'place',
  'privacy',
  'socialActions',
  'sponsorId',
  'sponsorRelationship',
  'tags',
  'targeting',
  'textFormatPresetId',
  'videoState',
];

/** The platform's names for options and fields that have another name here. */
const otherNames = {
  altTextCustom: 'altText',
  attachedMedia: "the post's mediaItems",
  caption: "the post's content",
  coverUrl: "the post's coverUrl",
  message: "the post's content",
  published: 'draft',
  scheduledPublishTime: "the post's scheduledFor",
  thumb: "the post's coverUrl",
  thumbnail: "the post's coverUrl",
  unpublishedContentType: 'draft',
};

export const facebookRules: PlatformRules = {
  options: { schema: FacebookOptions, notOffered, otherNames, needs: { firstComment: 'comments' } },

  check(content) {
    const { options, problems } = checkOptions(FacebookOptions, content.options);
    const kind = postKind(content.media, options ?? {});
    return [
      ...problems,
      ...messageProblems(content.content, kind, options),
      ...mediaProblems(content.media, kind),
      ...coverProblems(content.cover, kind),
      ...(options ? optionProblems(options, kind, content.media) : []),
    ];
  },

  warn({ media, options: given }) {
    const kind = postKind(media, checkOptions(FacebookOptions, given).options ?? {});
    return [
      ...(kind === 'photos'
        ? []
        : ignoredAltTexts(media, isStory(kind) ? 'a story on Facebook' : 'a video on Facebook')),
      ...media.flatMap(({ type, sizeBytes = 0 }, index) =>
        type === 'image' && sizeBytes > certainPhotoBytes
          ? [
              {
                field: `mediaItems[${index}]`,
                code: 'media_too_large' as const,
                message: 'Facebook may refuse photos of more than 4 MB',
              },
            ]
          : [],
      ),
    ];
  },

  leadSeconds({ media }) {
    if (media.some(({ type }) => type === 'video')) return leadSeconds.video;
    if (media.length === 0) return leadSeconds.text;
    return leadSeconds.photo + (media.length - 1) * leadSeconds.eachFurtherPhoto;
  },

  sendsFile: ({ media, options }) =>
    postKind(media, checkOptions(FacebookOptions, options).options ?? {}) === 'video',
};

const isStory = (kind: PostKind) => kind === 'photoStory' || kind === 'videoStory';
const isVideoPost = (kind: PostKind) => kind === 'video' || kind === 'reel';

/** Checks the text. A story shows none, so its text is ignored. */
function messageProblems(
  message: string,
  kind: PostKind,
  options: FacebookOptions | undefined,
): RuleProblem[] {
  if (isStory(kind)) return [];
  if (kind === 'text' && message.trim() === '' && options?.link === undefined) {
    return [
      { field: 'content', code: 'content_required', message: 'Facebook needs a text, a link or media' },
    ];
  }
  const count = characterCount(message);
  if (count <= messageCharacters) return [];
  return [
    {
      field: 'content',
      code: 'content_too_long',
      message: `Facebook allows at most ${messageCharacters} characters; the content has ${count}`,
    },
  ];
}

function mediaProblems(media: readonly DescribedMedia[], kind: PostKind): RuleProblem[] {
  const whole = (message: string): RuleProblem[] => [{ field: 'mediaItems', code: 'media_count', message }];
  if (isStory(kind) && media.length !== 1) return whole('a story needs exactly one image or video');
  const videos = media.filter(({ type }) => type === 'video').length;
  if (videos > 0 && media.length > 1)
    return whole(`Facebook allows either one video or up to ${maxPhotos} images`);
  if (media.length > maxPhotos) return whole(`Facebook allows at most ${maxPhotos} images`);
  const [limits, noun] = limitsOf(kind);
  return media.flatMap((file, index) => fileProblems(`mediaItems[${index}]`, file, limits, noun));
}

function limitsOf(kind: PostKind) {
  switch (kind) {
    case 'video':
      return [videoLimits, 'a video'] as const;
    case 'reel':
      return [reelLimits, 'a reel'] as const;
    case 'videoStory':
      return [storyVideoLimits, 'a video story'] as const;
    default:
      return [photoLimits, 'an image'] as const;
  }
}

function coverProblems(cover: DescribedMedia | undefined, kind: PostKind): RuleProblem[] {
  if (cover === undefined) return [];
  if (!isVideoPost(kind))
    return [
      { field: 'coverUrl', code: 'cover_not_supported', message: 'only a video or reel can have a cover' },
    ];
  return fileProblems('coverUrl', cover, photoLimits, 'a cover');
}

/** Refuses options that do not apply to the kind of post: ignoring them would publish something else. */
function optionProblems(
  options: FacebookOptions,
  kind: PostKind,
  media: readonly DescribedMedia[],
): RuleProblem[] {
  const problems: RuleProblem[] = [];
  const add = (option: keyof FacebookOptions, message: string, code: RuleCode = 'option_not_applicable') =>
    problems.push({ field: `platformSpecificData.${option}`, code, message });
  if ((options.contentType ?? options.type) === 'reel' && kind !== 'reel') {
    add(options.contentType ? 'contentType' : 'type', 'a reel needs exactly one video');
  }
  if (options.link !== undefined && kind !== 'text') add('link', 'is for posts without media only');
  if (options.link !== undefined && isFacebookUrl(options.link)) {
    add('link', 'must not be a URL of Facebook itself', 'option_invalid');
  }
  if (options.title !== undefined && !isVideoPost(kind)) add('title', 'is for videos and reels only');
  if (options.firstComment !== undefined && isStory(kind))
    add('firstComment', 'is not available for stories');
  if (options.draft && isStory(kind)) add('draft', 'is not available for stories');
  // Nobody can see the post yet, and the person who publishes it may change it.
  if (options.firstComment && options.draft && !isStory(kind))
    add('firstComment', 'is not available for drafts');
  if (options.altText !== undefined && kind !== 'photos') add('altText', 'is for photos only');
  if (Array.isArray(options.altText) && kind === 'photos' && options.altText.length > media.length) {
    add('altText', 'must not have more entries than the post has media items', 'option_invalid');
  }
  return problems;
}

function isFacebookUrl(link: string): boolean {
  return /(^|\.)(facebook\.com|fb\.com|fb\.me)$/.test(URL.parse(link)?.hostname ?? '');
}
