/** How LinkedIn reads and writes commentary: the "little text format" of its Posts API. */

const reserved = /[\\|{}@[\]()<>#*_~]/;
/** A word with a letter in it: `#1` is no hashtag. */
const hashtagWord = /^(?=[\p{N}\p{M}]*\p{L})[\p{L}\p{N}\p{M}]+/u;
const hashtagTemplate = /^\{hashtag\|\\?#\|((?:\\.|[^\\{}|])+)\}/su;
const mention = /^@\[((?:\\.|[^\\[\]])+)\]\(urn:li:(?:organization|person):[\w-]+\)/su;

export interface LittleText {
  /** What people see. */
  readonly text: string;
  /** The same as the API gives it back: hashtags as templates, everything reserved escaped. */
  readonly readBack: string;
  /** A reserved character stood there unescaped: LinkedIn has dropped it with all that follows, and said nothing. */
  readonly isCut: boolean;
}

export function readLittleText(commentary: string): LittleText {
  let rest = commentary;
  let text = '';
  let readBack = '';
  const take = (length: number, seen: string, given: string) => {
    rest = rest.slice(length);
    text += seen;
    readBack += given;
  };
  while (rest !== '') {
    const [first = ''] = rest;
    const template = hashtagTemplate.exec(rest);
    const named = mention.exec(rest);
    const word = first === '#' ? hashtagWord.exec(rest.slice(1))?.[0] : undefined;
    if (first === '\\' && rest.length > 1) {
      const [, literal = ''] = rest;
      take(1 + literal.length, literal, escaped(literal));
    } else if (template) {
      const tag = unescaped(template[1] ?? '');
      take(template[0].length, `#${tag}`, hashtag(tag));
    } else if (named) {
      take(named[0].length, unescaped(named[1] ?? ''), named[0]);
    } else if (word !== undefined) {
      take(1 + word.length, `#${word}`, hashtag(word));
    } else if (reserved.test(first)) {
      return { text, readBack, isCut: true };
    } else {
      take(first.length, first, first);
    }
  }
  return { text, readBack, isCut: false };
}

function hashtag(word: string): string {
  return `{hashtag|\\#|${[...word].map(escaped).join('')}}`;
}

function escaped(character: string): string {
  return reserved.test(character) ? `\\${character}` : character;
}

function unescaped(text: string): string {
  return text.replace(/\\(.)/gsu, '$1');
}
