import type { FileLimits } from '../contract/file-limits.ts';
import {
  type DescribedMedia,
  optionField,
  type PlatformRules,
  type RuleProblem,
  ruleProblem,
  type ThreadContent,
} from '../contract/rules.ts';
import { altTextProblems, surplusAltTextProblems, withoutReplaced } from '../shared/alt-text.ts';
import { fileProblems, fileWarnings, structureWarnings } from '../shared/media-rules.ts';
import { checkOptions, type OptionRule, optionRuleProblems } from '../shared/options.ts';
import { isBlank, utf8Bytes, visibleText } from '../shared/text.ts';
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
  [
    ['link', 'poll', 'gifId', 'textAttachment', 'isGhostPost'],
    { only: ['text'] },
    'is for posts without media only',
  ],
  [['altText', 'isSpoiler'], { not: ['text'] }, 'is for posts with media only'],
];

export const threadsRules: PlatformRules = {
  options: {
    schema: ThreadsOptions,
    brought: threadsNames,
    // Each further part of a thread is a reply, too.
    needs: { firstComment: 'comments', thread: 'comments' },
  },

  check({ content, media, cover, options: given, thread = [] }) {
    const { options, problems } = checkOptions(ThreadsOptions, given);
    return [
      ...problems,
      ...textProblems({ content, media, link: options?.link ?? options?.textAttachment?.link }),
      ...mediaProblems(media),
      ...altTextProblems(withoutReplaced(options?.altText, media), altTextCharacters, 'Threads'),
      ...(cover ? [ruleProblem('coverUrl', 'cover_not_supported', 'Threads does not support a cover')] : []),
      ...(options ? optionProblems(options, content, media) : []),
      ...(options ? besideThread(options, thread) : []),
      ...thread.flatMap((part, index) => inPart(index, partProblems(part))),
    ];
  },

  fileLimits: ({ media, thread = [] }) => ({
    media: media.map((file) => limitsOf(file)[0]),
    thread: thread.map((part) => part.media.map((file) => limitsOf(file)[0])),
  }),

  warn({ content, media, options: given, thread = [] }) {
    const spoilers = checkOptions(ThreadsOptions, given).options?.textSpoilers ?? [];
    return [
      ...bytesWarnings(content),
      ...spoilerWarnings(content, spoilers),
      ...mediaWarnings(media),
      ...thread.flatMap((part, index) =>
        inPart(index, [...bytesWarnings(part.content), ...mediaWarnings(part.media)]),
      ),
    ];
  },

  leadSeconds({ media }) {
    if (media.length === 0) return leadSeconds.text;
    const hasVideo = media.some(({ type }) => type === 'video');
    const further = (media.length - 1) * leadSeconds.eachFurtherItem;
    return (hasVideo ? leadSeconds.video : leadSeconds.image) + further;
  },
};

interface CheckedText extends ThreadContent {
  /** The attached link. */
  readonly link?: string | undefined;
}

function textProblems({ content, media, link }: CheckedText): RuleProblem[] {
  if (isBlank(content) && media.length === 0)
    return [ruleProblem('content', 'content_required', 'Threads needs a text or media')];
  const found = links(content);
  if (link !== undefined) found.add(link);
  const message = `Threads allows at most ${maxLinks} links; the content has ${found.size}`;
  return [
    ...lengthProblems('content', content),
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

/** Checks a part of a thread like a post of its own. */
const partProblems = (part: ThreadContent): RuleProblem[] => [
  ...textProblems(part),
  ...mediaProblems(part.media),
  ...altTextProblems(part.media, altTextCharacters, 'Threads'),
];

/** Returns the findings about a part of a thread with their fields in the options. */
const inPart = (index: number, findings: readonly RuleProblem[]): RuleProblem[] =>
  findings.map(({ field, ...finding }) => ({
    field: `${optionField(['thread', index])}.${field}`,
    ...finding,
  }));

/** Both the first comment and the second part would be the account's first reply. */
function besideThread({ firstComment }: ThreadsOptions, thread: readonly ThreadContent[]): RuleProblem[] {
  if (visibleText(firstComment) === undefined || thread.length === 0) return [];
  const message = 'is not for a thread: make it a part of the thread';
  return [ruleProblem(optionField(['firstComment']), 'option_not_applicable', message)];
}

const mediaWarnings = (media: readonly DescribedMedia[]): RuleProblem[] => [
  ...structureWarnings(media, 'Threads'),
  ...media.flatMap((file, index) => fileWarnings(`mediaItems[${index}]`, file, ...limitsOf(file))),
];

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
    ...attachmentProblems(options),
    ...ghostProblems(options),
    ...surplusAltTextProblems(options.altText, media.length),
    ...lengthProblems('platformSpecificData.firstComment', options.firstComment ?? ''),
  ];
}

/**
 * "Text attachments cannot be attached to a post that has a poll", and "if there is already a link attachment in the main post, a link
 * attachment cannot be added in the text attachment". For GIFs beside them, nothing is documented.
 * https://developers.facebook.com/documentation/threads/create-posts/text-attachments
 */
function attachmentProblems({ poll, gifId, textAttachment, link }: ThreadsOptions): RuleProblem[] {
  const attached = { poll, gifId, textAttachment };
  const names = Object.entries(attached).flatMap(([name, value]) => (value === undefined ? [] : name));
  const [first, ...others] = names;
  const beside = others.map((name) =>
    ruleProblem(optionField([name]), 'option_not_applicable', `cannot be beside ${first}`),
  );
  const links =
    link !== undefined && textAttachment?.link !== undefined
      ? [
          ruleProblem(
            optionField(['textAttachment', 'link']),
            'option_not_applicable',
            'cannot be beside link',
          ),
        ]
      : [];
  return [...beside, ...links];
}

/**
 * "The only feature supported with ghost posts is text spoilers." Replies to them go to the author as messages.
 * https://developers.facebook.com/documentation/threads/create-posts/ghost-posts
 */
function ghostProblems({ isGhostPost, ...options }: ThreadsOptions): RuleProblem[] {
  if (!isGhostPost) return [];
  const isTaken = (name: string, value: unknown) =>
    name === 'textSpoilers' ||
    value === undefined ||
    value === false ||
    (Array.isArray(value) && value.length === 0);
  return Object.entries(options).flatMap(([name, value]) =>
    isTaken(name, value)
      ? []
      : [ruleProblem(optionField([name]), 'option_not_applicable', 'is not for a ghost post')],
  );
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
