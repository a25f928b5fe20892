import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isReadable, readable } from '../../../lib/kernel/readable-names.ts';

const visible = [
  'Harbour Coffee',
  'Südlicht',
  'Кофе у моря',
  'قهوة الميناء',
  'カフェ',
  'Straße 5 – “b”',
  '☕ Coffee',
  '❤️ Love',
  '👨‍👩‍👧 Family',
  '👩🏽‍🚀',
  '🏳️‍🌈 Pride',
  '🏴󠁧󠁢󠁳󠁣󠁴󠁿 Scotland',
  '🇹🇷 Istanbul',
  '1️⃣ First',
];

const hidden: readonly (readonly [string, string])[] = [
  ['a line break', 'demo\nx'],
  ['an escape', 'demo\u001B[31m'],
  ['a null', 'demo\u0000'],
  ['a change of direction', 'demo\u202E'],
  ['an isolate', 'demo\u2066'],
  ['a mark of direction', 'demo\u200F'],
  ['an Arabic letter mark', 'demo\u061C'],
  ['a space without width', 'demo\u200B'],
  ['a joiner between letters', 'de\u200Dmo'],
  ['a non-joiner', 'de\u200Cmo'],
  ['a joiner at the end of an emoji', '☕\u200D'],
  ['a joiner before an emoji', 'demo\u200D☕'],
  ['a variation selector after a letter', 'demo\uFE0F'],
  ['two variation selectors', '❤\uFE0F\uFE0F'],
  ['a word joiner', 'demo\u2060'],
  ['a soft hyphen', 'demo\u00AD'],
  ['a grapheme joiner', 'demo\u034F'],
  ['a Hangul filler', 'demo\u3164'],
  ['a halfwidth Hangul filler', 'demo\uFFA0'],
  ['a Mongolian vowel separator', 'demo\u180E'],
  ['a tag', 'demo\u{E0061}'],
  ['tags without a flag', '☕demo\u{E0061}\u{E007F}'],
  ['a blank of Braille', 'demo\u2800'],
  ['a line separator', 'demo\u2028'],
  ['a byte order mark', '\uFEFFdemo'],
  ['a character for private use', 'demo\uE000'],
  ['half of a character', 'demo\uD83D'],
];

describe('a name', () => {
  it.each(visible)('is readable: %s', (name) => {
    expect(isReadable(name)).toBe(true);
    expect(readable(name)).toBe(name);
  });

  it.each(hidden)('is not readable with %s', (_what, name) => {
    expect(isReadable(name)).toBe(false);
    const cleaned = readable(name);
    expect(isReadable(cleaned)).toBe(true);
    expect(cleaned).toMatch(/^(de ?mo|demo|☕|❤)/u);
  });

  it('is readable once it was cleaned, and is not changed again', () => {
    const texts = fc.string({ unit: 'binary', maxLength: 30 });
    fc.assert(
      fc.property(texts, (text) => {
        const cleaned = readable(text);
        expect(isReadable(cleaned)).toBe(true);
        expect(readable(cleaned)).toBe(cleaned);
      }),
    );
  });
});
