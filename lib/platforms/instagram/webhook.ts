import { createHmac, timingSafeEqual } from 'node:crypto';
import type { InboundDelivery, InboundEvent } from '../contract/inbound.ts';
import { parsePlatformJson } from '../shared/json.ts';
import { isRecord, type Reading, readEntry } from './inbound.ts';

/**
 * Meta's check of a callback address ("Webhooks: Getting Started").
 *
 * @param verifyToken the operator's; without one every check fails
 * @returns the challenge, to be answered raw with 200; undefined: answer 403
 */
export function subscriptionChallenge(
  query: Readonly<Record<string, string | undefined>>,
  verifyToken: string | undefined,
): string | undefined {
  const isAsked = query['hub.mode'] === 'subscribe' && query['hub.challenge'] !== undefined;
  const isKnown =
    verifyToken !== undefined && verifyToken !== '' && isSame(query['hub.verify_token'] ?? '', verifyToken);
  return isAsked && isKnown ? query['hub.challenge'] : undefined;
}

/**
 * Whether `X-Hub-Signature-256` is that of one of the secrets. With Instagram Login, deliveries are signed with the
 * secret of the Instagram app or that of the Meta app.
 *
 * @param rawBody the bytes as they came
 */
export function isSignedByPlatform(
  rawBody: Uint8Array,
  header: string | undefined,
  secrets: readonly string[],
): boolean {
  const given = /^sha256=([0-9a-f]{64})$/i.exec(header?.trim() ?? '')?.[1];
  if (given === undefined) return false;
  const signature = Buffer.from(given, 'hex');
  const matches = secrets
    .filter((secret) => secret !== '')
    .map((secret) => timingSafeEqual(createHmac('sha256', secret).update(rawBody).digest(), signature));
  return matches.includes(true);
}

/** Compares digests, so that neither content nor length shows in the time it takes. */
function isSame(given: string, expected: string): boolean {
  const digest = (text: string) => createHmac('sha256', 'compare').update(text).digest();
  return timingSafeEqual(digest(given), digest(expected));
}

/**
 * Reads a delivery in any of the shapes that are documented or seen: changes within `entry`, `field` and `value` in the
 * entry itself, the whole body in a list. What is of no use here (echoes, own comments, reads, reactions, edits,
 * deletions, comments on live videos) is left out silently.
 *
 * Never throws. Ids are text, those beyond 2^53 that come as numbers included.
 *
 * @param body the raw body, its signature verified
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
