import { dayMs, toTimestamp } from '../kernel/clock.ts';
import { HeraldError } from '../kernel/errors.ts';
import { sha256 } from '../kernel/ids.ts';
import { canonicalJson, type Json } from '../kernel/json.ts';
import type { KeyedRequest, Target } from '../targets/schemas.ts';
import { idempotencyDays } from './stored/store.ts';

/** The use of an idempotency key by a request about an existing post. The key counts for that post only. */
export type KeyUse = Pick<KeyedRequest, 'keyDigest' | 'bodyDigest'>;

/** The number of requests that a target remembers, so that they fit into its item. Our judgement. */
const maxRemembered = 50;

/**
 * Returns the use of a request's idempotency key; `undefined` if it has none.
 *
 * @param asked what the request asks for, equal for equal requests
 */
export function keyUse(idempotencyKey: string | undefined, asked: Json): KeyUse | undefined {
  if (idempotencyKey === undefined) return undefined;
  return { keyDigest: sha256(`key:${idempotencyKey}`), bodyDigest: sha256(canonicalJson(asked)) };
}

/**
 * Returns true if one of a post's targets has handled the request before. Pure.
 *
 * @param now epoch milliseconds
 * @throws HeraldError `idempotency_key_foreign` if the key was used for another request about this post
 */
export function isHandled(targets: readonly Target[], use: KeyUse | undefined, now: number): boolean {
  if (use === undefined) return false;
  const earlier = targets
    .flatMap((target) => remembered(target, now))
    .filter(({ keyDigest }) => keyDigest === use.keyDigest);
  if (earlier.some(({ bodyDigest }) => bodyDigest !== use.bodyDigest))
    throw new HeraldError(
      'idempotency_key_foreign',
      'Idempotency-Key: it was used for another request; use another one',
      { param: 'Idempotency-Key' },
    );
  return earlier.length > 0;
}

/** Returns the field of a target that also remembers this request. Pure. @param now epoch milliseconds */
export function withRequest(target: Target, use: KeyUse | undefined, now: number): Pick<Target, 'requests'> {
  if (use === undefined) return {};
  return { requests: [...remembered(target, now), { ...use, at: toTimestamp(now) }].slice(-maxRemembered) };
}

const remembered = ({ requests = [] }: Target, now: number): KeyedRequest[] =>
  requests.filter(({ at }) => now < Date.parse(at) + idempotencyDays * dayMs);
