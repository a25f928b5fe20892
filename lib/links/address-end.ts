import { unspaced } from '../kernel/unspaced-scripts.ts';

/**
 * The rules for the end of an address in a text, as a person would read it. Pure, and linear in the length of the address.
 *
 * An address in a message has no mark at its end. Scripts without spaces go on right after it, and so do punctuation and
 * the signs of Markdown. If a person could read the text in two ways, there is no end: a link that leads elsewhere would be
 * worse than none.
 */

const latin = /\p{sc=Latin}/u;
const letter = /[\p{L}\p{N}]/u;
const mark = /\p{M}/u;
const asciiWord = /[0-9A-Za-z]/;
const isAscii = (character: string | undefined) => character !== undefined && character < '\u0080';
/** The characters of a host other than letters of any script. */
const hostSign = /[-.0-9A-Z_a-z]/;
/**
 * The characters of the rest of an address. Signs that others use around addresses (`"`, `<`, `>`, `|`, `\`, a
 * backtick) end it.
 */
const restSign = /[-!#$%&'()*+,./0-9:;=?@A-Z[\]_a-z{}~^]/;
const sentenceSign = /[!',.:;?]/;
const scheme = /https?:\/\/$/i;

/**
 * Returns the index after an address.
 *
 * @param start the index of its scheme
 * @param hostStart the index of its host
 * @returns `undefined` if there is no host, or if the address has no clear end
 */
export function addressEnd(text: string, start: number, hostStart: number): number | undefined {
  const hostEnd = endOfHost(text, hostStart);
  if (hostEnd === undefined) return undefined;
  const portEnd = /^:\d{1,5}(?!\d)/.exec(text.slice(hostEnd, hostEnd + 8))?.[0].length ?? 0;
  const restStart = hostEnd + portEnd;
  if (!/[/?#]/.test(text.charAt(restStart))) return restStart;
  const restEnd = endOfRest(text, start, restStart);
  return restEnd === undefined ? undefined : withoutTrailing(text, start, restStart, restEnd);
}

function endOfHost(text: string, start: number): number | undefined {
  let labelStart = start;
  let dots = 0;
  let isForeign = false;
  let at = start;
  for (; at < text.length; ) {
    const character = String.fromCodePoint(text.codePointAt(at) as number);
    if (character === '.') {
      const next = String.fromCodePoint(text.codePointAt(at + 1) ?? 32);
      // A full stop after a complete host, before a text without spaces.
      const isFullStop = dots > 0 && !isForeign && unspaced.test(next);
      if (isFullStop || !(letter.test(next) || next === '_')) break;
      dots += 1;
      labelStart = at + 1;
    } else if (!hostSign.test(character)) {
      if (!letter.test(character) && !mark.test(character)) break;
      const label = text.slice(labelStart, at);
      const continues = latin.test(character) || mark.test(character) || !isAscii(label.at(-1));
      // In the first label, scripts may mix; after a dot, another script is the text that goes on.
      if (!continues && dots > 0) break;
      isForeign = true;
    }
    at += character.length;
  }
  const address = nextAddress(text, start, at);
  const end = start + (address ?? text.slice(start, at)).replace(/[-_]+$/, '').length;
  const last = text.slice(text.lastIndexOf('.', end - 1) + 1, end);
  if (dots === 0) return undefined;
  // Only the next character can show where such a name ends.
  return unspaced.test(last) && !/[/:]/.test(text.charAt(end)) ? undefined : end;
}

/** Returns the host before another address that follows without a space: `a.example` of `a.examplehttps://`. */
function nextAddress(text: string, start: number, end: number): string | undefined {
  if (!text.startsWith('://', end)) return undefined;
  return /^(.*[0-9a-z])https?$/i.exec(text.slice(start, end))?.[1];
}

function endOfRest(text: string, start: number, restStart: number): number | undefined {
  let isQuery = false;
  for (let at = restStart; at < text.length; ) {
    const character = String.fromCodePoint(text.codePointAt(at) as number);
    if (character === '?') isQuery = true;
    // The text of a link in Markdown.
    if (text.startsWith('](', at)) return at;
    if (restSign.test(character)) {
      const nested = character === '/' && !isQuery ? schemeLength(text, restStart, at + 1) : 0;
      if (nested > 0) return at + 1 - nested;
    } else if (letter.test(character) || mark.test(character)) {
      const before = String.fromCodePoint(text.codePointAt(at - 1) ?? 32);
      if (unspaced.test(character)) {
        const isBehindText = letter.test(before) || sentenceSign.test(before) || /[()[\]{}*~]/.test(before);
        return isBehindText || isOpenBefore(text, start, before) ? at : undefined;
      }
      // Such as a Cyrillic word right after a Latin one.
      if (!latin.test(character) && !mark.test(character) && asciiWord.test(before)) return undefined;
    } else return at;
    at += character.length;
  }
  return text.length;
}

/** Returns the length of a scheme that ends here and begins another address: after a word or a comma, not after a slash. */
function schemeLength(text: string, start: number, end: number): number {
  const length = scheme.exec(text.slice(Math.max(start, end - 8), end))?.[0].length ?? 0;
  return length > 0 && /[\p{L}\p{N},;)\]]/u.test(text.charAt(end - length - 1)) ? length : 0;
}

const closing: Readonly<Record<string, string>> = { ')': '(', ']': '[', '}': '{' };

/**
 * Returns the end of the address without the characters that belong to the text: final punctuation, brackets that the
 * address does not open or close, and signs of Markdown that begin before it.
 */
function withoutTrailing(text: string, start: number, restStart: number, restEnd: number): number {
  const counts: Record<string, number> = {};
  for (let at = restStart; at < restEnd; at += 1) {
    const character = text.charAt(at);
    counts[character] = (counts[character] ?? 0) + 1;
  }
  let end = restEnd;
  for (; end > restStart; end -= 1) {
    const last = text.charAt(end - 1);
    const opening = closing[last];
    const isUnopened = opening !== undefined && (counts[opening] ?? 0) < (counts[last] ?? 0);
    const isOpening = Object.values(closing).includes(last);
    const isMarkdown = isOpenBefore(text, start, last);
    if (!isUnopened && !isOpening && !isMarkdown && !sentenceSign.test(last)) break;
    counts[last] = (counts[last] ?? 0) - 1;
  }
  return end;
}

const lookBehind = 200;

/** Returns true if a sign of Markdown begins before the address, in its line, and does not end there. */
function isOpenBefore(text: string, start: number, sign: string): boolean {
  if (!/[*_~]/.test(sign)) return false;
  const line =
    text
      .slice(Math.max(0, start - lookBehind), start)
      .split('\n')
      .at(-1) ?? '';
  if (line.endsWith(sign)) return true;
  const one = `[${sign}]+`;
  const begins = line.match(new RegExp(`(?<![\\p{L}\\p{N}${sign}])${one}(?=\\S|$)`, 'gu'))?.length ?? 0;
  const ends =
    line.match(new RegExp(`(?<=[^\\s${sign}])${one}(?![\\p{L}\\p{N}${sign}])(?=.)`, 'gu'))?.length ?? 0;
  return begins > ends;
}
