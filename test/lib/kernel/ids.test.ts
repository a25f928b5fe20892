import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { derivedId, derivedTimeId, isId, newId, randomToken, sha256 } from '../../../lib/kernel/ids.ts';

const instants = fc.integer({ min: 0, max: Date.parse('9999-12-31T23:59:59Z') });

describe('newId', () => {
  it('makes ids whose text order is the order of their times', () => {
    fc.assert(
      fc.property(instants, instants, (one, other) => {
        fc.pre(one !== other);
        expect(newId(one) < newId(other)).toBe(one < other);
      }),
    );
  });

  it('makes canonical, unique UUIDs of version 7', () => {
    const ids = Array.from({ length: 5_000 }, () => newId(1_700_000_000_000));
    expect(new Set(ids).size).toBe(ids.length);
    for (const id of ids) expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-/);
    expect(ids.every(isId)).toBe(true);
  });
});

describe('isId', () => {
  it.each([
    ['0190a0e0-0000-7000-8000-000000000000', true],
    ['6ba7b810-9dad-11d1-80b4-00c04fd430c8', true],
    ['0190A0E0-0000-7000-8000-000000000000', false],
    ['{0190a0e0-0000-7000-8000-000000000000}', false],
    ['0190a0e0000070008000000000000000', false],
    ['0190a0e0-0000-9000-8000-000000000000', false],
    ['0190a0e0-0000-7000-c000-000000000000', false],
    ['00000000-0000-0000-0000-000000000000', false],
    ['0190a0e0-0000-7000-8000-000000000000\n', false],
    [' 0190a0e0-0000-7000-8000-000000000000', false],
    ['', false],
  ])('isId(%j) is %s', (text, is) => {
    expect(isId(text)).toBe(is);
  });
});

describe('derivedId', () => {
  const namespace = '0190a0e0-0000-7000-8000-000000000000';

  it('is the same for the same parts and differs for any other parts, however they are split', () => {
    const parts = fc.array(fc.string(), { maxLength: 4 });
    fc.assert(
      fc.property(parts, parts, (one, other) => {
        expect(derivedId(namespace, ...one)).toBe(derivedId(namespace, ...one));
        const isSame = JSON.stringify(one) === JSON.stringify(other);
        expect(derivedId(namespace, ...one) === derivedId(namespace, ...other)).toBe(isSame);
      }),
    );
    expect(derivedId(namespace, 'ab', 'c')).not.toBe(derivedId(namespace, 'a', 'bc'));
  });

  it('is an id', () => {
    expect(isId(derivedId(namespace, 'instagram', '17841400000000000'))).toBe(true);
  });
});

describe('derivedTimeId', () => {
  const parts = fc.array(fc.string(), { maxLength: 4 });

  it('is the same for the same moment and parts, and differs for any other parts', () => {
    fc.assert(
      fc.property(instants, parts, parts, (moment, one, other) => {
        expect(derivedTimeId(moment, ...one)).toBe(derivedTimeId(moment, ...one));
        const isSame = JSON.stringify(one) === JSON.stringify(other);
        expect(derivedTimeId(moment, ...one) === derivedTimeId(moment, ...other)).toBe(isSame);
      }),
    );
  });

  it('sorts among new ids by its moment', () => {
    fc.assert(
      fc.property(instants, instants, parts, (one, other, names) => {
        fc.pre(one !== other);
        expect(derivedTimeId(one, ...names) < newId(other)).toBe(one < other);
        expect(isId(derivedTimeId(one, ...names))).toBe(true);
      }),
    );
  });
});

it('makes random tokens of the given length that use all letters and digits', () => {
  const tokens = Array.from({ length: 200 }, () => randomToken(40));
  for (const token of tokens) expect(token).toMatch(/^[0-9A-Za-z]{40}$/);
  expect(new Set(tokens).size).toBe(tokens.length);
  expect(new Set(tokens.join('')).size).toBe(62);
});

it('digests the UTF-8 text (FIPS 180-2, example B.1)', () => {
  expect(sha256('abc')).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad');
});
