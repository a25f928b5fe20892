import { createHmac, timingSafeEqual } from 'node:crypto';
import * as z from 'zod';
import { secondMs } from '../../../kernel/clock.ts';
import { parsePlatformJson } from '../json.ts';
import { GraphId } from './graph.ts';

/** A person's removal of the app, or wish to have their data deleted, as Meta reports it in a signed request. */
export interface SignedRequest {
  /** The person's id for this app. */
  readonly userId: string;
  /** The time of Meta's signature, in epoch milliseconds, to the second; absent if it does not say. */
  readonly issuedAtMs?: number;
}

/** The only algorithm that Meta documents. */
const algorithm = 'HMAC-SHA256';

const Payload = z.object({
  /** The person's id. Part of a key of the table, so it must not contain `#`. */
  user_id: GraphId.refine((id) => /^[\w-]{1,64}$/.test(id)),
  /** Epoch seconds. */
  issued_at: z
    .int()
    .positive()
    .max(Date.parse('9999-12-31') / secondMs)
    .optional()
    .catch(undefined),
});

/**
 * Reads a `signed_request`: `<signature>.<payload>`, both in base64url. The signature is the HMAC-SHA256 of the encoded
 * payload, keyed by the app's secret. The comparison takes the same time wherever the signatures differ.
 *
 * The age is not checked: Meta documents no limit. A caller must tolerate a request that is sent again years later.
 * https://developers.facebook.com/docs/development/create-an-app/app-dashboard/data-deletion-callback (the parts and fields)
 *
 * @param secrets the secrets that may have signed it; empty ones never match
 * @returns `forged` if none of the secrets has signed it with this algorithm, `unreadable` if it is signed, but names nobody
 */
export function readSignedRequest(
  text: string,
  secrets: readonly string[],
): SignedRequest | 'forged' | 'unreadable' {
  const [signature = '', encoded = '', ...rest] = text.split('.');
  if (rest.length > 0 || !isSigned(encoded, signature, secrets)) return 'forged';
  const payload = parsePlatformJson(Buffer.from(encoded, 'base64url').toString('utf8'));
  if (!isOurAlgorithm(payload)) return 'forged';
  const read = Payload.safeParse(payload);
  if (!read.success) return 'unreadable';
  const { user_id: userId, issued_at: issuedAt } = read.data;
  return { userId, ...(issuedAt !== undefined && { issuedAtMs: issuedAt * secondMs }) };
}

function isSigned(encoded: string, signature: string, secrets: readonly string[]): boolean {
  // Node's decoder accepts padding and both alphabets of base64
  // (https://nodejs.org/api/buffer.html#buffers-and-character-encodings).
  const given = Buffer.from(signature, 'base64url');
  const matches = secrets
    .filter((secret) => secret !== '')
    .map((secret) => createHmac('sha256', secret).update(encoded, 'utf8').digest())
    .map((expected) => expected.length === given.length && timingSafeEqual(expected, given));
  return matches.includes(true);
}

function isOurAlgorithm(payload: unknown): boolean {
  const read = z.object({ algorithm: z.string() }).safeParse(payload);
  return read.success && read.data.algorithm.toUpperCase() === algorithm;
}
