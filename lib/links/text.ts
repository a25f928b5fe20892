import { addressEnd } from './address-end.ts';
import { checkDestinationUrl } from './destination-url.ts';

/** An address in a text, from its first to behind its last character. */
export interface Span {
  readonly start: number;
  readonly end: number;
  /** As normalized by {@link checkDestinationUrl}; undefined if no link can lead there, or nobody could tell where it ends. */
  readonly url: string | undefined;
}

type Occurrence = Span & { readonly url: string };

/**
 * Returns the URLs in a text, in order. A URL must begin with `http://` or `https://`. A URL that a link cannot lead to, or of
 * which nobody could tell where it ends, counts as text.
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

/** Where an address cannot begin: within a Latin word. */
const withinWord = /[0-9A-Za-z\u00c0-\u024f]/;

function findAddresses(text: string): Occurrence[] {
  return addressSpans(text).flatMap(({ start, end, url }) =>
    url === undefined ? [] : [{ start, end, url }],
  );
}

/** Where each address of a text begins and ends, in order. One that is left as it is ends, at the latest, with its word. */
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

/** An address within one that is left as it is stays as it is too. */
function endOfWord(text: string, from: number): number {
  const space = /\s/g;
  space.lastIndex = from;
  return space.exec(text)?.index ?? text.length;
}
