import { randomToken, sha256 } from '../kernel/ids.ts';

/**
 * The form of an API key: `yay_`, 40 random letters and digits (238 bits), and a 6-character checksum. With prefix and checksum,
 * secret scanners can find leaked keys, and Herald rejects mistyped keys without a look-up.
 */
const keyPattern = /^yay_[0-9A-Za-z]{46}$/;
const prefix = 'yay_';
const randomLength = 40;
const checksumLength = 6;

/** Returns a new API key. The key is shown once; only its digest is stored. */
export function generateApiKey(): string {
  const random = randomToken(randomLength);
  return `${prefix}${random}${checksum(random)}`;
}

/** True if the text has the form of an API key. It may never have been issued. */
export function isApiKey(text: string): boolean {
  if (!keyPattern.test(text)) return false;
  const random = text.slice(prefix.length, -checksumLength);
  return text.endsWith(checksum(random));
}

/** Returns the digest that is stored instead of the key. A plain SHA-256 is safe, because the key has 238 random bits. */
export function apiKeyDigest(apiKey: string): string {
  return sha256(apiKey);
}

/**
 * Returns the last four characters, by which people recognize a key in a list. They are part of its checksum, and reveal 16 of
 * the 238 random bits.
 */
export const lastFourOf = (apiKey: string): string => apiKey.slice(-4);

function checksum(random: string): string {
  return sha256(`checksum:${random}`).slice(0, checksumLength);
}
