import type { Matching } from '../../../../lib/automations/matching/match-comment.ts';
import { normalizeText } from '../../../../lib/kernel/normalize-text.ts';

/** Optimal string alignment distance, computed by its definition. */
export function editDistance(one: string, other: string): number {
  const [a, b] = [lettersOf(one), lettersOf(other)];
  const table = a.concat('').map(() => b.concat('').map(() => 0));
  const at = (i: number, j: number) => table[i]?.[j] ?? Number.NaN;
  for (let i = 0; i <= a.length; i += 1) {
    for (let j = 0; j <= b.length; j += 1) {
      const ways = i === 0 && j === 0 ? [0] : [];
      if (i > 0) ways.push(at(i - 1, j) + 1);
      if (j > 0) ways.push(at(i, j - 1) + 1);
      if (i > 0 && j > 0) ways.push(at(i - 1, j - 1) + (a[i - 1] === b[j - 1] ? 0 : 1));
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) ways.push(at(i - 2, j - 2) + 1);
      (table[i] as number[])[j] = Math.min(...ways);
    }
  }
  return at(a.length, b.length);
}

/** Letters with their marks. */
const lettersOf = (text: string): readonly string[] => text.match(/.\p{M}*/gsu) ?? [];

const unspaced = /\p{scx=Han}|\p{scx=Hiragana}|\p{scx=Katakana}|\p{sc=Thai}|\p{scx=Hangul}/u;

/** A simple and slow reference implementation of `matchesComment`. */
export function plainMatches({ keywords, matchMode, typoTolerance }: Matching, comment: string): boolean {
  if (keywords.length === 0) return true;
  const text = normalizeText(comment);
  return keywords.some((keyword) => {
    const sought = normalizeText(keyword);
    if (sought === '') return false;
    return (
      containsExactly(text, sought, matchMode) ||
      (typoTolerance && containsWithTypos(text, sought, matchMode))
    );
  });
}

function containsExactly(text: string, keyword: string, mode: Matching['matchMode']): boolean {
  const characters = [...text];
  const length = [...keyword].length;
  const isLetter = (character: string | undefined) =>
    character !== undefined && /[\p{L}\p{M}\p{N}_]/u.test(character);
  return characters.some((_, start) => {
    const end = start + length;
    if (characters.slice(start, end).join('') !== keyword) return false;
    if (mode === 'contains') return true;
    if (mode === 'starts_with') return start === 0;
    if (mode === 'exact') return start === 0 && end === characters.length;
    const isMark = (place: number) => /\p{M}/u.test(characters[place] ?? '');
    const goesOn = (place: number) =>
      isMark(place) || ![characters[place - 1], characters[place]].some((each) => unspaced.test(each ?? ''));
    const isInner = (place: number) =>
      isLetter(characters[place - 1]) && isLetter(characters[place]) && goesOn(place);
    return !isInner(start) && !isInner(end);
  });
}

function containsWithTypos(text: string, keyword: string, mode: Matching['matchMode']): boolean {
  const split = (of: string) => of.match(/[\p{L}\p{M}\p{N}_]+|[^\s\p{P}]/gu) ?? [];
  const [said, sought] = [split(text), split(keyword)];
  const tolerated = (word: string) => {
    if (/\p{N}/u.test(word) || unspaced.test(word)) return 0;
    return lettersOf(word).length >= 8 ? 2 : lettersOf(word).length >= 4 ? 1 : 0;
  };
  const isSaid = (word: string, as: string) =>
    word === as || (!/\p{N}/u.test(as) && editDistance(word, as) <= tolerated(word));
  if (sought.length === 0) return false;
  return said.some((_, start) => {
    const part = said.slice(start, start + sought.length);
    if (part.length < sought.length) return false;
    if (mode === 'starts_with' && start > 0) return false;
    if (mode === 'exact' && part.length !== said.length) return false;
    return sought.every((word, index) => isSaid(word, part[index] ?? ''));
  });
}
