import { addressEnd } from './address-end.ts';
import { checkDestinationUrl } from './destination-url.ts';

/** The position of an address in a text; `end` is exclusive. */
export interface Span {
  readonly start: number;
  readonly end: number;
  /**
   * The URL as normalized by {@link checkDestinationUrl}; undefined if no link can lead there, or the address has no clear end.
   */
  readonly url: string | undefined;
}

type Occurrence = Span & { readonly url: string };

/**
 * Returns the URLs in a text, in order. A URL must begin with `http://` or `https://`. A URL counts as text if a link
 * cannot lead to it, or if it has no clear end.
 */
export function addressesIn(text: string): string[] {
  return findAddresses(text).map(({ url }) => url);
}

/**
 * Replaces the URLs in a text.
 *
 * @param replacementOf called with each URL as {@link addressesIn} returns it; `undefined` keeps the original
 */
export function replaceAddresses(text: string, replacementOf: (url: string) => string | undefined): string {
  let replaced = '';
  let end = 0;
  for (const found of findAddresses(text)) {
    const original = text.slice(found.start, found.end);
    replaced += text.slice(end, found.start) + (replacementOf(found.url) ?? original);
    end = found.end;
  }
  return replaced + text.slice(end);
}

/** The characters after which no address begins: those of Latin words. */
const withinWord = /[0-9A-Za-z\u00c0-\u024f]/;

function findAddresses(text: string): Occurrence[] {
  return addressSpans(text).flatMap(({ start, end, url }) =>
    url === undefined ? [] : [{ start, end, url }],
  );
}

/** Returns the position of each address in a text, in order. An address without a clear end extends to the end of its word. */
export function addressSpans(text: string): Span[] {
  const found: Span[] = [];
  const schemes = /https?:\/\//giu;
  let freeFrom = 0;
  for (let match = schemes.exec(text); match !== null; match = schemes.exec(text)) {
    const { index: start } = match;
    if (start > freeFrom && withinWord.test(text.charAt(start - 1))) continue;
    const end = addressEnd(text, start, schemes.lastIndex);
    const verdict = end === undefined ? undefined : checkDestinationUrl(text.slice(start, end));
    const url = verdict !== undefined && 'url' in verdict ? verdict.url : undefined;
    freeFrom = end ?? endOfWord(text, schemes.lastIndex);
    found.push({ start, end: freeFrom, url });
    schemes.lastIndex = freeFrom;
  }
  return found;
}

/** Returns the end of the word, so that an address without a clear end also covers any address inside it. */
function endOfWord(text: string, from: number): number {
  const space = /\s/g;
  space.lastIndex = from;
  return space.exec(text)?.index ?? text.length;
}
