import { isId, sha256 } from '../kernel/ids.ts';

/**
 * The value that a browser sends for its session. The person's id is not secret; with it, a request reads everything in one
 * batch.
 */
export interface SessionValue {
  readonly personId: string;
  /** The digest of the token, under which the session is stored. */
  readonly digest: string;
}

/** The length of a token: letters and digits with 256 random bits. */
export const tokenLength = 43;
const tokenPattern = /^[0-9A-Za-z]{43}$/;

/** True if the text has the form of a token. It may never have been issued. */
export const isToken = (text: string): boolean => tokenPattern.test(text);

/** Returns the digest that is stored instead of a token. A plain SHA-256 is safe, because the token has 256 random bits. */
export const tokenDigest = (token: string): string => sha256(token);

/** Returns the value of a session's cookie. Only the browser gets it, once, and it is stored nowhere. */
export const sessionValueOf = (personId: string, token: string): string => `${personId}.${token}`;

/** Reads the value of a cookie; `undefined` if it has any other form. */
export function readSessionValue(text: string): SessionValue | undefined {
  const [personId = '', token = '', ...rest] = text.split('.');
  if (rest.length > 0 || !isId(personId) || !isToken(token)) return undefined;
  return { personId, digest: tokenDigest(token) };
}
