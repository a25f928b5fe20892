import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { bodyDigestOf } from '../../../../lib/posts/request/body-digest.ts';

/** The same value with the keys of each object in another order. */
function reversed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(reversed);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(([key, entry]) => [key, reversed(entry)] as const);
  return Object.fromEntries(entries.reverse());
}

const bodies = fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 3 }), { noNullPrototype: true });

describe('the digest of a body', () => {
  it('does not depend on white space, the order of keys, and the idempotency key', () => {
    fc.assert(
      fc.property(bodies, fc.string(), (body, idempotencyKey) => {
        const digest = bodyDigestOf(JSON.stringify(body));
        expect(bodyDigestOf(JSON.stringify(reversed(body), null, 2))).toBe(digest);
        const { idempotencyKey: _, ...rest } = body as Record<string, unknown>;
        expect(bodyDigestOf(JSON.stringify({ ...rest, idempotencyKey }))).toBe(
          bodyDigestOf(JSON.stringify(rest)),
        );
      }),
    );
  });

  it('differs if anything else does', () => {
    fc.assert(
      fc.property(bodies, bodies, (one, other) => {
        const isSame = JSON.stringify(sorted(one)) === JSON.stringify(sorted(other));
        expect(bodyDigestOf(JSON.stringify(one)) === bodyDigestOf(JSON.stringify(other))).toBe(isSame);
      }),
    );
    const texts = ['{}', '{"a":[1,2]}', '{"a":[2,1]}', '{"a":"1"}', '{"a":1}', '{"a":{"idempotencyKey":1}}'];
    expect(new Set(texts.map(bodyDigestOf)).size).toBe(texts.length);
  });

  it('is of the text if that is not a JSON object', () => {
    expect(bodyDigestOf('')).not.toBe(bodyDigestOf('x'));
  });
});

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return ['list', ...value.map(sorted)];
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value)
    .filter(([key]) => key !== 'idempotencyKey')
    .map(([key, entry]) => [key, sorted(entry)])
    .sort(([one], [other]) => (String(one) < String(other) ? -1 : 1));
  return ['object', ...entries];
}
