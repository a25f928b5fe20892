/** A part of a text. */
export interface Piece {
  readonly text: string;
  readonly isMatch: boolean;
}

/** A text as comparisons see it, with the place of each of its units in the original. */
interface Folded {
  readonly text: string;
  readonly places: readonly number[];
}

const marks = /\p{M}/gu;

function fold(text: string): Folded {
  let folded = '';
  const places: number[] = [];
  let place = 0;
  for (const character of text) {
    const plain = character.normalize('NFKD').replace(marks, '').toLowerCase();
    folded += plain;
    for (let unit = 0; unit < plain.length; unit++) places.push(place);
    place += character.length;
  }
  places.push(place);
  return { text: folded, places };
}

const wordPart = /[\p{L}\p{N}]/u;
const unspaced = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}]/u;

/** Returns the words of a search, folded. */
const wordsOf = (search: string): string[] => fold(search).text.match(/[\p{L}\p{N}]+/gu) ?? [];

interface Span {
  readonly from: number;
  readonly to: number;
}

/** Returns the places where words of a search begin a word of the text, or are anywhere in a text without spaces. */
function spansOf(text: string, search: string): Span[] {
  const folded = fold(text);
  const spans = wordsOf(search).flatMap((word) => {
    const found: Span[] = [];
    for (let at = folded.text.indexOf(word); at !== -1; at = folded.text.indexOf(word, at + 1)) {
      const before = folded.text[at - 1] ?? ' ';
      const begins = !wordPart.test(before) || unspaced.test(word);
      if (begins)
        found.push({ from: folded.places[at] ?? 0, to: folded.places[at + word.length] ?? text.length });
    }
    return found;
  });
  return spans.toSorted((one, other) => one.from - other.from || other.to - one.to);
}

/**
 * Returns the part of a text where a search matches, with the matches marked; `undefined` if it matches nowhere in it. The search of the
 * service decides: this only shows where. Pure.
 *
 * @param mostCharacters about the length of the part
 */
export function piecesAround(text: string, search: string, mostCharacters = 140): Piece[] | undefined {
  const line = text.replace(/\s+/g, ' ').trim();
  const [first, ...others] = spansOf(line, search);
  if (first === undefined) return undefined;
  const lead = Math.floor(mostCharacters / 4);
  const begin =
    first.from <= mostCharacters / 2 ? 0 : line.indexOf(' ', first.from - lead) + 1 || first.from - lead;
  const end = Math.max(first.to, begin + mostCharacters);
  const pieces: Piece[] = [];
  let at = Math.min(begin, first.from);
  if (at > 0) pieces.push({ text: '…', isMatch: false });
  for (const { from, to } of [first, ...others]) {
    if (from < at || from >= end) continue;
    if (from > at) pieces.push({ text: line.slice(at, from), isMatch: false });
    pieces.push({ text: line.slice(from, to), isMatch: true });
    at = to;
  }
  const rest = [...line.slice(at, Math.max(at, end))].join('');
  if (rest !== '') pieces.push({ text: rest, isMatch: false });
  if (Math.max(at, end) < line.length) pieces.push({ text: '…', isMatch: false });
  return pieces;
}
