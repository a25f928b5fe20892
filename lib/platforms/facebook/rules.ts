import type { FileLimits } from '../contract/file-limits.ts';
import { type DescribedMedia, type PlatformRules, type RuleProblem, ruleProblem } from '../contract/rules.ts';
import { ignoredAltTexts, surplusAltTextProblems } from '../shared/alt-text.ts';
import { fileProblems, fileWarnings } from '../shared/media-rules.ts';
import { checkOptions, type OptionRule, optionRuleProblems } from '../shared/options.ts';
import { characterCount, isBlank } from '../shared/text.ts';
import { facebookNames } from './brought-names.ts';
import {
  accountLimit,
  leadSeconds,
  maxPhotos,
  messageCharacters,
  photoLimits,
  reelLimits,
  storyVideoLimits,
  videoLimits,
} from './limits.ts';
import { FacebookOptions, type PostKind, postKind } from './options.ts';

const optionRules: readonly OptionRule<keyof FacebookOptions, PostKind>[] = [
  [['link'], { only: ['text'] }, 'is for posts without media only'],
  [['title'], { only: ['video', 'reel'] }, 'is for videos and reels only'],
  [['firstComment', 'draft'], { not: ['photoStory', 'videoStory'] }, 'is not available for stories'],
  [['altText'], { only: ['photos', 'photoStory'] }, 'is for photos only'],
  [['countries'], { not: ['reel', 'photoStory', 'videoStory'] }, 'is not available for reels and stories'],
  [['collaborators'], { only: ['reel'] }, 'is for reels only'],
];

export const facebookRules: PlatformRules = {
  options: { schema: FacebookOptions, brought: facebookNames, needs: { firstComment: 'comments' } },

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

  fileLimits({ media, options }) {
    const kind = postKind(media, checkOptions(FacebookOptions, options).options ?? {});
    const [limits] = limitsOf(kind);
    const isOfKind = ({ type }: DescribedMedia) =>
      (type === 'video') === (kind !== 'photos' && kind !== 'photoStory');
    return {
      media: media.map((file) => (isOfKind(file) ? limits : undefined)),
      ...(isVideoPost(kind) && { cover: photoLimits }),
    };
  },

  warn({ media, options: given }) {
    const tooLarge = 'Facebook may refuse photos of more than 4 MB';
    const kind = postKind(media, checkOptions(FacebookOptions, given).options ?? {});
    return [
      // A story's photo is uploaded with its text, as the photos of a post are.
      ...(kind === 'photos' || kind === 'photoStory'
        ? []
        : ignoredAltTexts(media, kind === 'videoStory' ? 'a story on Facebook' : 'a video on Facebook')),
      ...media.flatMap(({ type, sizeBytes = 0 }, index) =>
        type === 'image' && sizeBytes > photoLimits.advice.bytes
          ? [ruleProblem(`mediaItems[${index}]`, 'media_too_large', tooLarge)]
          : [],
      ),
      ...(kind === 'video' && given['draft'] !== true ? uprightWarnings(media) : []),
      ...media.flatMap((file, index) => fileWarnings(`mediaItems[${index}]`, file, ...limitsOf(kind))),
    ];
  },

  leadSeconds({ media }) {
    if (media.some(({ type }) => type === 'video')) return leadSeconds.video;
    if (media.length === 0) return leadSeconds.text;
    return leadSeconds.photo + (media.length - 1) * leadSeconds.eachFurtherPhoto;
  },

  accountLimit,

  sendsFile: ({ media, options }) =>
    postKind(media, checkOptions(FacebookOptions, options).options ?? {}) === 'video',
};

const isStory = (kind: PostKind) => kind === 'photoStory' || kind === 'videoStory';
const isVideoPost = (kind: PostKind) => kind === 'video' || kind === 'reel';

