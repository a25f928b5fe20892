/** Counts Unicode code points, which most platforms call characters. */
export function characterCount(text: string): number {
  return [...text].length;
}

export function utf8Bytes(text: string): number {
  return new TextEncoder().encode(text).length;
}

/**
 * A character that shows something: no whitespace, no control character, nothing that Unicode asks to ignore (such as U+200B, U+2060
 * and U+3164), no annotation mark and no blank symbol.
 */
const visible = /[^\s\p{Cc}\p{Default_Ignorable_Code_Point}\u{2800}\u{FFF9}-\u{FFFB}\u{1D159}]/u;

/** True if a text has no visible character. Platforms refuse such texts, or show nothing. */
export const isBlank = (text: string): boolean => !visible.test(text);

/** Returns a text without the whitespace around it; undefined if there is none or it is blank. */
export const visibleText = (text: string | undefined): string | undefined =>
  text === undefined || isBlank(text) ? undefined : text.trim();

/**
 * Shortens a text to a number of characters (code points) and ends it with an ellipsis. Cuts after a word if one ends
 * in the second half, otherwise after a whole grapheme, so that no emoji or accented letter is split.
 */
export function cutText(text: string, maxCharacters: number): string {
  if (characterCount(text) <= maxCharacters) return text;
  const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' });
  let kept = '';
  let characters = 0;
  for (const { segment } of graphemes.segment(text)) {
    characters += characterCount(segment);
    if (characters > maxCharacters - 1) break;
    kept += segment;
  }
  const lastSpace = kept.search(/\s+\S*$/);
  return `${(lastSpace > kept.length / 2 ? kept.slice(0, lastSpace) : kept).trimEnd()}…`;
}

/** Returns the hashtags as platforms count them: letters, digits, marks and underscores after a `#` that begins a word. */
export function hashtags(text: string): string[] {
  return text.match(/(?<![\p{L}\p{N}\p{M}_&/])[#\uFF03][\p{L}\p{N}\p{M}_]+/gu) ?? [];
}

/** Returns every `@username` at the beginning of a word, so not in the middle of an e-mail address. */
export function mentions(text: string): string[] {
  return text.match(/(?<![\p{L}\p{N}\p{M}_.+-])@[A-Za-z0-9_][A-Za-z0-9_.]*/gu) ?? [];
}
