const shownCharacters = 1_000;

/** Enough for the characters that are shown: none of UTF-16's units takes more than three bytes of UTF-8. */
export const shownBytes = 3 * shownCharacters;

/**
 * The first 1,000 characters of an answer as people may see them in the log: what is no text, what controls a terminal
 * and what turns the direction of writing is shown as U+FFFD.
 *
 * @param bytes the beginning of the answer, read as UTF-8
 */
export function printableStart(bytes: Uint8Array): string {
  const text = new TextDecoder().decode(bytes);
  return text
    .slice(0, shownCharacters)
    .toWellFormed()
    .replaceAll(/[^\P{Cc}\n\t]|[\u2028-\u202e\u2066-\u2069\ufeff]/gu, '\ufffd');
}

/** The three forms of a date in HTTP (RFC 9110, 5.6.7); the last one names no zone and is in GMT. */
const httpDates = [
  /^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/,
  /^[A-Z][a-z]{5,8}, \d{2}-[A-Z][a-z]{2}-\d{2} \d{2}:\d{2}:\d{2} GMT$/,
  /^[A-Z][a-z]{2} [A-Z][a-z]{2} [ \d]\d \d{2}:\d{2}:\d{2} \d{4}$/,
];

/**
 * Reads the header `Retry-After`.
 *
 * @param now epoch milliseconds
 * @returns whole seconds from now on, 0 for a time that has passed; undefined for what is neither seconds nor a date
 */
export function parseRetryAfter(header: string | undefined, now: number): number | undefined {
  const text = header?.trim() ?? '';
  if (/^\d{1,10}$/.test(text)) return Number(text);
  const form = httpDates.findIndex((pattern) => pattern.test(text));
  if (form === -1) return undefined;
  const at = Date.parse(text.endsWith('GMT') ? text : `${text} GMT`);
  return Number.isNaN(at) ? undefined : Math.max(0, Math.ceil((at - now) / 1_000));
}

/**
 * Why an answer counts as failed, in words; null for 2xx.
 *
 * @param statusCode as the receiver sent it
 */
export function refusalIn(statusCode: number): string | null {
  if (statusCode >= 200 && statusCode < 300) return null;
  if (statusCode === 410) return 'answered 410: the receiver wants no more events';
  const isRedirect = statusCode >= 300 && statusCode < 400 && statusCode !== 304;
  return isRedirect
    ? `answered ${statusCode}: redirects are not followed, so the endpoint must be the final URL`
    : `answered ${statusCode}`;
}
