import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { HeraldError } from '../../../lib/kernel/errors.ts';
import { parseJson } from '../../../lib/kernel/json.ts';

function refusalOf(text: string): string {
  try {
    parseJson(text);
  } catch (error) {
    if (error instanceof HeraldError) return `${error.code} ${error.message}`;
    throw error;
  }
  return 'accepted';
}

const nested = (depth: number, inner = '1') => '['.repeat(depth) + inner + ']'.repeat(depth);

describe('parseJson rejects and names the field:', () => {
  it.each([
    ['nothing', '', 'body_malformed body: must be valid JSON'],
    ['half a document', '{"a":', 'body_malformed body: must be valid JSON'],
    ['a comment', '{} // no', 'body_malformed body: must be valid JSON'],
    ['a trailing comma', '{"a":1,}', 'body_malformed body: must be valid JSON'],
    ['NaN', '{"a":NaN}', 'body_malformed body: must be valid JSON'],
    ['a byte order mark', '\uFEFF{}', 'body_malformed body: must be valid JSON'],
    ['an unescaped control character', '{"a":"\u0001"}', 'body_malformed body: must be valid JSON'],
    ['NUL', '{"a":"x\\u0000"}', 'field_format a: must not contain the character U+0000'],
    ['NUL in a name', '{"a":{"\\u0000":1}}', 'field_format a: must not contain the character U+0000'],
    ['NUL in a top-level name', '{"\\u0000":1}', 'field_format body: must not contain the character U+0000'],
    [
      'a lone high surrogate',
      '{"a":["ok","\\ud83d"]}',
      'field_format a[1]: must not contain half of a surrogate',
    ],
    ['a lone low surrogate', '{"a":"\\ude00x"}', 'field_format a: must not contain half of a surrogate pair'],
    [
      'swapped surrogates',
      '"\\ude00\\ud83d"',
      'field_format body: must not contain half of a surrogate pair',
    ],
    ['a number too large for a double', '{"a":{"b":1e400}}', 'field_out_of_range a.b: number too large'],
    ['a negative number too large for a double', '[-1e400]', 'field_out_of_range [0]: number too large'],
    ['an integer that would change', '{"id":9007199254740993}', 'field_out_of_range id: number too large'],
    ['a large power of ten', '{"id":1e21}', 'field_out_of_range id: number too large'],
    [
      'NUL under a name of Object.prototype',
      '{"__proto__":"\\u0000"}',
      'field_format __proto__: must not contain',
    ],
    [
      'a huge number under such a name',
      '{"constructor":1e400}',
      'field_out_of_range constructor: number too large',
    ],
    ['33 levels', nested(33), 'body_malformed '],
    ['10,000 levels', nested(10_000), 'body_malformed '],
    ['more values than any request needs', `[${'0,'.repeat(200_000)}0]`, 'body_malformed body: '],
    [
      'more names than any request needs',
      `{${Array.from({ length: 200_000 }, (_, name) => `"${name}":0`)}}`,
      'body_malformed body: ',
    ],
  ])('%s', (_what, text, refusal) => {
    expect(refusalOf(text).slice(0, refusal.length)).toBe(refusal);
  });
});

describe('parseJson accepts:', () => {
  it.each([
    ['32 levels', nested(32)],
    ['the largest exact integer', '9007199254740991'],
    ['minus zero, fractions and small powers', '[-0, 0.1, 1e-400, 1.5e3]'],
    ['paired surrogates', '"\\ud83d\\ude00"'],
    ['other control characters, escaped', '"\\u0001\\t"'],
    ['an empty object and null', '{"a":{},"b":null}'],
    ['a long text', JSON.stringify('x'.repeat(1_000_000))],
  ])('%s', (_what, text) => {
    expect(parseJson(text)).toEqual(JSON.parse(text));
  });

  it('a repeated name, with its last value, as every parser does', () => {
    expect(parseJson('{"a":1,"a":2}')).toEqual({ a: 2 });
  });

  it('__proto__ as an ordinary name, without touching the prototype', () => {
    const value = parseJson('{"__proto__":{"isAdmin":true}}');
    expect(Object.keys(value as object)).toEqual(['__proto__']);
    expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
    expect((value as { isAdmin?: boolean }).isAdmin).toBeUndefined();
  });
});

it('returns every JSON text that can be stored and rejects every other text with an error', () => {
  fc.assert(
    fc.property(fc.json({ maxDepth: 10 }), (text) => {
      const refusal = refusalOf(text);
      if (refusal === 'accepted') expect(parseJson(text)).toEqual(JSON.parse(text));
      else expect(refusal).toMatch(/^(body_malformed|field_\w+) .*: /su);
    }),
    { numRuns: 500 },
  );
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      expect(refusalOf(text)).toMatch(/^(accepted|body_malformed .*: |field_\w+ .*: )/su);
    }),
    { numRuns: 500 },
  );
});
