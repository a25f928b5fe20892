/** The "little text format" of commentary in LinkedIn's Posts API. */

const reserved = /[\\|{}@[\]()<>#*_~]/;
/** A hashtag needs at least one letter: `#1` is not a hashtag. */
const hashtagWord = /^(?=[\p{N}\p{M}]*\p{L})[\p{L}\p{N}\p{M}]+/u;
const hashtagTemplate = /^\{hashtag\|\\?#\|((?:\\.|[^\\{}|])+)\}/su;
const mention = /^@\[((?:\\.|[^\\[\]])+)\]\(urn:li:(?:organization|person):[\w-]+\)/su;

export interface LittleText {
  /** The text that readers see. */
  readonly text: string;
  /** The text as the API returns it: hashtags as templates, reserved characters escaped. */
  readonly readBack: string;
  /** The text contained an unescaped reserved character: LinkedIn silently drops it and all text after it. */
  readonly isCut: boolean;
}

/** Parses commentary up to its first unescaped reserved character. */
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
