import { createHash, randomBytes } from 'node:crypto';
import { v5, v7 } from 'uuid';

/**
 * Returns a new id (UUID version 7, RFC 9562). Later ids sort after earlier ones, so posts and media sorted by id are in the
 * order of their creation.
 *
 * @param now epoch milliseconds
 */
export function newId(now: number): string {
  return v7({ msecs: now });
}

/** Returns a UUID (version 5) derived from the parts: the same parts always give the same id. */
export function derivedId(namespace: string, ...parts: readonly string[]): string {
  return v5(JSON.stringify(parts), namespace);
}

/**
 * Returns a UUID (version 7) derived from the moment and the parts: the same input always gives the same id, and it sorts by its
 * moment among the ids of {@link newId}. A digest of the parts takes the place of the random bits.
 *
 * @param epochMs the moment in epoch milliseconds, a whole number
 */
export function derivedTimeId(epochMs: number, ...parts: readonly string[]): string {
  const digest = createHash('sha256').update(JSON.stringify(parts), 'utf8').digest();
  return v7({ msecs: epochMs, random: digest });
}

/**
 * Returns a text that sorts before every id of {@link newId} from that millisecond on, and after all earlier ones: such ids begin
 * with the time in 48 bits (RFC 9562, section 5.7).
 *
 * @param epochMs at least 0
 */
export function firstIdAt(epochMs: number): string {
  const digits = epochMs.toString(16).padStart(12, '0');
  return `${digits.slice(0, 8)}-${digits.slice(8)}`;
}

const uuidPattern = /^[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

/** True if the text is a UUID in its canonical, lower-case form, the only form that Herald issues. */
export function isId(text: string): boolean {
  return uuidPattern.test(text);
}

/**
 * Returns a UUID in its canonical form, whatever its case; any other text unchanged (RFC 9562, section 4: input is
 * case-insensitive).
 */
export function canonicalId(text: string): string {
  const lower = text.toLowerCase();
  return isId(lower) ? lower : text;
}

const base62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** Returns random letters and digits from a secure source: about 5.95 bits per character, without modulo bias. */
export function randomToken(length: number): string {
  let token = '';
  while (token.length < length) {
    for (const byte of randomBytes(length)) {
      if (byte < 248 && token.length < length) token += base62[byte % 62];
    }
  }
  return token;
}

/** Returns the SHA-256 of the UTF-8 text, in hexadecimal. */
export function sha256(text: string): string {
  return createHash('sha256').update(text, 'utf8').digest('hex');
}
