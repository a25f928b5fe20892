import { invalidField } from '../../kernel/errors.ts';
import { normalizeText } from '../../kernel/normalize-text.ts';
import { unspaced } from '../../kernel/unspaced-scripts.ts';

/** The maximum number of distinct words by which a post is found: the first ones. */
export const maxWords = 200;
/**
 * The maximum number of characters that are divided into words. The texts of a post's destinations may have millions, which would
 * take minutes and hold up the stream; texts that people read have their 200 words long before.
 */
const maxCharacters = 50_000;
/** The part of a word that counts. Addresses, hashtags and hostile texts have longer ones. */
const comparedCharacters = 40;

const run = /[\p{L}\p{M}\p{N}_]+/gu;
const han = /^\p{scx=Han}/u;

/** The words of a search: all must be in a post, `prefix` as the beginning of a word. */
export interface Search {
  readonly whole: readonly string[];
  readonly prefix: string;
}

/**
 * Returns the first distinct words of some texts, normalized as the keywords of automations are. Where a script does not
 * separate words with spaces, the Unicode rules and dictionaries of the runtime find them. Pure.
 */
export function distinctWords(texts: Iterable<string>): string[] {
  const words = new Set<string>();
  let charactersLeft = maxCharacters;
  for (const text of texts) {
    for (const word of wordsIn(text.slice(0, charactersLeft))) {
      words.add(word);
      if (words.size === maxWords) return [...words];
    }
    charactersLeft = Math.max(0, charactersLeft - text.length);
  }
  return [...words];
}

/** @throws HeraldError `invalid`, naming the parameter, if the text has no word */
export function parseSearch(text: string): Search {
  const words = [...wordsIn(text)];
  const prefix = words.pop();
  if (prefix === undefined) throw invalidField('search', 'must have a letter or a digit');
  return { whole: [...new Set(words)], prefix };
}

/** Returns true if a post with these words is found. Pure. */
export function hasWords(words: readonly string[], { whole, prefix }: Search): boolean {
  return whole.every((word) => words.includes(word)) && words.some((word) => word.startsWith(prefix));
}

/**
 * Returns the first letters of a word, by which the index groups words: few enough that a beginning of a word can be looked up, and
 * many enough that few words share them. A Chinese character says as much as several letters.
 */
export function stemOf(word: string): string {
  return firstCharacters(word, stemLength(word));
}

/** Returns true if all words that begin with this text have the same stem. */
export const hasStem = (prefix: string): boolean => [...prefix].length >= stemLength(prefix);

const stemLength = (word: string): number => {
  if (han.test(word)) return 1;
  return unspaced.test(firstCharacters(word, 1)) ? 2 : 4;
};

const firstCharacters = (text: string, count: number): string =>
  [...text.slice(0, 2 * count)].slice(0, count).join('');

let segmenter: Intl.Segmenter | undefined;

function* wordsIn(text: string): Generator<string> {
  for (const [letters] of normalizeText(text).matchAll(run)) {
    if (!unspaced.test(letters)) yield firstCharacters(letters, comparedCharacters);
    else {
      segmenter ??= new Intl.Segmenter('en', { granularity: 'word' });
      for (const { segment, isWordLike } of segmenter.segment(letters))
        if (isWordLike) yield firstCharacters(segment, comparedCharacters);
    }
  }
}
