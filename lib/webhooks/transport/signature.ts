import { createHmac } from 'node:crypto';
import { randomToken } from '../../kernel/ids.ts';

/** A secret is `whsec_` and 40 random letters and digits (238 bits). */
export function newWebhookSecret(): string {
  return `whsec_${randomToken(40)}`;
}

/**
 * The header `X-Service-Signature`: `t=<unix seconds>,v1=<hex>`, with one `v1=` for each secret that is live, the newest
 * first. Each is the HMAC-SHA256 of `<t>.<raw body>`; its key is the whole secret as it was shown, `whsec_` included.
 *
 * @param rawBody the very bytes that are sent
 * @param unixSeconds when this attempt is made, in whole seconds
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
