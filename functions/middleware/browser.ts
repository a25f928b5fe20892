import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import { type Cookies, cookieNamed } from './cookie-named.ts';

/**
 * `__Host-` makes browsers accept the cookie only with `Secure`, `Path=/` and without `Domain`, so no other host, not even a
 * subdomain, can set it (RFC 6265bis, section 4.1.3.2). Loopback http counts as secure in browsers.
 */
const cookieName = '__Host-connect';

/** The longest that one step of an attempt may take. */
const maxAgeSeconds = 600;

/** The form of a secret: letters and digits, as `randomToken(43)` makes them. */
const secretPattern = /^[0-9A-Za-z]{43}$/;

/**
 * Sets the browser's secret. `Lax` sends it when a platform redirects back, and not with a form of another site:
 * https://httpwg.org/http-extensions/draft-ietf-httpbis-rfc6265bis.html#section-5.6.7
 */
export function cookieOf(secret: string): string {
  return `${cookieName}=${secret}; HttpOnly; Secure; SameSite=Lax; Path=/; Max-Age=${maxAgeSeconds}`;
}

/** Returns the browser's secret; `undefined` if it sent none, several, or one that we cannot have made. */
export function browserSecretOf(event: Cookies): string | undefined {
  const value = cookieNamed(cookieName, event);
  return value !== undefined && secretPattern.test(value) ? value : undefined;
}

/**
 * Returns true if a form may come from one of our own pages. Browsers send `Origin` with every POST and, except for old ones,
 * `Sec-Fetch-Site`: https://www.w3.org/TR/fetch-metadata/. If both are absent, the cookie's `SameSite` still protects.
 */
export function isFromOwnPage(headers: APIGatewayProxyEventV2['headers'], publicBaseUrl: string): boolean {
  const { origin, 'sec-fetch-site': site } = headers;
  const isOwnOrigin = origin === undefined || origin === new URL(publicBaseUrl).origin;
  return isOwnOrigin && (site === undefined || site === 'same-origin');
}
