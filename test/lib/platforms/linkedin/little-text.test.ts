import { readLittleText } from '@herald/platform-simulators/linkedin/little-text.ts';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fromLittleText, toLittleText } from '../../../../lib/platforms/linkedin/little-text.ts';

/** Texts full of characters that are special in little text. */
const texts = fc
  .array(
    fc.oneof(
      fc.constantFrom(
        ...String.raw`\|{}@[]()<>#*_~&/ `,
        '\n',
        'a',
        'é',
        '7',
        '#a',
        '{hashtag|',
        '#️⃣',
        '👍🏽',
        '@[',
      ),
      fc.string({ unit: 'grapheme', maxLength: 3 }),
    ),
    { maxLength: 30 },
  )
  .map((pieces) => pieces.join(''))
  .filter((text) => text.isWellFormed());

describe('a text in little text format', () => {
  it('is shown in full, whatever its characters', () => {
    fc.assert(
      fc.property(texts, (text) => {
        expect(readLittleText(toLittleText(text))).toMatchObject({ text, isCut: false });
      }),
    );
  });

  it('compares equal to the text that LinkedIn returns', () => {
    fc.assert(
      fc.property(texts, (text) => {
        expect(fromLittleText(readLittleText(toLittleText(text)).readBack)).toBe(text);
        expect(fromLittleText(toLittleText(text))).toBe(text);
      }),
    );
  });

  it.each([
    ['plain words', 'plain words'],
    ['six (in the morning)', String.raw`six \(in the morning\)`],
    [String.raw`a\b`, String.raw`a\\b`],
    ['https://example.com/?utm_source=a_b', String.raw`https://example.com/?utm\_source=a\_b`],
    ['https://example.com/?tab=#part', String.raw`https://example.com/?tab=\#part`],
    ['see www.example.com/?tab=#part #coffee', String.raw`see www.example.com/?tab=\#part #coffee`],
    ['mail@example.com', String.raw`mail\@example.com`],
    ['#coffee and #café', '#coffee and #café'],
    ['#3d #1', String.raw`#3d \#1`],
    ['#two_words', String.raw`\#two\_words`],
    ['a#b', String.raw`a\#b`],
    ['##twice', String.raw`\#\#twice`],
    [
      'thanks @[Acme (UK)](urn:li:organization:123)!',
      String.raw`thanks @[Acme \(UK\)](urn:li:organization:123)!`,
    ],
    ['@[Ann](https://example.com)', String.raw`\@\[Ann\]\(https://example.com\)`],
  ])('%s is %s', (text, littleText) => {
    expect(toLittleText(text)).toBe(littleText);
  });
});
