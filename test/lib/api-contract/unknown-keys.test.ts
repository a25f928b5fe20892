import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { unknownKeys } from '../../../lib/api-contract/unknown-keys.ts';

const Tag = z.object({ username: z.string(), x: z.number().optional() });
const Schema = z.lazy(() =>
  z
    .object({
      title: z.string().trim().optional(),
      tags: z.union([z.string().transform((tag) => [tag]), z.array(Tag)]).optional(),
      cover: z.object({ second: z.int() }).nullable().default(null),
      byAccount: z.record(z.string(), Tag).optional(),
      link: z.string().transform((link) => ({ link })),
      more: z.looseObject({ kind: z.string() }).optional(),
    })
    .refine(() => true),
);

describe('unknown keys', () => {
  it.each<[string, unknown, object[]]>([
    ['are none if the schema has every key', { title: 'T', tags: 'a', cover: { second: 1 } }, []],
    ['are found in the value itself', { titel: 'T' }, [{ path: ['titel'], nearest: 'title' }]],
    ['have no nearest name if none is near', { poll: {} }, [{ path: ['poll'] }]],
    ['are found in lists', { tags: [{ username: 'a' }, { user: 'b' }] }, [{ path: ['tags', 1, 'user'] }]],
    [
      'are found in records',
      { byAccount: { a: { X: 1 } } },
      [{ path: ['byAccount', 'a', 'X'], nearest: 'x' }],
    ],
    [
      'are found below defaults',
      { cover: { seconds: 1 } },
      [{ path: ['cover', 'seconds'], nearest: 'second' }],
    ],
    ['are none in a loose object', { more: { kind: 'a', any: { thing: 1 } } }, []],
    ['do not include keys without a value', { poll: null, reshare: undefined }, []],
    ['do not include keys that every object inherits', { link: 'a', title: 'toString' }, []],
    ['include own keys with the names of inherited ones', { toString: 1 }, [{ path: ['toString'] }]],
  ])('%s', (_, value, expected) => {
    expect(unknownKeys(Schema, value)).toEqual(expected);
  });

  it('are found without building a lazy schema more than once', () => {
    let built = 0;
    const lazy = z.lazy(() => {
      built += 1;
      return z.object({ title: z.string() });
    });
    for (const value of [{ titel: 'T' }, { title: 'T' }]) unknownKeys(lazy, value);
    expect(built).toBe(1);
  });

  it('of any JSON are those that a strict schema refuses', () => {
    const strict = z.strictObject({ a: z.any(), b: z.any() }).partial();
    const loose = z.object({ a: z.any(), b: z.any() }).partial();
    fc.assert(
      fc.property(fc.dictionary(fc.constantFrom('a', 'b', 'c', 'd', '__proto__'), fc.integer()), (value) => {
        const refused =
          strict.safeParse(value).error?.issues.flatMap((issue) => Reflect.get(issue, 'keys')) ?? [];
        expect(unknownKeys(loose, value).map(({ path }) => path[0])).toEqual(refused);
      }),
    );
  });
});
