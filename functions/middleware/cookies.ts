import { sessionMs, signInMs } from '../../lib/people/schemas.ts';
import { isToken, readSessionValue, type SessionValue } from '../../lib/people/session-value.ts';
import { type Cookies, cookieNamed } from './cookie-named.ts';

/**
 * `__Host-` makes browsers accept a cookie only with `Secure`, `Path=/` and without `Domain`, so no other host, not even a
 * subdomain, can set it (RFC 6265bis, section 4.1.3.2). Loopback http counts as secure in browsers.
 */
const sessionCookie = '__Host-session';
const signInCookie = '__Host-sign-in';

/** Returns the session that the browser names; `undefined` if it names none, or a value that we cannot have made. */
export function sessionOf(event: Cookies): SessionValue | undefined {
  const value = cookieNamed(sessionCookie, event);
  return value === undefined ? undefined : readSessionValue(value);
}

/** Returns the token of the sign-in that the browser has begun; `undefined` if it sent none, or a value that we cannot have made. */
export function signInTokenOf(event: Cookies): string | undefined {
  const value = cookieNamed(signInCookie, event);
  return value !== undefined && isToken(value) ? value : undefined;
}

/** `Strict`: browsers send it only with what our own pages request. */
export const setSession = (value: string): string => cookie(sessionCookie, value, 'Strict', sessionMs);
export const removeSession = (): string => cookie(sessionCookie, '', 'Strict', 0);

/** `Lax`: browsers send it when the issuer redirects back. */
export const setSignIn = (token: string): string => cookie(signInCookie, token, 'Lax', signInMs);
export const removeSignIn = (): string => cookie(signInCookie, '', 'Lax', 0);

const cookie = (name: string, value: string, sameSite: 'Strict' | 'Lax', maxAgeMs: number): string =>
  `${name}=${value}; HttpOnly; Secure; SameSite=${sameSite}; Path=/; Max-Age=${maxAgeMs / 1_000}`;
