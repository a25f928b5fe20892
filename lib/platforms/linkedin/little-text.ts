/**
 * The reserved characters of the Posts API's "little text format". LinkedIn does not report an unescaped one: it
 * responds with 201 and truncates the post at that character.
 */

const reserved = /[\\|{}@[\]()<>#*_~]/g;

/**
 * The parts that stay unescaped: a mention, `@[Exact Name](urn:li:organization:123)`, and a hashtag, which is a `#` at
 * the beginning of a word, followed by letters and digits with at least one letter. A URL is matched first, because a
 * `#` in it does not begin a hashtag.
 */
const meaningful =
  /(?<url>(?:https?:\/\/|www\.)\S+)|@\[(?<name>[^[\]\r\n]+)\]\((?<urn>urn:li:(?:organization|person):[\w-]+)\)|(?<![\p{L}\p{N}\p{M}_&/#])#(?=\p{N}*\p{L})[\p{L}\p{N}][\p{L}\p{N}\p{M}]*(?![\p{L}\p{N}\p{M}_])/gu;

/** Escapes a user's text so that LinkedIn shows all of it. */
export function toLittleText(text: string): string {
  let escaped = '';
  let end = 0;
  for (const match of text.matchAll(meaningful)) {
    const [whole] = match;
    const { url, name, urn } = match.groups ?? {};
    escaped += escapeReserved(text.slice(end, match.index));
    if (url !== undefined) escaped += escapeReserved(url);
    else escaped += name === undefined ? whole : `@[${escapeReserved(name)}](${urn})`;
    end = match.index + whole.length;
  }
  return escaped + escapeReserved(text.slice(end));
}

/** Undoes `toLittleText`, for comparison. Turns hashtags, which the API returns as templates, into plain ones. */
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
