/**
 * The "little text format" of the Posts API. A reserved character that stands there unescaped is no error: LinkedIn
 * answers 201 and cuts the post there.
 */

const reserved = /[\\|{}@[\]()<>#*_~]/g;

/**
 * What keeps its meaning: a mention, `@[Exact Name](urn:li:organization:123)`, and a hashtag, which is one word with a
 * letter in it at the beginning of a word.
 */
const meaningful =
  /@\[([^[\]\r\n]+)\]\((urn:li:(?:organization|person):[\w-]+)\)|(?<![\p{L}\p{N}\p{M}_&/#])#(?=\p{N}*\p{L})[\p{L}\p{N}][\p{L}\p{N}\p{M}]*(?![\p{L}\p{N}\p{M}_])/gu;

/** A text as people wrote it, so that LinkedIn shows all of it. */
export function toLittleText(text: string): string {
  let escaped = '';
  let end = 0;
  for (const match of text.matchAll(meaningful)) {
    const [whole, name, urn] = match;
    escaped += escapeReserved(text.slice(end, match.index));
    escaped += name === undefined ? whole : `@[${escapeReserved(name)}](${urn})`;
    end = match.index + whole.length;
  }
  return escaped + escapeReserved(text.slice(end));
}

/** The text without escapes and with plain hashtags, for comparing: hashtags are read back as templates. */
export function fromLittleText(commentary: string): string {
  return commentary.replace(
    /\{hashtag\|\\?#\|((?:\\.|[^\\{}|])+)\}|\\(.)/gsu,
    (_, hashtag: string | undefined, escaped: string | undefined) =>
      hashtag === undefined ? (escaped ?? '') : `#${hashtag.replace(/\\(.)/gsu, '$1')}`,
  );
}

function escapeReserved(text: string): string {
  return text.replace(reserved, '\\$&');
}
