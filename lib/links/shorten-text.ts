import { addressSpans, type Span } from './text.ts';

const ellipsis = '…';
/** The length above which a word is cut, unless it looks like an address. Scripts without spaces have long words. */
const longestWord = 60;
/** The form of an address without a scheme, such as `shop.example/a`. People and platforms recognize such addresses too. */
const hostLike = /[\p{L}\p{N}-]\.\p{L}{2,}/u;
const graphemes = new Intl.Segmenter(undefined, { granularity: 'grapheme' });

/**
 * Returns a text, or its beginning with an ellipsis if it is too long. Never cuts an address: one that does not fit
 * whole is left out, with everything after it. Ends with a word if there are spaces. Pure.
 *
 * @param maxBytes in UTF-8; `Infinity` for no limit
 * @returns an empty text if nothing fits
 */
export function shortenText(text: string, maxBytes: number): string {
  if (Buffer.byteLength(text) <= maxBytes) return text;
  const spans = addressSpans(text);
  const end = endWithin(text, maxBytes - Buffer.byteLength(ellipsis), spans);
  const kept = text.slice(0, end).trimEnd();
  if (kept === '') return '';
  if (!spans.some((span) => span.end === kept.length)) return kept + ellipsis;
  // The ellipsis could be taken for a part of the address.
  const spaced = `${kept} ${ellipsis}`;
  return Buffer.byteLength(spaced) <= maxBytes
    ? spaced
    : shortenText(text, Buffer.byteLength(kept) + Buffer.byteLength(ellipsis) - 1);
}

/** Returns the index at which to cut: the last one with at most `maxBytes` before it that cuts no address or short word. */
function endWithin(text: string, maxBytes: number, spans: readonly Span[]): number {
  let bytes = 0;
  let end = 0;
  for (const { segment } of graphemes.segment(text)) {
    bytes += Buffer.byteLength(segment);
    if (bytes > maxBytes) break;
    end += segment.length;
  }
  const cut = spans.find((span) => span.start < end && end < span.end);
  if (cut) return cut.start;
  const wordStart = end - (/\S*$/.exec(text.slice(0, end))?.[0].length ?? 0);
  const wordEnd = end + (/^\S*/.exec(text.slice(end))?.[0].length ?? 0);
  const startsAfterAddress = spans.some((span) => span.end > wordStart && span.end <= end);
  if (wordEnd === end || startsAfterAddress) return end;
  const word = text.slice(wordStart, wordEnd);
  const isWhole = hostLike.test(word) || (wordStart > 0 && word.length <= longestWord);
  return isWhole ? wordStart : end;
}
