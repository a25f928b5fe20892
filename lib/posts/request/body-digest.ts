import { sha256 } from '../../kernel/ids.ts';
import { canonicalJson, type Json } from '../../kernel/json.ts';

/**
 * Returns a digest that is equal for two requests with the same body. White space and the order of keys do not count, and neither
 * does the idempotency key, which may be in the header instead. It depends only on the JSON, not on the schemas of a release, so
 * that a deployment between two requests makes no difference. Text that is not a JSON object is used unchanged.
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
