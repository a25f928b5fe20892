import { createHmac, timingSafeEqual } from 'node:crypto';
import { minuteMs, secondMs } from '../../../lib/kernel/clock.ts';

/** Maximum age of a request. An older one may be a replay. */
const maxAgeMs = 5 * minuteMs;

/**
 * Returns true if the header `X-Service-Signature` is valid, checked as `docs/webhooks.md` tells receivers to. Pure.
 *
 * @param rawBody the bytes as they arrived
 * @param secret the endpoint's whole secret, `whsec_…`
 * @param nowMs epoch milliseconds
 */
export function isFromHerald(rawBody: Uint8Array, header: string, secret: string, nowMs: number): boolean {
  const parts = header.split(',').map((part) => part.split('='));
  const seconds = parts.find(([name]) => name === 't')?.[1];
  if (!(Math.abs(nowMs - Number(seconds) * secondMs) <= maxAgeMs)) return false;
  const expected = createHmac('sha256', secret).update(`${seconds}.`).update(rawBody).digest();
  return parts.some(([name, hex = '']) => {
    const given = Buffer.from(hex, 'hex');
    return name === 'v1' && given.length === expected.length && timingSafeEqual(given, expected);
  });
}
