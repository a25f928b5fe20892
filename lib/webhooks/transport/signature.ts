import { createHmac } from 'node:crypto';
import { randomToken } from '../../kernel/ids.ts';

/** Returns a new signing secret: `whsec_` and 40 random letters and digits (238 bits). */
export function newWebhookSecret(): string {
  return `whsec_${randomToken(40)}`;
}

/**
 * Builds the header `X-Service-Signature`: `t=<unix seconds>,v1=<hex>`, with one `v1=` per valid secret, newest first.
 * Each is the HMAC-SHA256 of `<t>.<raw body>`. The key is the whole secret as it was shown, including `whsec_`.
 *
 * @param rawBody the exact bytes that are sent
 * @param unixSeconds the time of this attempt, in whole seconds
 */
export function signatureHeader(
  rawBody: string | Uint8Array,
  unixSeconds: number,
  secrets: readonly string[],
): string {
  const signatures = secrets.map((secret) => `v1=${signatureOf(rawBody, unixSeconds, secret)}`);
  return [`t=${unixSeconds}`, ...signatures].join(',');
}

function signatureOf(rawBody: string | Uint8Array, unixSeconds: number, secret: string): string {
  return createHmac('sha256', secret).update(`${unixSeconds}.`).update(rawBody).digest('hex');
}
