/** A path has one slash at its beginning: with two, the next segment would be a host. */
const singleSlash = /^\/(?!\/)/;

/** Browsers read a backslash as a slash, and drop line ends and tabs: https://url.spec.whatwg.org/#url-parsing */
const misleading = /[\\\p{Cc}]/u;

/**
 * The page of the panel to which a sign-in returns. Whatever would lead elsewhere becomes the first page.
 *
 * @param text from the URL that began the sign-in, which anybody may have written
 * @param origin of the panel
 * @returns a path with its query and fragment
 */
export function safeReturnTo(text: string | undefined, origin: string): string {
  if (text === undefined || !singleSlash.test(text) || misleading.test(text)) return '/';
  const url = URL.parse(text, origin);
  if (url?.origin !== origin) return '/';
  const path = `${url.pathname}${url.search}${url.hash}`;
  // `/..//host` has become `//host`.
  return singleSlash.test(path) ? path : '/';
}
