import { type Matching, matchingKeyword, placeOf } from '../../../../automations/matching/match-comment.ts';
import { hasWords, tokenize, type Word } from '../../../../automations/matching/tokenize.ts';
import { normalizeText } from '../../../../kernel/normalize-text.ts';

/** The place at which a comment matches. Indices of UTF-16 code units; `end` is behind the last. */
export interface Match {
  readonly keyword: string;
  readonly start: number;
  readonly end: number;
}

/**
 * Finds the part of a comment that matches, and the keyword. The worker's own matcher decides whether it does; this only looks where.
 *
 * @param from where what somebody has said begins, behind a mention of the account
 * @returns `undefined` if no keyword matches, also if there are none
 */
export function findMatch(matching: Matching, comment: string, from = 0): Match | undefined {
  const match = findSaid(matching, comment.slice(from));
  return match && { ...match, start: from + match.start, end: from + match.end };
}

function findSaid(matching: Matching, comment: string): Match | undefined {
  const keyword = matchingKeyword(matching, comment);
  if (keyword === undefined) return undefined;
  const text = normalizeText(comment);
  const [from, to] = placeIn(text, normalizeText(keyword), matching.matchMode) ??
    placeOfWords(text, keyword, matching.matchMode) ?? [0, text.length];
  return { keyword, ...inOriginal(comment, from, to) };
}

type Place = readonly [from: number, to: number];

/** Finds a normalized keyword in a normalized text, letter by letter. */
function placeIn(text: string, keyword: string, mode: Matching['matchMode']): Place | undefined {
  const { length } = keyword;
  if (mode === 'exact') return text === keyword ? [0, length] : undefined;
  const at = placeOf(text, keyword, mode);
  return at === undefined ? undefined : [at, at + length];
}

/** Finds the keyword's words with typing errors. */
function placeOfWords(text: string, keyword: string, mode: Matching['matchMode']): Place | undefined {
  const words = tokenize(text);
  const sought = tokenize(normalizeText(keyword));
  const first = words.findIndex((_, place) => hasWords(words.slice(place), sought, 'starts_with'));
  if (first < 0 || (mode !== 'contains' && mode !== 'word' && first > 0)) return undefined;
  const places = placesOf(text, words);
  const start = places[first];
  const end = places[first + sought.length - 1];
  return start && end && [start[0], end[1]];
}

/** Returns the place of each word. Only spaces and punctuation, with which no word begins, are between words. */
function placesOf(text: string, words: readonly Word[]): Place[] {
  let end = 0;
  return words.map((letters) => {
    const word = letters.join('');
    const start = text.indexOf(word, end);
    end = start + word.length;
    return [start, end];
  });
}

const characters = new Intl.Segmenter('en', { granularity: 'grapheme' });

/** The whole characters of a comment that became this part of its normalized text. */
function inOriginal(comment: string, from: number, to: number): Omit<Match, 'keyword'> {
  const bounds = [...Array.from(characters.segment(comment), ({ index }) => index), comment.length];
  const lengthAt = (place: number) => normalizeText(comment.slice(0, bounds[place])).length;
  // The last bound before which not more than `from` was written, and the first one before which all up to `to` was.
  const start = firstPlace(bounds.length, (place) => lengthAt(place) > from) - 1;
  const end = firstPlace(bounds.length, (place) => lengthAt(place) >= to);
  return { start: bounds[Math.max(0, start)] ?? 0, end: bounds[end] ?? comment.length };
}

/** The first place for which a condition holds that holds for all later ones too. */
function firstPlace(count: number, holds: (place: number) => boolean): number {
  let low = 0;
  let high = count;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (holds(middle)) high = middle;
    else low = middle + 1;
  }
  return low;
}
