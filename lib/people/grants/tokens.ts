import { createHash, createHmac } from 'node:crypto';
import { randomToken, sha256 } from '../../kernel/ids.ts';

/** The kinds of what a client presents for its grant: an authorization code, an access token, a refresh token. */
export type TokenKind = 'code' | 'access' | 'refresh';

/** Prefixes that no API key has, so what takes keys only refuses tokens by their form. */
const prefixes: Readonly<Record<TokenKind, string>> = { code: 'yac_', access: 'yat_', refresh: 'yrt_' };

/** The length of each half: 43 characters of 256 bits. */
const halfLength = 43;
const checksumLength = 6;
const form = /^(?:yac|yat|yrt)_([\w-]{43})([\w-]{43})[0-9a-f]{6}$/;

/** A code or token, taken apart. */
export interface GrantToken {
  readonly kind: TokenKind;
  /** The half that all codes and tokens of one grant share. Its digest finds the grant. */
  readonly family: string;
  /** The half that only this one has. */
  readonly secret: string;
}

/** Returns a new half: letters and digits with 256 random bits. */
export const newHalf = (): string => randomToken(halfLength);

/** Returns the text that a client gets. It is shown once; only digests are stored. */
export function tokenOf({ kind, family, secret }: GrantToken): string {
  const body = `${prefixes[kind]}${family}${secret}`;
  return body + checksum(body);
}

/** Reads a code or token of this kind; `undefined` for any text that we cannot have made. */
export function readToken(kind: TokenKind, text: string): GrantToken | undefined {
  const [, family, secret] = form.exec(text) ?? [];
  if (family === undefined || secret === undefined || !text.startsWith(prefixes[kind])) return undefined;
  return text.endsWith(checksum(text.slice(0, -checksumLength))) ? { kind, family, secret } : undefined;
}

/** Returns the digest under which the grant is found. No API key has it: it is that of a text of another form. */
export const familyDigest = (family: string): string => sha256(`grant:${family}`);

/** Returns the digest that is stored instead of a code or token. A plain SHA-256 is safe, because it has 256 random bits. */
export const grantTokenDigest = (token: GrantToken): string => sha256(tokenOf(token));

/**
 * Returns the halves of the tokens that follow a refresh token. They depend on it and on a stored salt alone, so a client that
 * repeats a request whose answer was lost gets the same answer. Neither the table nor an old refresh token is enough to know them.
 */
export function successorsOf({ secret }: GrantToken, salt: string): Record<'access' | 'refresh', string> {
  const half = (kind: string) =>
    createHmac('sha256', secret).update(`${kind}:${salt}`, 'utf8').digest('base64url');
  return { access: half('access'), refresh: half('refresh') };
}

/** Returns the S256 challenge of a PKCE verifier: https://www.rfc-editor.org/rfc/rfc7636#section-4.2 */
export const challengeOf = (verifier: string): string =>
  createHash('sha256').update(verifier, 'ascii').digest('base64url');

const checksum = (text: string): string => sha256(`checksum:${text}`).slice(0, checksumLength);
