import { characterCount, utf8Bytes } from '../shared/text.ts';

/**
 * Returns the length as Threads counts it: characters, but an emoji by its UTF-8 bytes. Counts every byte of an emoji
 * that consists of several characters, which is the maximum that Threads may count.
 */
export function threadsLength(text: string): number {
  // Not created at import: the first segmenter takes 10 ms, which would slow down every cold start.
  const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' });
  let length = 0;
  for (const { segment } of graphemes.segment(text)) {
    length += isEmoji(segment) ? utf8Bytes(segment) : characterCount(segment);
  }
  return length;
}

/**
 * Returns the text that is sent: the content without the whitespace around it, which Threads would remove.
 *
 * @returns the text, and the position in the content at which it begins, in UTF-16 code units
 */
export function sentText(content: string): { readonly text: string; readonly offset: number } {
  return { text: content.trim(), offset: content.length - content.trimStart().length };
}

function isEmoji(grapheme: string): boolean {
  return /\p{Extended_Pictographic}|\p{Regional_Indicator}|\u{20E3}/u.test(grapheme);
}

/** Returns the distinct URLs in a text that Threads turns into links. */
export function links(text: string): Set<string> {
  const found = text.match(/https?:\/\/[^\s<>"]+/gi) ?? [];
  return new Set(found.map((link) => link.replace(/[.,;:!?)\]}'"]+$/, '')));
}
