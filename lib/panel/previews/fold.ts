/** How much of a text a platform shows before the reader asks for more. Our observation: platforms fold by the width of the screen. */
export interface FoldRule {
  readonly characters: number;
  readonly lines: number;
}

export interface Folded {
  /** What is shown; without white space at its end if something follows. */
  readonly shown: string;
  readonly isFolded: boolean;
}

const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' });
/** Platforms do not fold for the sake of a few characters. */
const tolerance = 1.1;

/**
 * Cuts a text where a platform folds it: after so many lines or characters, at the end of a word if one ends near, and never within an
 * emoji or a letter with its accents.
 *
 * @param lineCharacters how many characters a line of the preview has, so that long paragraphs count as several lines
 */
export function fold(text: string, { characters, lines }: FoldRule, lineCharacters = 45): Folded {
  const trimmed = text.trimEnd();
  const most = firstLines(trimmed, lines, lineCharacters);
  const isShort = most === trimmed.length && graphemeCount(trimmed, characters * tolerance);
  if (isShort) return { shown: trimmed, isFolded: false };
  const cut = atWord(trimmed.slice(0, most), characters);
  return { shown: cut.trimEnd(), isFolded: cut.length < trimmed.length };
}

/** The length of the text's first lines, in UTF-16 units. */
function firstLines(text: string, lines: number, lineCharacters: number): number {
  let left = lines;
  let end = 0;
  for (const line of text.split('\n')) {
    if (left <= 0) return Math.max(0, end - 1);
    left -= Math.max(1, Math.ceil(line.length / lineCharacters));
    end += line.length + 1;
  }
  return text.length;
}

function graphemeCount(text: string, most: number): boolean {
  if (text.length <= most) return true;
  let count = 0;
  for (const _ of graphemes.segment(text)) {
    count += 1;
    if (count > most) return false;
  }
  return true;
}

function atWord(text: string, characters: number): string {
  let kept = '';
  let count = 0;
  for (const { segment } of graphemes.segment(text)) {
    if (count === characters) {
      // A word that has just ended stays.
      if (/^\s/u.test(segment)) return kept;
      const space = kept.search(/\s\S*$/u);
      return space > kept.length * 0.7 ? kept.slice(0, space) : kept;
    }
    kept += segment;
    count += 1;
  }
  return kept;
}
