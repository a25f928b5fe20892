/** A path has one slash at its beginning: with two, the next segment would be a host. */
const singleSlash = /^\/(?!\/)/;

/** Browsers read a backslash as a slash, and drop line ends and tabs: https://url.spec.whatwg.org/#url-parsing */
const misleading = /[\\\p{Cc}]/u;

/** The API is at the same host. Its tracked links lead anywhere, and its sign-in begins another one. */
const ofApi = /^\/+api(\/|$)/i;

/**
 * The page of the panel to which a sign-in returns. Whatever would lead elsewhere, or to no page, becomes the first page.
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
  return singleSlash.test(path) && !leadsToApi(url) ? path : '/';
}

/** Also as CloudFront and API Gateway decode it: https://www.rfc-editor.org/rfc/rfc3986#section-6.2.2 */
function leadsToApi({ origin, pathname }: URL): boolean {
  try {
    return ofApi.test(new URL(origin + decodeURIComponent(pathname)).pathname);
  } catch {
    return true;
  }
}
