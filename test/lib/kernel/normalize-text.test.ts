import fc from 'fast-check';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { normalizeText } from '../../../lib/kernel/normalize-text.ts';

afterEach(() => {
  vi.restoreAllMocks();
});

/** Every character of the basic plane, the letters of mathematics, and emoji. */
const characters = [
  [0x0001, 0xd7ff],
  [0xe000, 0xffff],
  [0x1d400, 0x1d7ff],
  [0x1f000, 0x1faff],
].flatMap(([first = 0, last = 0]) =>
  Array.from({ length: last - first + 1 }, (_, index) => String.fromCodePoint(first + index)),
);

/** A character of any plane. */
const anyCharacter = fc
  .integer({ min: 1, max: 0x10ffff })
  .map((code) => String.fromCodePoint(code).toWellFormed());

describe('normalizing a text', () => {
  it.each([
    ['upper and lower case', 'LINK', 'link'],
    ['İ and i', 'İNDİRİM', 'indirim'],
    ['I and ı', 'KITAP', 'kıtap'],
    ['ı and i', 'fıyat', 'fiyat'],
    ['İ in two parts and i', 'I\u0307', 'i'],
    ['the two-part lower case of İ and i', 'i\u0307', 'i'],
    ['ß and ss', 'STRASSE', 'straße'],
    ['ẞ and ss', 'ẞ', 'ss'],
    ['the two small sigmas', 'ΟΔΟΣ', 'οδοσ'],
    ['an accent in one part and in two', 'café', 'cafe\u0301'],
    ['marks in any order', 'a\u0323\u0302', 'a\u0302\u0323'],
    ['Korean in syllables and in letters', '한글', '한글'.normalize('NFD')],
    ['half and full width', 'ＬＩＮＫ ｶﾞ', 'link ガ'],
    ['letters of mathematics and plain ones', '𝗹𝗶𝗻𝗸 𝓵𝓲𝓷𝓴', 'link link'],
    ['ligatures and letters', 'ﬁyat', 'fiyat'],
    ['an emoji with and without its variation selector', '❤️', '❤'],
    ['an emoji with and without joiners', '❤️‍🔥', '❤🔥'],
    ['skin tones', '👍🏽', '👍'],
    ['text with and without zero-width characters', 'l\u200bi\u200dn\u2060k\ufeff\u00ad', 'link'],
    ['text with and without direction marks', '\u202elink\u2066', 'link'],
    ['white space of any kind', '\u00a0send\u3000\t\nlink ', 'send link'],
  ])('removes the difference between %s', (_what, one, other) => {
    expect(normalizeText(one)).toBe(normalizeText(other));
  });

  it.each([
    ['s', 'ş'],
    ['u', 'ü'],
    ['e', 'é'],
    ['0', 'o'],
    ['link', 'lınkk'],
    ['👍', '👎'],
    ['send link', 'sendlink'],
  ])('keeps the difference between %s and %s', (one, other) => {
    expect(normalizeText(one)).not.toBe(normalizeText(other));
  });

  it('is idempotent, and independent of case and normal form, for every character', () => {
    const wrong = characters.filter((character) => {
      const normalized = normalizeText(character);
      const others = [
        normalized,
        character.toLowerCase(),
        character.toUpperCase(),
        character.normalize('NFD'),
        character.normalize('NFKC'),
      ];
      return others.some((other) => normalizeText(other) !== normalized);
    });
    expect(wrong).toEqual([]);
  });

  it('is idempotent for texts, and leaves no needless white space', () => {
    fc.assert(
      fc.property(fc.string({ unit: anyCharacter, maxLength: 40 }), (text) => {
        const normalized = normalizeText(text);
        expect(normalizeText(normalized)).toBe(normalized);
        expect(normalized).not.toMatch(/^\s|\s$|\s{2}/);
      }),
    );
  });

  it('gives the same as normalizing the whole text, if no letter has more than thirty marks', () => {
    const units = fc.constantFrom(...'abIİıéşㄱ한글カ゛ﾞ 👍️‍'.normalize('NFD'), '\u0301', '\u0323');
    fc.assert(
      fc.property(fc.string({ unit: units, maxLength: 30 }), (text) => {
        expect(normalizeText(text)).toBe(normalizeText(text.normalize('NFKC')));
      }),
    );
  });

  it.each([
    ['marks that must be reordered', `a${'\u0301'.repeat(5_000)}${'\u0323'.repeat(5_000)}`],
    ['marks that compatibility forms add', `a${'\u093c\uff9e'.repeat(5_000)}`],
    ['a character that becomes eighteen', 'ﷺ'.repeat(10_000)],
    ['vowels of Korean', '\u1100\u1161'.repeat(5_000)],
  ])('takes time linear in the length: %s', (_what, text) => {
    const normalize = vi.spyOn(String.prototype, 'normalize');
    normalizeText(text);
    const lengths = normalize.mock.contexts.map((piece) => String(piece).length);
    // `normalize` takes at most the square of its input.
    expect(Math.max(...lengths)).toBeLessThanOrEqual(100);
    expect(lengths.length).toBeLessThanOrEqual(3 * text.length);
  });
});
