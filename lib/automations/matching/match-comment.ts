import type { Automation, MatchMode } from '../schemas.ts';
import { normalizeText } from './normalize-text.ts';
import { hasWords, isBoundary, tokenize } from './tokenize.ts';

/** How an automation matches comments. */
export type Matching = Pick<Automation, 'keywords' | 'matchMode' | 'typoTolerance'>;

/**
 * Whether a comment matches one of an automation's keywords. Without keywords, every comment matches. Both are compared
 * as normalized by {@link normalizeText}. Pure, and linear in the comment's length.
 *
 * - `contains`: anywhere, also within a word; `exact`: the whole comment; `starts_with`: at its beginning;
 * - `word`: anywhere, but not within a longer word. If the keyword begins or ends with a sign (`#`, an emoji), any
 *   character may be next to the sign.
 *
 * With `typoTolerance`, a keyword also matches if its words follow one another with typing errors: one edit in a word of
 * 4 to 7 letters, two in a longer one. Punctuation between the words is ignored; see {@link hasWords}. Errors are tolerated
 * in whole words only: `think` does not match `link`.
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
  switch (mode) {
    case 'contains':
      return text.includes(keyword);
    case 'exact':
      return text === keyword;
    case 'starts_with':
      return text.startsWith(keyword);
    case 'word':
      return matchesAsWord(text, keyword);
  }
}

function matchesAsWord(text: string, keyword: string): boolean {
  for (let at = text.indexOf(keyword); at >= 0; at = text.indexOf(keyword, at + 1)) {
    if (isBoundary(text, at) && isBoundary(text, at + keyword.length)) return true;
  }
  return false;
}

/** The keywords as given, but only the first of each group that {@link normalizeText} makes equal. */
export function distinctKeywords(keywords: readonly string[]): string[] {
  const byNormalized = new Map<string, string>();
  for (const keyword of keywords) {
    const normalized = normalizeText(keyword);
    if (!byNormalized.has(normalized)) byNormalized.set(normalized, keyword);
  }
  return [...byNormalized.values()];
}
