/**
 * Whether a word becomes another by at most so many edits: putting in a letter, leaving one out, putting another in its
 * place, or exchanging two neighbours, no part being edited twice (optimal string alignment distance).
 *
 * Where the words begin to differ each kind of edit is tried, and the rest compared with one edit less: for one edit that
 * is five comparisons at most, for two it is 21, none longer than the shorter word.
 *
 * @param word by its letters
 */
export function isWithinEdits(word: readonly string[], other: readonly string[], most: number): boolean {
  return isWithin(word, 0, other, 0, most);
}

/** The same of what follows the first `start` letters of the word and the first `otherStart` of the other. */
function isWithin(
  word: readonly string[],
  start: number,
  other: readonly string[],
  otherStart: number,
  most: number,
): boolean {
  if (Math.abs(word.length - start - (other.length - otherStart)) > most) return false;
  let i = start;
  let j = otherStart;
  while (i < word.length && j < other.length && word[i] === other[j]) {
    i += 1;
    j += 1;
  }
  // What is left of the longer one is to be put in.
  if (i === word.length || j === other.length) return true;
  if (most === 0) return false;
  const isExchanged = word[i] === other[j + 1] && word[i + 1] === other[j];
  return (
    isWithin(word, i + 1, other, j + 1, most - 1) ||
    isWithin(word, i + 1, other, j, most - 1) ||
    isWithin(word, i, other, j + 1, most - 1) ||
    (isExchanged && isWithin(word, i + 2, other, j + 2, most - 1))
  );
}
