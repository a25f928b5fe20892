import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { shortenText } from '../../../lib/links/shorten-text.ts';

const bytes = (text: string) => Buffer.byteLength(text);

describe('a text that is shortened to a number of bytes', () => {
  it.each<[string, number, string]>([
    // It fits.
    ['Hello there', 11, 'Hello there'],
    ['Hello there', Number.POSITIVE_INFINITY, 'Hello there'],
    // At the end of a word.
    ['Hello there, friend', 15, 'Hello there,…'],
    ['Hello there, friend', 14, 'Hello…'],
    ['Hello there friend', 17, 'Hello there…'],
    // Before an address that does not fit.
    ['Look: https://shop.example/a/b/c', 24, 'Look:…'],
    ['https://shop.example/a/b/c', 24, ''],
    ['Look https://shop.example/wiki/東京 now', 36, 'Look…'],
    ['点击https://shop.example/abc领取', 24, '点击…'],
    ['Look www.shop.example/a/b/c?d=e', 24, 'Look…'],
    ['Look shop.example/a/b/c?d=e', 24, 'Look…'],
    [`Look www.shop.example/${'a'.repeat(200)}`, 150, 'Look…'],
    // Behind an address that fits, with a space, so that the sign is not taken for a part of it.
    ['Look https://a.example/b and more', 29, 'Look https://a.example/b …'],
    ['Look https://a.example/b领取优惠', 29, 'Look https://a.example/b …'],
    ['Look https://a.example/b and more', 27, 'Look…'],
    // A long word, and scripts without spaces, between two signs as people see them.
    ['x'.repeat(300), 103, `${'x'.repeat(100)}…`],
    ['点击领取优惠', 14, '点击领…'],
    ['Yes 👩‍👩‍👧', 20, 'Yes…'],
    ['anything', 3, ''],
  ])('%j, to %d', (text, maxBytes, expected) => {
    expect(shortenText(text, maxBytes)).toBe(expected);
    expect(bytes(expected)).toBeLessThanOrEqual(maxBytes);
  });

  it('is never longer, and has each address whole or not at all', () => {
    const address = fc
      .tuple(
        fc.constantFrom('https://', 'http://'),
        fc.domain(),
        fc.stringMatching(/^(\/[a-z0-9]{1,12}){0,5}$/),
      )
      .map((parts) => parts.join(''));
    const words = fc.array(fc.oneof(address, fc.stringMatching(/^[a-zäß👋領]{1,12}$/u)), { maxLength: 12 });
    fc.assert(
      fc.property(words, fc.nat(400), (all, maxBytes) => {
        const text = all.join(' ');
        const short = shortenText(text, maxBytes);
        expect(bytes(short)).toBeLessThanOrEqual(maxBytes);
        const kept = short.split(/\s/).filter((word) => word.includes('://'));
        const given = all.filter((word) => word.includes('://'));
        expect(kept.map((word) => word.replace(/…$/, ''))).toEqual(given.slice(0, kept.length));
        if (short !== text && short !== '') expect(short).toMatch(/…$/);
      }),
    );
  });
});
