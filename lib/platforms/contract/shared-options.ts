import { plainName } from '../../kernel/nearest-name.ts';
import type { Platform } from './names.ts';
import { optionField, type PlatformRules, type PublishableContent, type RuleProblem } from './rules.ts';

/**
 * The options that the service's interface names, and the platforms for which it names them. People send the same options to
 * several accounts, so none of them is refused because the destination is on another platform: it has no effect there, with a
 * warning.
 */
export const sharedOptions: Readonly<Record<string, readonly Platform[]>> = {
  boardId: ['pinterest'],
  firstComment: ['instagram'],
  isAigc: ['tiktok'],
  link: ['pinterest'],
  privacy: ['youtube'],
  privacyLevel: ['tiktok'],
  shareToFeed: ['instagram'],
  tags: ['youtube'],
  title: ['pinterest', 'youtube'],
};

const plainNames = new Set(Object.keys(sharedOptions).map(plainName));

/** True if a name is one of {@link sharedOptions}, in any spelling. */
export const isSharedName = (name: string): boolean => plainNames.has(plainName(name));

/**
 * True if the option is left out where a post does not take it: the interface names it for other platforms only. A first comment is
 * refused instead, because a post that can have none is no matter of the platform: a story, a draft, a private video.
 */
export const isOfOthers = (option: string, platform: Platform): boolean =>
  option !== 'firstComment' &&
  Object.hasOwn(sharedOptions, option) &&
  sharedOptions[option]?.includes(platform) === false;

/**
 * Returns the options of {@link sharedOptions} that the platform has too, although not for such a post: a `link` beside photos on
 * Facebook, or a `title` of a video on TikTok. They are left out. Pure.
 */
export function surplusOptions(
  platform: Platform,
  rules: PlatformRules,
  content: PublishableContent,
): RuleProblem[] {
  const fields = new Set(
    Object.keys(content.options)
      .filter((name) => isOfOthers(name, platform))
      .map((name) => optionField([name])),
  );
  if (fields.size === 0) return [];
  return rules
    .check(content)
    .filter(({ field, code }) => code === 'option_not_applicable' && fields.has(field));
}

/** Returns the content without these options. */
export function withoutOptions(
  content: PublishableContent,
  surplus: readonly RuleProblem[],
): PublishableContent {
  if (surplus.length === 0) return content;
  const fields = new Set(surplus.map(({ field }) => field));
  const kept = Object.entries(content.options).filter(([name]) => !fields.has(optionField([name])));
  return { ...content, options: Object.fromEntries(kept) };
}
