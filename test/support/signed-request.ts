import { createHmac } from 'node:crypto';

/** A `signed_request` as Meta makes it, of any payload. The signature is over the payload's encoded text. */
export function signRequest(payload: unknown, secret: string): string {
  const text = typeof payload === 'string' ? payload : JSON.stringify(payload);
  return signEncoded(Buffer.from(text).toString('base64url'), secret);
}

/** The same of a payload that is encoded already. */
export function signEncoded(encoded: string, secret: string): string {
  return `${createHmac('sha256', secret).update(encoded).digest('base64url')}.${encoded}`;
}

/** The body of Meta's POST. */
export const signedForm = (payload: unknown, secret: string): string =>
  `${new URLSearchParams({ signed_request: signRequest(payload, secret) })}`;
