import { createHmac, timingSafeEqual } from 'node:crypto';
import type { InboundDelivery, InboundEvent } from '../contract/inbound.ts';
import { parsePlatformJson } from '../shared/json.ts';
import { isRecord, type Reading, readEntry } from './inbound.ts';

/** Returns true if a query has the form of Meta's verification of the webhook's URL, with any token. */
export const asksForChallenge = (query: Readonly<Record<string, string | undefined>>): boolean =>
  query['hub.mode'] === 'subscribe' &&
  query['hub.challenge'] !== undefined &&
  query['hub.verify_token'] !== undefined;

/**
 * Answers Meta's verification of the webhook's URL ("Webhooks: Getting Started").
 *
 * @param verifyToken the operator's token; without one every verification fails
 * @returns the challenge, to send unchanged with status 200; undefined if the response must be 403
 */
export function subscriptionChallenge(
  query: Readonly<Record<string, string | undefined>>,
  verifyToken: string | undefined,
): string | undefined {
  const isSubscribing = query['hub.mode'] === 'subscribe' && query['hub.challenge'] !== undefined;
  const isTokenValid =
    verifyToken !== undefined && verifyToken !== '' && isSame(query['hub.verify_token'] ?? '', verifyToken);
  return isSubscribing && isTokenValid ? query['hub.challenge'] : undefined;
}

/**
 * Returns true if `X-Hub-Signature-256` has the form of a signature. Needs no secret, so it refuses strangers before
 * anything is read.
 */
export const hasSignature = (header: string | undefined): boolean => signatureIn(header) !== undefined;

const signatureIn = (header: string | undefined): string | undefined =>
  /^sha256=([0-9a-f]{64})$/i.exec(header?.trim() ?? '')?.[1];

/**
 * Returns true if `X-Hub-Signature-256` was made with one of the secrets. With Instagram Login, Meta signs deliveries
 * with the secret of either the Instagram app or the Meta app.
 *
 * @param rawBody the received bytes, unchanged
 */
export function isSignedByPlatform(
  rawBody: Uint8Array,
  header: string | undefined,
  secrets: readonly string[],
): boolean {
  const given = signatureIn(header);
  if (given === undefined) return false;
  const signature = Buffer.from(given, 'hex');
  const matches = secrets
    .filter((secret) => secret !== '')
    .map((secret) => timingSafeEqual(createHmac('sha256', secret).update(rawBody).digest(), signature));
  return matches.includes(true);
}

/** Compares digests in constant time, so that timing reveals neither content nor length. */
function isSame(given: string, expected: string): boolean {
  const digest = (text: string) => createHmac('sha256', 'compare').update(text).digest();
  return timingSafeEqual(digest(given), digest(expected));
}

/**
 * Parses a delivery in any format that Meta documents or has sent: changes in `entry`, `field` and `value` in the entry
 * itself, or the whole body in a list. Silently ignores events that Herald does not use (echoes, own comments, reads,
 * reactions, edits, deletions, comments on live videos).
 *
 * Never throws. All ids are text, including numbers beyond 2^53.
 *
 * @param body the raw body; verify its signature first
 */
export function readDelivery(body: string): InboundDelivery {
  const parsed = parsePlatformJson(body);
  const readings = (Array.isArray(parsed) ? parsed : [parsed]).flatMap((delivery): readonly Reading[] => {
    const isOurs = isRecord(delivery) && (delivery['object'] ?? 'instagram') === 'instagram';
    const entries = isOurs ? delivery['entry'] : undefined;
    return Array.isArray(entries) ? entries.flatMap(readEntry) : ['unreadable'];
  });
  return {
    events: readings.filter((reading): reading is InboundEvent => typeof reading === 'object'),
    unreadable: readings.filter((reading) => reading === 'unreadable').length,
  };
}
