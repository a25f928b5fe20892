import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type CursorScope, openCursor, sealCursor } from '../../../lib/table/cursor.ts';

const scope: CursorScope = { secret: 'secret', listing: 'posts', filters: { status: 'draft' } };
const refusal = 'cursor: is not a cursor of this list with these filters; start again without it';
const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_.=+/ ';

it('opens to the position that it was made from', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), fc.string(), (position, secret) => {
      const own = { ...scope, secret };
      expect(openCursor(own, sealCursor(own, position))).toBe(position);
    }),
  );
});

it('consists of characters that need no escaping in a URL', () => {
  expect(sealCursor(scope, 'TARGET#ü/?&')).toMatch(/^[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+$/);
});

it('ignores absent filters and the order of filters', () => {
  const sealed = sealCursor({ ...scope, filters: { a: '1', b: '2', c: undefined } }, 'place');
  expect(openCursor({ ...scope, filters: { b: '2', a: '1' } }, sealed)).toBe('place');
});

describe('is rejected with', () => {
  it.each<[string, Partial<CursorScope>]>([
    ['another workspace', { secret: 'another secret' }],
    ['another list', { listing: 'accounts' }],
    ['another filter value', { filters: { status: 'failed' } }],
    ['no filter', { filters: {} }],
    ['one more filter', { filters: { status: 'draft', accountId: 'a' } }],
    ['another filter of that value', { filters: { accountId: 'draft' } }],
  ])('%s', (_where, difference) => {
    expect(() => openCursor({ ...scope, ...difference }, sealCursor(scope, 'place'))).toThrow(refusal);
  });
});

const opens = (text: string): boolean => {
  try {
    openCursor(scope, text);
    return true;
  } catch {
    return false;
  }
};

describe('is rejected', () => {
  const cursor = sealCursor(scope, '0190a0e0-0000-7000-8000-000000000000');

  it('if any character is replaced by any other', () => {
    const tampered = [...cursor].flatMap((kept, place) =>
      [...alphabet]
        .filter((character) => character !== kept)
        .map((character) => cursor.slice(0, place) + character + cursor.slice(place + 1)),
    );
    expect(tampered.filter((text) => opens(text))).toEqual([]);
  });

  it('if it is cut or extended anywhere', () => {
    for (let place = 0; place < cursor.length; place += 1) {
      expect(() => openCursor(scope, cursor.slice(0, place))).toThrow(refusal);
      expect(() => openCursor(scope, cursor.slice(place + 1))).toThrow(refusal);
    }
    for (const character of alphabet) {
      expect(() => openCursor(scope, cursor + character)).toThrow(refusal);
      expect(() => openCursor(scope, character + cursor)).toThrow(refusal);
    }
  });

  it('if it is any other text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        expect(() => openCursor(scope, text)).toThrow(refusal);
      }),
    );
  });
});
