import { normalizeText } from '../../kernel/normalize-text.ts';
import type { Automation, MatchMode } from '../schemas.ts';
import { hasWords, isBoundary, tokenize } from './tokenize.ts';

/** The fields of an automation that determine the comments it matches. */
export type Matching = Pick<Automation, 'keywords' | 'matchMode' | 'typoTolerance'>;

/**
 * Returns true if a comment matches one of an automation's keywords. Without keywords, every comment matches. Both are compared
 * as normalized by {@link normalizeText}. Pure, and linear in the comment's length.
 *
 * - `contains`: anywhere, also within a word; `exact`: the whole comment; `starts_with`: at its beginning;
 * - `word`: anywhere, but not within a longer word. If the keyword begins or ends with a sign (`#`, an emoji), any character may
 *   be next to the sign. In scripts without spaces (Chinese, Japanese, Thai, …) and in Korean, whose particles follow a word
 *   without one, any character may be next to the keyword.
 *
 * A keyword never begins or ends within a flag, which is two characters.
 *
 * With `typoTolerance`, a keyword also matches if its words follow one another with typing errors: one edit in a word of 4 to 7
 * letters, two in a longer one, none in a word with a digit. Punctuation between the words is ignored; see {@link hasWords}.
 * Errors are tolerated in whole words only: `think` does not match `link`.
 */
export function matchesComment(matching: Matching, comment: string): boolean {
  return matching.keywords.length === 0 || matchingKeyword(matching, comment) !== undefined;
}

/** Returns the first keyword that a comment matches, as {@link matchesComment}; `undefined` if there is none. */
export function matchingKeyword(
  { keywords, matchMode, typoTolerance }: Matching,
  comment: string,
): string | undefined {
  const text = normalizeText(comment);
  const words = typoTolerance ? tokenize(text) : [];
  return keywords.find((keyword) => {
    const sought = normalizeText(keyword);
    if (sought === '') return false;
    return (
      matches(text, sought, matchMode) || (typoTolerance && hasWords(words, tokenize(sought), matchMode))
    );
  });
}

function matches(text: string, keyword: string, mode: MatchMode): boolean {
  return mode === 'exact' ? text === keyword : placeOf(text, keyword, mode) !== undefined;
}

/**
 * Returns the first index at which a normalized text has a normalized keyword, letter by letter.
 *
 * @returns `undefined` if there is none
 */
export function placeOf(
  text: string,
  keyword: string,
  mode: Exclude<MatchMode, 'exact'>,
): number | undefined {
  const seams = seamsOfFlags(text, keyword);
  for (let at = text.indexOf(keyword); at >= 0; at = text.indexOf(keyword, at + 1)) {
    const end = at + keyword.length;
    const isWhole = mode !== 'word' || (isBoundary(text, at) && isBoundary(text, end));
    if (mode === 'starts_with' && at > 0) return undefined;
    if (isWhole && !seams.has(at) && !seams.has(end)) return at;
  }
  return undefined;
}

/** Returns the indices between the two characters of each flag; none if the keyword has no such characters. */
function seamsOfFlags(text: string, keyword: string): ReadonlySet<number> {
  if (!/\p{Regional_Indicator}/u.test(keyword)) return new Set();
  const flags = text.matchAll(/\p{Regional_Indicator}{2}/gu);
  return new Set(Array.from(flags, ({ index }) => index + 2));
}

/** Returns the keywords as given, but only the first of each group that {@link normalizeText} makes equal. */
export function distinctKeywords(keywords: readonly string[]): string[] {
  const byNormalized = new Map<string, string>();
  for (const keyword of keywords) {
    const normalized = normalizeText(keyword);
    if (!byNormalized.has(normalized)) byNormalized.set(normalized, keyword);
  }
  return [...byNormalized.values()];
}
