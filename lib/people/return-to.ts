/** A pattern for one slash at the beginning of a path: with two, the next segment would be a host. */
const singleSlash = /^\/(?!\/)/;

/**
 * A pattern for characters that browsers read differently: a backslash as a slash, and line ends and tabs not at all:
 * https://url.spec.whatwg.org/#url-parsing
 */
const misleading = /[\\\p{Cc}]/u;

/**
 * A pattern for paths of the API, which is on the same host. Its tracked links lead anywhere, and its sign-in begins another one.
 */
const ofApi = /^\/+api(\/|$)/i;

/**
 * Returns the page of the panel to which a sign-in returns. A path that leads elsewhere, or to no page, becomes the first page.
 *
 * @param text the text in the URL that began the sign-in, which anybody may have written
 * @param origin the origin of the panel
 * @returns a path with its query and fragment
 */
export function safeReturnTo(text: string | undefined, origin: string): string {
  if (text === undefined || !singleSlash.test(text) || misleading.test(text)) return '/';
  const url = URL.parse(text, origin);
  if (url?.origin !== origin) return '/';
  const path = `${url.pathname}${url.search}${url.hash}`;
  // `/..//host` has become `//host`.
  return singleSlash.test(path) && !leadsToApi(url) ? path : '/';
}

/**
 * Returns true if the path leads to the API, also as CloudFront and API Gateway decode it:
 * https://www.rfc-editor.org/rfc/rfc3986#section-6.2.2
 */
function leadsToApi({ origin, pathname }: URL): boolean {
  try {
    return ofApi.test(new URL(origin + decodeURIComponent(pathname)).pathname);
  } catch {
    return true;
  }
}
