import fc from 'fast-check';
import { expect, it } from 'vitest';
import { readNumber } from '../../../../lib/media/probe/ebml-elements.ts';

/** A number in this many bytes, with its mark (RFC 8794, section 4). */
function encoded(value: bigint, bytes: number): Buffer {
  const marked = value | (1n << BigInt(7 * bytes));
  return Buffer.from(marked.toString(16).padStart(2 * bytes, '0'), 'hex');
}

const lengths = [1, 2, 3, 4, 5, 6, 7, 8];

it.each(lengths)('reads a size of %d bytes exactly', (bytes) => {
  const most = Math.min(2 ** (7 * bytes) - 2, Number.MAX_SAFE_INTEGER);
  fc.assert(
    fc.property(fc.oneof(fc.nat(Math.min(most, 2_000)), fc.maxSafeNat()), (number) => {
      const value = number % (most + 1);
      expect(readNumber(encoded(BigInt(value), bytes), 0, 8)).toMatchObject({
        bytes,
        value,
        isAllOnes: false,
      });
    }),
  );
});

it.each(lengths)('reads a size of %d bytes that is unknown', (bytes) => {
  const unknown = encoded((1n << BigInt(7 * bytes)) - 1n, bytes);
  expect(readNumber(unknown, 0, 8)).toMatchObject({ bytes, isAllOnes: true });
});

it.each([
  ['a first byte of 0, which has no mark in 8 bytes', '0001000000000000'],
  ['no bytes', ''],
  ['too few bytes', '0100000000'],
])('reads nothing from %s', (_what, hex) => {
  expect(readNumber(Buffer.from(hex, 'hex'), 0, 8)).toBeUndefined();
});

it('reads no id of more than 4 bytes', () => {
  expect(readNumber(Buffer.from('0800000001', 'hex'), 0, 4)).toBeUndefined();
});
