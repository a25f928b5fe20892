import { checkDestinationUrl } from './destination-url.ts';

/** What may stand in an address: anything but space, control characters, quotes and angle brackets. */
const addressPattern = /\bhttps?:\/\/[^\s\u0000-\u001f\u007f-\u009f<>"\u201c\u201d\u00ab\u00bb`]+/giu;

/** Ends a sentence more often than an address. */
const trailing = /[.,;:!?'\u2019*_~\u2026\u3002\uff0c\uff01\uff1f]$/u;
const brackets: Readonly<Record<string, string>> = { ')': '(', ']': '[', '}': '{' };

interface Occurrence {
  readonly start: number;
  readonly end: number;
  /** As {@link checkDestinationUrl} writes it. */
  readonly url: string;
}

/**
 * The addresses that a text names, in their order. Only what begins with `http://` or `https://` is one; what cannot be
 * a link's target stays text.
 */
export function addressesIn(text: string): string[] {
  return findAddresses(text).map(({ url }) => url);
}

/**
 * Puts other addresses in the place of those that a text names.
 *
 * @param replacementOf given an address as {@link addressesIn} tells it; `undefined` leaves it as it stands
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

/** Without what belongs to the sentence: its full stop, its closing bracket where the address opens none. */
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
