import type { FileLimits } from '../contract/file-limits.ts';
import { type DescribedMedia, type PlatformRules, type RuleProblem, ruleProblem } from '../contract/rules.ts';
import { altTextProblems, ignoredAltText } from '../shared/alt-text.ts';
import { fileProblems, fileWarnings } from '../shared/media-rules.ts';
import { checkOptions, type OptionRule, optionRuleProblems } from '../shared/options.ts';
import { characterCount } from '../shared/text.ts';
import { pinterestNames } from './brought-names.ts';
import {
  altTextCharacters,
  assumedVideoBytes,
  carouselItems,
  coverLimits,
  descriptionCharacters,
  imageLimits,
  leadSeconds,
  videoLimits,
} from './limits.ts';
import { altTextOfPin } from './map.ts';
import { type PinKind, PinterestOptions, pinKind } from './options.ts';

const frames = ['coverKeyFrameSeconds', 'coverImageKeyFrameTime'] as const;

const optionRules: readonly OptionRule<keyof PinterestOptions, PinKind | 'ownCover'>[] = [
  [['coverImageUrl', ...frames], { only: ['video'] }, 'is for videos only'],
  [frames, { not: ['ownCover'] }, 'cannot be combined with coverImageUrl'],
  [['carouselItems', 'carouselCoverIndex'], { only: ['carousel'] }, 'is for several images only'],
];

export const pinterestRules: PlatformRules = {
  options: { schema: PinterestOptions, brought: pinterestNames },

  check({ content, media, cover, options: given }) {
    const { options, problems } = checkOptions(PinterestOptions, given);
    const kind = pinKind(media);
    return [
      ...problems,
      ...descriptionProblems(content),
      ...mediaProblems(media),
      ...coverProblems(options?.coverImageUrl === undefined ? cover : undefined, kind),
      // A Pin has one text. The others are left out, with a warning.
      ...altTextProblems(
        media.map((file) => (options && altTextOfPin(media, options) === file.altText ? file : {})),
        altTextCharacters,
        'Pinterest',
      ),
      ...(options ? optionProblems(options, kind, media.length) : []),
    ];
  },

  fileLimits({ media, options }) {
    const { coverImageUrl } = checkOptions(PinterestOptions, options).options ?? {};
    const kind = pinKind(media);
    return {
      media: media.map((file) => limitsOf(file)[0]),
      ...(kind === 'video' && coverImageUrl === undefined && { cover: coverLimits }),
      isSameSize: kind === 'carousel',
    };
  },

  warn({ media, options: given }) {
    const { options } = checkOptions(PinterestOptions, given);
    return media.flatMap((file, index) => [
      ...(!file.altText || !options || altTextOfPin(media, options) === file.altText
        ? []
        : [ignoredAltText(index, 'a Pin has one alternative text')]),
      ...(file.type === 'video' ? fileWarnings(`mediaItems[${index}]`, file, videoLimits, 'a video') : []),
    ]);
  },

  leadSeconds({ media }) {
    const [first] = media;
    if (first?.type !== 'video') return leadSeconds.image;
    const mebibytes = (first.sizeBytes ?? assumedVideoBytes) / 1_048_576;
    return leadSeconds.videoProcessing + Math.ceil(mebibytes * leadSeconds.videoPerMebibyte);
  },

  sendsFile: ({ media: [file] }) => file?.type === 'video',
};

function descriptionProblems(content: string): RuleProblem[] {
  const characters = characterCount(content);
  if (characters <= descriptionCharacters) return [];
  const message = `Pinterest allows at most ${descriptionCharacters} characters; the content has ${characters}`;
  return [ruleProblem('content', 'content_too_long', message)];
}

function mediaProblems(media: readonly DescribedMedia[]): RuleProblem[] {
  const problem = (message: string) => ruleProblem('mediaItems', 'media_count', message);
  if (media.length === 0)
    return [ruleProblem('mediaItems', 'media_required', 'Pinterest needs an image or a video')];
  const problems = media.flatMap((file, index) =>
    fileProblems(`mediaItems[${index}]`, file, ...limitsOf(file)),
  );
  if (media.length > 1 && media.some(({ type }) => type === 'video')) {
    return [...problems, problem('Pinterest allows either images or one video')];
  }
  if (media.length > carouselItems.max) {
    const message = `Pinterest needs 1 image, or ${carouselItems.min} to ${carouselItems.max} for a carousel`;
    return [...problems, problem(message)];
  }
  return [...problems, ...sizeProblems(media)];
}

/** Checks that the images of a carousel have the same size. https://www.ayrshare.com/docs/media-guidelines/pinterest */
function sizeProblems(images: readonly DescribedMedia[]): RuleProblem[] {
  const sizes = images.map(({ widthPixels, heightPixels }) =>
    widthPixels && heightPixels ? `${widthPixels} by ${heightPixels} pixels` : undefined,
  );
  const first = sizes.find((size) => size !== undefined);
  return sizes.flatMap((size, index) => {
    if (size === undefined || size === first) return [];
    const message = `Pinterest needs images of the same size: this one has ${size}, an earlier one ${first}; set fit to pad or crop`;
    return [ruleProblem(`mediaItems[${index}]`, 'media_resolution', message)];
  });
}

const limitsOf = ({ type }: DescribedMedia): [limits: FileLimits, noun: string] =>
  type === 'video' ? [videoLimits, 'a video'] : [imageLimits, 'an image'];

function coverProblems(cover: DescribedMedia | undefined, kind: PinKind): RuleProblem[] {
  if (cover === undefined) return [];
  if (kind !== 'video')
    return [ruleProblem('coverUrl', 'cover_not_supported', 'only a video can have a cover')];
  return fileProblems('coverUrl', cover, coverLimits, 'a cover');
}

function optionProblems(options: PinterestOptions, kind: PinKind, items: number): RuleProblem[] {
  const { coverImageUrl, coverKeyFrameSeconds, coverImageKeyFrameTime } = options;
  const kinds = coverImageUrl === undefined ? [kind] : [kind, 'ownCover' as const];
  const problems = optionRuleProblems(optionRules, options, kinds);
  const add = (option: keyof PinterestOptions, message: string) =>
    problems.push(ruleProblem(`platformSpecificData.${option}`, 'option_invalid', message));
  if ((coverImageKeyFrameTime ?? coverKeyFrameSeconds) !== (coverKeyFrameSeconds ?? coverImageKeyFrameTime))
    add('coverImageKeyFrameTime', 'means the same as coverKeyFrameSeconds, and must not differ from it');
  if (kind !== 'carousel') return problems;
  if ((options.carouselItems?.length ?? 0) > items)
    add('carouselItems', 'must not have more entries than the post has images');
  if ((options.carouselCoverIndex ?? 0) >= items)
    add('carouselCoverIndex', `must be less than the number of images (${items})`);
  return problems;
}
