/**
 * True if at most `maxEdits` edits turn a word into another. An edit inserts, deletes or replaces a letter, or swaps two
 * neighbours. No part is edited twice (optimal string alignment distance).
 *
 * At the first difference, each kind of edit is tried, and the rest is compared with one edit less. For one edit this takes five
 * comparisons at most, for two it takes 21, none longer than the shorter word.
 *
 * @param word the letters of the word
 */
export function isWithinEdits(word: readonly string[], other: readonly string[], maxEdits: number): boolean {
  return isWithin(word, 0, other, 0, maxEdits);
}

/** Does the same for the letters from `start` on in the word, and from `otherStart` on in the other. */
function isWithin(
  word: readonly string[],
  start: number,
  other: readonly string[],
  otherStart: number,
  maxEdits: number,
): boolean {
  if (Math.abs(word.length - start - (other.length - otherStart)) > maxEdits) return false;
  let i = start;
  let j = otherStart;
  while (i < word.length && j < other.length && word[i] === other[j]) {
    i += 1;
    j += 1;
  }
  // Only the rest of the longer word is left to insert.
  if (i === word.length || j === other.length) return true;
  if (maxEdits === 0) return false;
  const isSwapped = word[i] === other[j + 1] && word[i + 1] === other[j];
  return (
    isWithin(word, i + 1, other, j + 1, maxEdits - 1) ||
    isWithin(word, i + 1, other, j, maxEdits - 1) ||
    isWithin(word, i, other, j + 1, maxEdits - 1) ||
    (isSwapped && isWithin(word, i + 2, other, j + 2, maxEdits - 1))
  );
}
