import { sha256 } from '../../kernel/ids.ts';
import { canonicalJson, type Json } from '../../kernel/json.ts';

/** What identifies a repeated request as the same one. */
export interface Idempotency {
  readonly idempotencyKey?: string | undefined;
  /** Proxies reuse it for different requests, so it counts only together with an identical body. */
  readonly requestId?: string | undefined;
  /** JSON. */
  readonly rawBody: string;
}

/** Under which an idempotency record is stored; `undefined` if the request has no key. @param fromBody wins over the header */
export function idempotencyDigest(
  fromBody: string | undefined,
  { idempotencyKey: fromHeader, requestId, rawBody }: Idempotency,
): string | undefined {
  const clientKey = fromBody ?? fromHeader;
  if (clientKey !== undefined) return sha256(`key:${clientKey}`);
  if (requestId !== undefined) return sha256(`request:${sha256(requestId)}:${sha256(rawBody)}`);
  return undefined;
}

/**
 * Tells whether two requests with the same key have the same body. White space and the order of keys do not count, and neither
 * does the idempotency key, which may be in the header instead. It depends on the JSON alone, not on the schemas of a release, so
 * that a deployment between two requests makes no difference. Text that is not a JSON object counts as it is.
 */
export function bodyDigestOf(rawBody: string): string {
  return sha256(counted(rawBody));
}

function counted(rawBody: string): string {
  try {
    const { idempotencyKey: _, ...body } = JSON.parse(rawBody) as Record<string, Json>;
    return canonicalJson(body);
  } catch {
    return rawBody;
  }
}
