import { randomToken, sha256 } from '../kernel/ids.ts';

/**
 * A key is `yay_`, 40 random letters and digits (238 bits), and a 6-character checksum. The prefix and the checksum
 * let secret scanners find a leaked key, and let us turn away a mistyped one without a look-up.
 */
const keyPattern = /^yay_[0-9A-Za-z]{46}$/;
const prefix = 'yay_';
const randomLength = 40;
const checksumLength = 6;

/** Makes a key. It is shown once; only its digest is stored. */
export function generateApiKey(): string {
  const random = randomToken(randomLength);
  return `${prefix}${random}${checksum(random)}`;
}

/** Whether the text has the form of a key. Says nothing of whether the key was ever issued. */
export function isApiKey(text: string): boolean {
  if (!keyPattern.test(text)) return false;
  const random = text.slice(prefix.length, -checksumLength);
  return text.endsWith(checksum(random));
}

/** What is stored in a key's place. A plain SHA-256 is enough: there are 238 bits to guess. */
export function apiKeyDigest(apiKey: string): string {
  return sha256(apiKey);
}

function checksum(random: string): string {
  return sha256(`checksum:${random}`).slice(0, checksumLength);
}
