import { checkDestinationUrl } from './destination-url.ts';

/** A URL ends at a space, control character, quotation mark or angle bracket. */
const addressPattern = /\bhttps?:\/\/[^\s\u0000-\u001f\u007f-\u009f<>"\u201c\u201d\u00ab\u00bb`]+/giu;

/** Characters that end a sentence more often than a URL. */
const trailing = /[.,;:!?'\u2019*_~\u2026\u3002\uff0c\uff01\uff1f]$/u;
const brackets: Readonly<Record<string, string>> = { ')': '(', ']': '[', '}': '{' };

interface Occurrence {
  readonly start: number;
  readonly end: number;
  /** As normalized by {@link checkDestinationUrl}. */
  readonly url: string;
}

/**
 * Returns the URLs in a text, in order. A URL must begin with `http://` or `https://`. A URL that a link cannot lead to
 * counts as text.
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

function findAddresses(text: string): Occurrence[] {
  const found: Occurrence[] = [];
  for (const { 0: match, index: start } of text.matchAll(addressPattern)) {
    const address = withoutTrailing(match);
    const verdict = checkDestinationUrl(address);
    if ('url' in verdict) found.push({ start, end: start + address.length, url: verdict.url });
  }
  return found;
}

/** Removes what belongs to the sentence: final punctuation, and a closing bracket that the URL does not open. */
function withoutTrailing(match: string): string {
  const counts: Record<string, number> = {};
  for (const character of match) counts[character] = (counts[character] ?? 0) + 1;
  let end = match.length;
  for (; end > 0; end -= 1) {
    const last = match.charAt(end - 1);
    const opening = brackets[last];
    const isUnopened = opening !== undefined && (counts[opening] ?? 0) < (counts[last] ?? 0);
    if (!isUnopened && !trailing.test(last)) break;
    counts[last] = (counts[last] ?? 0) - 1;
  }
  return match.slice(0, end);
}
