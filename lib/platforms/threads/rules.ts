import type { FileLimits } from '../contract/file-limits.ts';
import { type DescribedMedia, type PlatformRules, type RuleProblem, ruleProblem } from '../contract/rules.ts';
import { altTextProblems, surplusAltTextProblems, withoutReplaced } from '../shared/alt-text.ts';
import { fileProblems, fileWarnings, structureWarnings } from '../shared/media-rules.ts';
import { checkOptions, type OptionRule, optionRuleProblems } from '../shared/options.ts';
import { isBlank, utf8Bytes } from '../shared/text.ts';
import { threadsNames } from './brought-names.ts';
import {
  altTextCharacters,
  carouselItems,
  imageLimits,
  leadSeconds,
  maxLinks,
  textLength,
  videoLimits,
} from './limits.ts';
import { type PostKind, postKind, ThreadsOptions } from './options.ts';
import { links, sentText, threadsLength } from './text.ts';

const optionRules: readonly OptionRule<keyof ThreadsOptions, PostKind>[] = [
  [['link', 'poll'], { only: ['text'] }, 'is for posts without media only'],
  [['altText', 'isSpoiler'], { not: ['text'] }, 'is for posts with media only'],
];

export const threadsRules: PlatformRules = {
  options: {
    schema: ThreadsOptions,
    brought: threadsNames,
    needs: { firstComment: 'comments' },
  },

  check({ content, media, cover, options: given }) {
    const { options, problems } = checkOptions(ThreadsOptions, given);
    return [
      ...problems,
      ...textProblems(content, media, options),
      ...mediaProblems(media),
      ...altTextProblems(withoutReplaced(options?.altText, media), altTextCharacters, 'Threads'),
      ...(cover ? [ruleProblem('coverUrl', 'cover_not_supported', 'Threads does not support a cover')] : []),
      ...(options ? optionProblems(options, content, media) : []),
    ];
  },

  fileLimits: ({ media }) => ({ media: media.map((file) => limitsOf(file)[0]) }),

  warn({ content, media, options: given }) {
    const spoilers = checkOptions(ThreadsOptions, given).options?.textSpoilers ?? [];
    return [
      ...bytesWarnings(content),
      ...spoilerWarnings(content, spoilers),
      ...structureWarnings(media, 'Threads'),
      ...media.flatMap((file, index) => fileWarnings(`mediaItems[${index}]`, file, ...limitsOf(file))),
    ];
  },

  leadSeconds({ media }) {
    if (media.length === 0) return leadSeconds.text;
    const hasVideo = media.some(({ type }) => type === 'video');
    const further = (media.length - 1) * leadSeconds.eachFurtherItem;
    return (hasVideo ? leadSeconds.video : leadSeconds.image) + further;
  },
};

function textProblems(
  text: string,
  media: readonly DescribedMedia[],
  options: ThreadsOptions | undefined,
): RuleProblem[] {
  if (isBlank(text) && media.length === 0)
    return [ruleProblem('content', 'content_required', 'Threads needs a text or media')];
  const found = links(text);
  if (options?.link !== undefined) found.add(options.link);
  const message = `Threads allows at most ${maxLinks} links; the content has ${found.size}`;
  return [
    ...lengthProblems('content', text),
    ...(found.size > maxLinks ? [ruleProblem('content', 'content_links', message)] : []),
  ];
}

function lengthProblems(field: string, text: string): RuleProblem[] {
  const length = threadsLength(text);
  if (length <= textLength) return [];
  const message = `Threads allows at most ${textLength} characters (emoji count as their UTF-8 bytes); this text has ${length}`;
  return [ruleProblem(field, field === 'content' ? 'content_too_long' : 'option_invalid', message)];
}

/**
 * Threads documents that emoji count as their UTF-8 bytes; others have seen a text of 498 characters and 504 bytes refused.
 * https://github.com/gitroomhq/postiz-app/pull/1946
 */
function bytesWarnings(content: string): RuleProblem[] {
  const bytes = utf8Bytes(sentText(content).text);
  if (bytes <= textLength || threadsLength(content) > textLength) return [];
  const message = `the text has ${bytes} bytes: Threads may refuse it, because it may count bytes and allows ${textLength}`;
  return [ruleProblem('content', 'content_too_long', message)];
}

function mediaProblems(media: readonly DescribedMedia[]): RuleProblem[] {
  if (media.length > carouselItems.max) {
    const message = `Threads needs 1 item, or ${carouselItems.min} to ${carouselItems.max} for a carousel`;
    return [ruleProblem('mediaItems', 'media_count', message)];
  }
  return media.flatMap((file, index) => fileProblems(`mediaItems[${index}]`, file, ...limitsOf(file)));
}

const limitsOf = ({ type }: DescribedMedia): [limits: FileLimits, noun: string] =>
  type === 'video' ? [videoLimits, 'a video'] : [imageLimits, 'an image'];

/**
 * Threads documents the `offset` and `length` of spoilers, but not the unit. Below U+10000 all usual units agree.
 * https://developers.facebook.com/docs/threads/create-posts/spoilers
 */
function spoilerWarnings(
  content: string,
  spoilers: readonly { readonly offset: number; readonly length: number }[],
): RuleProblem[] {
  const message = 'Threads may hide another part of the text, because of the emoji in or before it';
  return spoilers.flatMap(({ offset, length }, index) =>
    /[\uD800-\uDFFF]/.test(content.slice(0, offset + length))
      ? [ruleProblem(`platformSpecificData.textSpoilers[${index}]`, 'option_invalid', message)]
      : [],
  );
}

function optionProblems(
  options: ThreadsOptions,
  content: string,
  media: readonly DescribedMedia[],
): RuleProblem[] {
  return [
    ...spoilerProblems(content, options),
    ...optionRuleProblems(optionRules, options, [postKind(media)]),
    ...surplusAltTextProblems(options.altText, media.length),
    ...lengthProblems('platformSpecificData.firstComment', options.firstComment ?? ''),
  ];
}

/** Refuses spoilers outside the text, and those that overlap: Threads does not say how it treats them. */
function spoilerProblems(content: string, { textSpoilers = [] }: ThreadsOptions): RuleProblem[] {
  const { text, offset: first } = sentText(content);
  return textSpoilers.flatMap(({ offset, length }, index) => {
    const isInside = offset >= first && offset + length <= first + text.length;
    const overlaps = textSpoilers
      .slice(0, index)
      .some((other) => offset < other.offset + other.length && other.offset < offset + length);
    const messages = [
      ...(isInside ? [] : ['must lie inside the text, without the whitespace around it']),
      ...(overlaps ? ['must not overlap another entry'] : []),
    ];
    return messages.map((message) =>
      ruleProblem(`platformSpecificData.textSpoilers[${index}]`, 'option_invalid', message),
    );
  });
}