/** Checks the text. A story shows none, so its text is ignored. */
function messageProblems(text: string, kind: PostKind, options: FacebookOptions | undefined): RuleProblem[] {
  if (isStory(kind)) return [];
  if (kind === 'text' && isBlank(text) && options?.link === undefined) {
    return [ruleProblem('content', 'content_required', 'Facebook needs a text, a link or media')];
  }
  const count = characterCount(text);
  if (count <= messageCharacters) return [];
  const message = `Facebook allows at most ${messageCharacters} characters; the content has ${count}`;
  return [ruleProblem('content', 'content_too_long', message)];
}

function mediaProblems(media: readonly DescribedMedia[], kind: PostKind): RuleProblem[] {
  const whole = (message: string) => [ruleProblem('mediaItems', 'media_count', message)];
  if (isStory(kind) && media.length !== 1) return whole('a story needs exactly one image or video');
  const videos = media.filter(({ type }) => type === 'video').length;
  if (videos > 0 && media.length > 1)
    return whole(`Facebook allows either one video or up to ${maxPhotos} images`);
  if (media.length > maxPhotos) return whole(`Facebook allows at most ${maxPhotos} images`);
  return media.flatMap((file, index) => fileProblems(`mediaItems[${index}]`, file, ...limitsOf(kind)));
}

/**
 * Warns about an upright video that is posted as a plain video. One report says that Facebook keeps it as a draft of a reel, which
 * nobody sees: https://github.com/gitroomhq/postiz-app/pull/1740. It stays a plain video: a reel has limits of its own, and the kind of a
 * post must not depend on what is measured of its file, because it decides which upload is begun.
 */
function uprightWarnings(media: readonly DescribedMedia[]): RuleProblem[] {
  const message =
    'Facebook may not publish an upright video as a plain video, but keep it as the draft of a reel; set contentType to reel';
  return media.flatMap(({ widthPixels = 0, heightPixels = 0 }, index) =>
    heightPixels > widthPixels && widthPixels > 0
      ? [ruleProblem(`mediaItems[${index}]`, 'media_ratio', message)]
      : [],
  );
}

function limitsOf(kind: PostKind): [limits: FileLimits, noun: string] {
  switch (kind) {
    case 'video':
      return [videoLimits, 'a video'];
    case 'reel':
      return [reelLimits, 'a reel'];
    case 'videoStory':
      return [storyVideoLimits, 'a video story'];
    default:
      return [photoLimits, 'an image'];
  }
}

function coverProblems(cover: DescribedMedia | undefined, kind: PostKind): RuleProblem[] {
  if (cover === undefined) return [];
  if (!isVideoPost(kind))
    return [ruleProblem('coverUrl', 'cover_not_supported', 'only a video or reel can have a cover')];
  return fileProblems('coverUrl', cover, photoLimits, 'a cover');
}

function optionProblems(
  options: FacebookOptions,
  kind: PostKind,
  media: readonly DescribedMedia[],
): RuleProblem[] {
  const problems = optionRuleProblems(optionRules, options, [kind]);
  const add = (option: keyof FacebookOptions, code: RuleProblem['code'], message: string) =>
    problems.push(ruleProblem(`platformSpecificData.${option}`, code, message));
  const { contentType, type, link, firstComment, draft, altText, collaborators = [] } = options;
  if ((contentType ?? type) === 'reel' && kind !== 'reel')
    add(contentType ? 'contentType' : 'type', 'option_not_applicable', 'a reel needs exactly one video');
  if (collaborators.length > 0 && draft && kind === 'reel')
    add('collaborators', 'option_not_applicable', 'is not available for drafts');
  if (link !== undefined && isFacebookUrl(link))
    add('link', 'option_invalid', 'must not be a URL of Facebook itself');
  // Nobody can see the post yet, and the person who publishes it may change it.
  if (firstComment && draft && !isStory(kind))
    add('firstComment', 'option_not_applicable', 'is not available for drafts');
  if (kind === 'photos' || kind === 'photoStory')
    problems.push(...surplusAltTextProblems(altText, media.length));
  return problems;
}

function isFacebookUrl(link: string): boolean {
  return /(^|\.)(facebook\.com|fb\.com|fb\.me)$/.test(URL.parse(link)?.hostname ?? '');
}
