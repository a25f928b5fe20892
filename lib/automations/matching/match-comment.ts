import type { Automation, MatchMode } from '../schemas.ts';
import { normalizeText } from './normalize-text.ts';
import { hasWords, isBoundary, tokenize } from './tokenize.ts';

/** What an automation asks of a comment. */
export type Matching = Pick<Automation, 'keywords' | 'matchMode' | 'typoTolerance'>;

/**
 * Whether a comment says one of an automation's keywords; without keywords every comment does. Both are compared as
 * {@link normalizeText} gives them. Pure, and linear in the comment's length.
 *
 * - `contains`: anywhere, also within a word; `exact`: the whole comment; `starts_with`: at its beginning;
 * - `word`: anywhere, but not within a longer word. Where the keyword itself begins or ends with a sign (`#`, an emoji)
 *   anything may stand beside it.
 *
 * With `typoTolerance` a keyword is also said by its words one after the other, each with at most one edit if it has 4 to
 * 7 letters and two from 8 on, whatever punctuation is between them; see {@link hasWords}. Errors are forgiven in whole
 * words only: `think` does not say `link`.
 */
export function matchesComment({ keywords, matchMode, typoTolerance }: Matching, comment: string): boolean {
  if (keywords.length === 0) return true;
  const text = normalizeText(comment);
  const words = typoTolerance ? tokenize(text) : [];
  return keywords.some((keyword) => {
    const sought = normalizeText(keyword);
    if (sought === '') return false;
    return says(text, sought, matchMode) || (typoTolerance && hasWords(words, tokenize(sought), matchMode));
  });
}

function says(text: string, keyword: string, mode: MatchMode): boolean {
  switch (mode) {
    case 'contains':
      return text.includes(keyword);
    case 'exact':
      return text === keyword;
    case 'starts_with':
      return text.startsWith(keyword);
    case 'word':
      return saysAsWord(text, keyword);
  }
}

function saysAsWord(text: string, keyword: string): boolean {
  for (let at = text.indexOf(keyword); at >= 0; at = text.indexOf(keyword, at + 1)) {
    if (isBoundary(text, at) && isBoundary(text, at + keyword.length)) return true;
  }
  return false;
}

/** The keywords as they were given, the first of those that are compared alike. */
export function distinctKeywords(keywords: readonly string[]): string[] {
  const byFolded = new Map<string, string>();
  for (const keyword of keywords) {
    const folded = normalizeText(keyword);
    if (!byFolded.has(folded)) byFolded.set(folded, keyword);
  }
  return [...byFolded.values()];
}
