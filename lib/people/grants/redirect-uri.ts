/** Loopback redirect URIs of programs on the person's own computer, with any port. */
const loopback = /^http:\/\/(127\.0\.0\.1|\[::1\]|localhost)(?::\d{1,5})?(\/[^#]*)?$/;

const maxCharacters = 2_000;

/** Characters that parsers and browsers may read differently: white space, controls, formats and backslashes. */
const misleading = /[\s\p{Cc}\p{Cf}\\]/u;

/**
 * True if a client may be sent back there: https, or plain http to the person's own computer (MCP specification 2026-07-28,
 * Authorization, "Communication Security").
 */
export function isRedirectUri(text: string): boolean {
  if (text.length > maxCharacters || misleading.test(text) || text.includes('#')) return false;
  const url = URL.parse(text);
  if (!url || /^[^:/?#]*:\/*[^/?#]*@/.test(text)) return false;
  return url.protocol === 'https:' ? /^https:\/\/[^/]/.test(text) : loopback.test(text);
}

/**
 * True if the redirect URI of a request is one of the client's: the same text, and for a loopback address any port, which the
 * system chooses when the program starts (RFC 8252, section 7.3).
 */
export function isRegistered(redirectUri: string, registered: readonly string[]): boolean {
  if (!isRedirectUri(redirectUri)) return false;
  return registered.some((each) => each === redirectUri || isSameLoopback(each, redirectUri));
}

function isSameLoopback(one: string, other: string): boolean {
  const [[, host, rest], [, otherHost, otherRest]] = [loopback.exec(one) ?? [], loopback.exec(other) ?? []];
  return host !== undefined && host === otherHost && (rest ?? '/') === (otherRest ?? '/');
}

/** True if it leads to a program on the person's own computer. */
export const isLoopback = (redirectUri: string): boolean => loopback.test(redirectUri);
