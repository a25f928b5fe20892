/**
 * Whether a word becomes another by at most so many edits: putting in a letter, leaving one out, putting another in its
 * place, or exchanging two neighbours, no part being edited twice (optimal string alignment distance).
 *
 * Only words of about the same length are compared, and of their table only the `2 × most + 1` cells beside the
 * diagonal: the steps are in proportion to the shorter word.
 *
 * @param word by its letters
 */
export function isWithinEdits(word: readonly string[], other: readonly string[], most: number): boolean {
  if (Math.abs(word.length - other.length) > most) return false;
  const tooMany = most + 1;
  const rows: number[][] = [];
  /** Between the first `i` letters of the word and the first `j` of the other; `tooMany` outside the band. */
  const distance = (i: number, j: number): number => rows[i]?.[j - i + most] ?? tooMany;

  const measure = (i: number, j: number): number => {
    if (j < 0 || j > other.length) return tooMany;
    if (i === 0 || j === 0) return i + j;
    const isSame = word[i - 1] === other[j - 1];
    const isExchanged = i > 1 && j > 1 && word[i - 1] === other[j - 2] && word[i - 2] === other[j - 1];
    return Math.min(
      distance(i - 1, j - 1) + (isSame ? 0 : 1),
      distance(i - 1, j) + 1,
      distance(i, j - 1) + 1,
      isExchanged ? distance(i - 2, j - 2) + 1 : tooMany,
    );
  };

  for (let i = 0; i <= word.length; i += 1) {
    const row: number[] = [];
    rows.push(row);
    for (let j = i - most; j <= i + most; j += 1) row.push(measure(i, j));
    if (row.every((edits) => edits > most)) return false;
  }
  return distance(word.length, other.length) <= most;
}
