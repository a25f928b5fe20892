import { isWithinEdits } from '../../kernel/edit-distance.ts';
import { unspaced } from '../../kernel/unspaced-scripts.ts';
import type { MatchMode } from '../schemas.ts';

/** The letters of a word, each with its marks, or a single sign such as an emoji. */
export type Word = readonly string[];

const endsInWord = /[\p{L}\p{M}\p{N}_]$/u;
const beginsWithMark = /^\p{M}/u;
const beginsWithWord = /^[\p{L}\p{M}\p{N}_]/u;

const endsUnspaced = new RegExp(`${unspaced.source}\\p{M}*$`, 'u');
const beginsUnspaced = new RegExp(`^${unspaced.source}`, 'u');
const digit = /\p{N}/u;

/** Returns the words and signs of a normalized text, without punctuation. */
export function tokenize(text: string): Word[] {
  const found = text.match(/[\p{L}\p{M}\p{N}_]+|[^\s\p{P}]/gu) ?? [];
  return found.map((word) => word.match(/.\p{M}*/gsu) ?? []);
}

/**
 * Returns true if no word continues across this index of a text. In scripts without spaces, a word may begin and end between any
 * two characters.
 */
export function isBoundary(text: string, index: number): boolean {
  // A character has up to two code units.
  const before = text.slice(Math.max(0, index - 2), index);
  const after = text.slice(index, index + 2);
  if (!endsInWord.test(before) || !beginsWithWord.test(after)) return true;
  return !beginsWithMark.test(after) && (endsUnspaced.test(before) || beginsUnspaced.test(after));
}

/**
 * Returns the number of typing errors that are tolerated in a word of a keyword: one from 4 letters on, two from 8 on. None in a
 * word with a digit, because `code10` and `code20` are two coupons, and none in scripts without spaces, where a character is a
 * word.
 */
export function toleratedEdits(word: Word): number {
  if (word.length < 4) return 0;
  const letters = word.join('');
  if (digit.test(letters) || unspaced.test(letters)) return 0;
  return word.length < 8 ? 1 : 2;
}

/**
 * Returns true if a comment has a keyword's words one after the other, each with no more errors than {@link toleratedEdits}: as
 * the whole comment (`exact`), at its beginning (`starts_with`), or anywhere.
 *
 * Compares each word of the keyword with each word of the comment at most once.
 */
export function hasWords(comment: readonly Word[], keyword: readonly Word[], mode: MatchMode): boolean {
  if (keyword.length === 0) return false;
  const tolerated = keyword.map(toleratedEdits);
  const beginsAt = (start: number): boolean =>
    keyword.every((word, index) => {
      const said = comment[start + index];
      const edits = tolerated[index] ?? 0;
      // A digit is never a typing error for a letter.
      return (
        said !== undefined && isWithinEdits(word, said, edits) && (edits === 0 || !digit.test(said.join('')))
      );
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
