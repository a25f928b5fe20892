import { secondMs } from '../../kernel/clock.ts';

/** Tolerance for clock skew between a platform and Herald, and for timestamps that have no milliseconds. */
const clockSlackMs = 30 * secondMs;

/**
 * Whether a listed post or reply is new enough to come from an intent.
 *
 * @param createdAt a timestamp (ISO 8601) or epoch milliseconds; an absent one counts as too old
 * @param intentAt epoch milliseconds
 */
export function isNotOlder(createdAt: string | number | undefined, intentAt: number): boolean {
  const createdMs = typeof createdAt === 'number' ? createdAt : Date.parse(createdAt ?? '');
  return createdMs >= intentAt - clockSlackMs;
}

/** Normalizes a text for comparison: platforms trim texts and may change line ends and the encoding of accents. */
export function plainText(text = ''): string {
  return text.normalize('NFC').replaceAll('\r\n', '\n').trim();
}

/** As {@link plainText}, for platforms that may change any whitespace. */
export function plainLine(text = ''): string {
  return text.normalize('NFC').replaceAll(/\s+/g, ' ').trim();
}
