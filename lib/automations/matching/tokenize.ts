import { isWithinEdits } from '../../kernel/edit-distance.ts';
import type { MatchMode } from '../schemas.ts';

/** The letters of a word, or a single sign such as an emoji. */
export type Word = readonly string[];

const endsInWord = /[\p{L}\p{M}\p{N}_]$/u;
const beginsWithWord = /^[\p{L}\p{M}\p{N}_]/u;

/** The words and signs of a normalized text, without punctuation. */
export function tokenize(text: string): Word[] {
  const found = text.match(/[\p{L}\p{M}\p{N}_]+|[^\s\p{P}]/gu) ?? [];
  return found.map((word) => [...word]);
}

/** Whether no word continues across this index of a text. */
export function isBoundary(text: string, index: number): boolean {
  // A character has up to two code units.
  const before = text.slice(Math.max(0, index - 2), index);
  const after = text.slice(index, index + 2);
  return !(endsInWord.test(before) && beginsWithWord.test(after));
}

/** How many typing errors are tolerated in a word of a keyword: one from 4 letters on, two from 8 on. */
export function toleratedEdits({ length }: Word): number {
  if (length < 4) return 0;
  return length < 8 ? 1 : 2;
}

/**
 * Whether a comment has a keyword's words one after the other, each with no more errors than {@link toleratedEdits}: as the
 * whole comment (`exact`), at its beginning (`starts_with`), or anywhere.
 *
 * Compares each word of the keyword with each word of the comment at most once.
 */
export function hasWords(comment: readonly Word[], keyword: readonly Word[], mode: MatchMode): boolean {
  if (keyword.length === 0) return false;
  const beginsAt = (start: number): boolean =>
    keyword.every((word, index) => {
      const said = comment[start + index];
      return said !== undefined && isWithinEdits(word, said, toleratedEdits(word));
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
