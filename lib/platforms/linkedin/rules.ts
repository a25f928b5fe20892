import type { FileLimits } from '../contract/file-limits.ts';
import {
  type DescribedMedia,
  optionField,
  type PlatformRules,
  type PublishableContent,
  type RuleProblem,
  ruleProblem,
} from '../contract/rules.ts';
import {
  altTextProblems,
  ignoredAltText,
  surplusAltTextProblems,
  withoutReplaced,
} from '../shared/alt-text.ts';
import { fileProblems, fileWarnings } from '../shared/media-rules.ts';
import { checkOptions, type OptionRule, optionRuleProblems } from '../shared/options.ts';
import { isBlank } from '../shared/text.ts';
import { linkedinNames } from './brought-names.ts';
import { isOfMemberApp } from './features.ts';
import {
  altTextCharacters,
  articleCharacters,
  assumedVideoBytes,
  commentaryUnits,
  coverLimits,
  documentLimits,
  imageLimits,
  leadSeconds,
  maxImages,
  videoLimits,
} from './limits.ts';
import { toLittleText } from './little-text.ts';
import { isOrganization } from './map.ts';
import { type AssetKind, assetKind, LinkedinOptions } from './options.ts';

/** The kind of a post's first file, and what else the post has. */
type PostKind = 'text' | AssetKind | 'several' | 'link' | 'poll';

const optionRules: readonly OptionRule<keyof LinkedinOptions, PostKind>[] = [
  [
    ['link'],
    { not: ['several', 'video', 'document'] },
    'cannot be combined with media, except for one image as its preview',
  ],
  [['documentTitle'], { only: ['document'] }, 'is for documents only'],
  [['title'], { only: ['document', 'video', 'link'] }, 'is for documents, videos and links'],
  [['description'], { only: ['link'] }, 'is for links only'],
  [['poll', 'reshare'], { only: ['text'] }, 'cannot be combined with media'],
  [['poll'], { not: ['link'] }, 'cannot be combined with a link'],
  [['reshare'], { not: ['link', 'poll'] }, 'cannot be combined with a link or a poll'],
  [['altText'], { not: ['text', 'document', 'link'] }, 'is for images and videos'],
];

export const linkedinRules: PlatformRules = {
  options: { schema: LinkedinOptions, brought: linkedinNames, needs: { firstComment: 'comments' } },

  check({ content, media, cover, options: given, account }) {
    const { options, problems } = checkOptions(LinkedinOptions, given);
    const hasMore = ['link', 'poll', 'reshare'].some((option) => given[option] != null);
    return [
      ...problems,
      ...contentProblems(content, media.length > 0 || hasMore),
      ...mediaProblems(media),
      ...altTextProblems(withoutReplaced(options?.altText, media), altTextCharacters, 'LinkedIn'),
      ...coverProblems(cover, media),
      ...(options ? optionProblems(options, media.map(assetKind)) : []),
      ...(options?.geoLocations?.length && account && !isOrganization({ account })
        ? [ruleProblem(optionField(['geoLocations']), 'option_not_applicable', 'is for organizations only')]
        : []),
    ];
  },

  fileLimits: ({ media }) => ({
    media: media.map((file) => limitsOf(file)[0]),
    ...(isOneVideo(media) && { cover: coverLimits }),
  }),

  warn({ media, options, account }) {
    const isPreview = options['link'] != null;
    const hasTitle = options['title'] != null || options['documentTitle'] != null;
    const noTitle =
      'LinkedIn does not read the title of a linked page, so the address is shown: send title, or send the link in the content instead';
    const untitled =
      isPreview && !hasTitle ? [ruleProblem(optionField(['title']), 'option_required', noTitle)] : [];
    const altTexts = media.flatMap((file, index) => {
      if (!file.altText || (!isPreview && assetKind(file) !== 'document')) return [];
      const of = isPreview ? 'the preview of a link' : 'a document';
      return [ignoredAltText(index, `LinkedIn takes none for ${of}`)];
    });
    const files = media.flatMap((file, index) =>
      assetKind(file) === 'video' ? fileWarnings(`mediaItems[${index}]`, file, videoLimits, 'a video') : [],
    );
    return [...untitled, ...commentWarnings(options, account), ...altTexts, ...files];
  },

  leadSeconds({ media, card }) {
    const [first] = media;
    if (first === undefined)
      return card?.imageUrl === undefined ? leadSeconds.text : leadSeconds.processing.image;
    const kind = assetKind(first);
    const bytes = first.sizeBytes ?? (kind === 'video' ? assumedVideoBytes : 0);
    const upload = Math.ceil((bytes / 1_048_576) * leadSeconds.perMebibyte);
    return leadSeconds.processing[kind] + upload + (media.length - 1) * leadSeconds.eachImage;
  },

  sendsFile: ({ media, card }) => media.length > 0 || card?.imageUrl !== undefined,

  takesLinkCard: ({ media, options }) =>
    media.length === 0 &&
    options['linkPreview'] !== false &&
    ['link', 'poll', 'reshare'].every((option) => options[option] == null),
};

