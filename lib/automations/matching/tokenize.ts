import type { MatchMode } from '../schemas.ts';
import { isWithinEdits } from './edit-distance.ts';

/** A word by its letters, or a sign such as an emoji by itself. */
export type Word = readonly string[];

const endsInWord = /[\p{L}\p{M}\p{N}_]$/u;
const beginsWithWord = /^[\p{L}\p{M}\p{N}_]/u;

/** The words of a folded text and the signs between them; punctuation is none. */
export function tokenize(text: string): Word[] {
  const found = text.match(/[\p{L}\p{M}\p{N}_]+|[^\s\p{P}]/gu) ?? [];
  return found.map((word) => [...word]);
}

/** Whether no word goes on across this place of a text. */
export function isBoundary(text: string, index: number): boolean {
  // A character takes up to two code units.
  const before = text.slice(Math.max(0, index - 2), index);
  const after = text.slice(index, index + 2);
  return !(endsInWord.test(before) && beginsWithWord.test(after));
}

/** How many typing errors a word of a keyword forgives: one from 4 letters on, two from 8 on. */
export function forgivenEdits({ length }: Word): number {
  if (length < 4) return 0;
  return length < 8 ? 1 : 2;
}

/**
 * Whether a comment has a keyword's words one after the other, each of them but for the edits that it forgives: as all
 * it says (`exact`), at its beginning (`starts_with`), or anywhere.
 *
 * Each word of the keyword is held against each of the comment at most once.
 */
export function hasWords(comment: readonly Word[], keyword: readonly Word[], mode: MatchMode): boolean {
  if (keyword.length === 0) return false;
  const beginsAt = (start: number): boolean =>
    keyword.every((word, index) => {
      const said = comment[start + index];
      return said !== undefined && isWithinEdits(word, said, forgivenEdits(word));
    });
  switch (mode) {
    case 'exact':
      return comment.length === keyword.length && beginsAt(0);
    case 'starts_with':
      return beginsAt(0);
    case 'contains':
    case 'word':
      return comment.some((_, start) => beginsAt(start));
  }
}
