const shownCharacters = 1_000;

/** The number of bytes that suffice for the shown characters: a UTF-16 unit takes at most three bytes of UTF-8. */
export const shownBytes = 3 * shownCharacters;

/**
 * Returns the first 1,000 characters of a response, safe to show in the log. Invalid text, control characters and characters that
 * change the writing direction are replaced with U+FFFD.
 *
 * @param bytes the beginning of the response, read as UTF-8
 */
export function printableStart(bytes: Uint8Array): string {
  const text = new TextDecoder().decode(bytes);
  return text
    .slice(0, shownCharacters)
    .toWellFormed()
    .replaceAll(/[^\P{Cc}\n\t]|[\u2028-\u202e\u2066-\u2069\ufeff]/gu, '\ufffd');
}

/**
 * Returns the reason that a response counts as failed, in words; null for 2xx.
 *
 * @param statusCode as the receiver sent it
 */
export function refusalIn(statusCode: number): string | null {
  if (statusCode >= 200 && statusCode < 300) return null;
  if (statusCode === 410) return 'responded 410: the receiver wants no more events';
  const isRedirect = statusCode >= 300 && statusCode < 400 && statusCode !== 304;
  return isRedirect
    ? `responded ${statusCode}: redirects are not followed, so change the endpoint to the final URL`
    : `responded ${statusCode}`;
}