/** Warns about the first comment of a member whose app LinkedIn does not let comment. */
function commentWarnings(
  { firstComment }: PublishableContent['options'],
  account: PublishableContent['account'],
): RuleProblem[] {
  if (typeof firstComment !== 'string' || firstComment.trim() === '') return [];
  if (account === undefined || isOrganization({ account })) return [];
  if (account.scopes !== undefined && !isOfMemberApp(account.scopes)) return [];
  const message =
    'LinkedIn usually refuses comments of members through this app, so the post may go live without it; organizations can comment';
  return [ruleProblem(optionField(['firstComment']), 'feature_missing', message)];
}

const isOneVideo = (media: readonly DescribedMedia[]): boolean =>
  media.length === 1 && media.every((file) => assetKind(file) === 'video');

function coverProblems(cover: DescribedMedia | undefined, media: readonly DescribedMedia[]): RuleProblem[] {
  if (cover === undefined) return [];
  if (!isOneVideo(media))
    return [ruleProblem('coverUrl', 'cover_not_supported', 'only a video can have a cover')];
  return fileProblems('coverUrl', cover, coverLimits, 'a cover');
}

function contentProblems(content: string, hasMore: boolean): RuleProblem[] {
  const units = toLittleText(content).length;
  if (units > commentaryUnits) {
    const escapes = units - content.length;
    const counted =
      escapes > 0 ? `${units}, including ${escapes} backslashes that escape special characters` : `${units}`;
    const message = `LinkedIn allows at most ${commentaryUnits} characters; the content has ${counted}`;
    return [ruleProblem('content', 'content_too_long', message)];
  }
  if (!isBlank(content) || hasMore) return [];
  const message = 'LinkedIn needs a text, media, a link, a poll or a reshare';
  return [ruleProblem('content', 'content_required', message)];
}

function mediaProblems(media: readonly DescribedMedia[]): RuleProblem[] {
  const problems = media.flatMap((file, index) =>
    fileProblems(`mediaItems[${index}]`, file, ...limitsOf(file)),
  );
  const kinds = new Set(media.map(assetKind));
  if (media.length > 1 && (kinds.size > 1 || !kinds.has('image'))) {
    const message = 'LinkedIn allows either images, one video or one document';
    return [...problems, ruleProblem('mediaItems', 'media_count', message)];
  }
  if (media.length <= maxImages) return problems;
  const message = `LinkedIn allows at most ${maxImages} images`;
  return [...problems, ruleProblem('mediaItems', 'media_count', message)];
}

function limitsOf(file: DescribedMedia): [limits: FileLimits, noun: string] {
  const kind = assetKind(file);
  if (kind === 'document') return [documentLimits, 'a document'];
  return kind === 'video' ? [videoLimits, 'a video'] : [imageLimits, 'an image'];
}

function optionProblems(options: LinkedinOptions, assets: readonly AssetKind[]): RuleProblem[] {
  const { link, title, documentTitle, altText, poll } = options;
  const kinds: PostKind[] = [
    assets[0] ?? 'text',
    ...(assets.length > 1 ? ['several' as const] : []),
    ...(link === undefined ? [] : ['link' as const]),
    ...(poll === undefined ? [] : ['poll' as const]),
  ];
  const problems = optionRuleProblems(optionRules, options, kinds);
  const add = (option: keyof LinkedinOptions, code: RuleProblem['code'], message: string) =>
    problems.push(ruleProblem(`platformSpecificData.${option}`, code, message));
  if (kinds.includes('document') && (documentTitle ?? title) !== (title ?? documentTitle))
    add('documentTitle', 'option_invalid', 'differs from title, which means the same: leave one of them out');
  for (const option of ['title', 'description'] as const) {
    const most = articleCharacters[option];
    if (link !== undefined && (options[option]?.length ?? 0) > most)
      add(option, 'option_invalid', `must have at most ${most} characters for a link`);
  }
  return [...problems, ...surplusAltTextProblems(altText, assets.length)];
}
