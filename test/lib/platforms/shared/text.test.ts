import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  characterCount,
  cutText,
  hashtags,
  isBlank,
  mentions,
  utf8Bytes,
  visibleText,
} from '../../../../lib/platforms/shared/text.ts';

const family = '👩‍👩‍👧‍👦';
const anyText = fc.string({ unit: 'grapheme', maxLength: 200 });
const limit = fc.integer({ min: 1, max: 120 });

describe('a text without a visible character', () => {
  it.each([
    ['nothing', ''],
    ['spaces and line breaks', ' \u00A0\n\t\u3000'],
    ['a zero-width space', '\u200B'],
    ['a word joiner', '\u2060'],
    ['a Hangul filler', '\u3164'],
    ['a halfwidth Hangul filler', '\uFFA0'],
    ['a blank braille pattern', '\u2800'],
    ['a soft hyphen', '\u00AD'],
    ['a byte order mark', '\uFEFF'],
    ['marks of direction', '\u200E\u202E\u2066'],
    ['a variation selector', '\uFE0F'],
    ['a tag character', '\u{E0041}'],
    ['a control character', '\u0007'],
  ])('is blank: %s', (_name, text) => {
    expect(isBlank(text)).toBe(true);
    expect(isBlank(`${text} ${text}`)).toBe(true);
    expect(isBlank(`${text}a${text}`)).toBe(false);
    expect(visibleText(text)).toBeUndefined();
  });

  it.each(['.', '👨\u200D👩', 'é', '\u0301', 'ﷺ', '\u0600', '⠁'])('is not one with %j', (text) => {
    expect(isBlank(text)).toBe(false);
    expect(visibleText(` ${text}\n`)).toBe(text);
  });
});

describe('a shortened text', () => {
  it.each([
    ['short', 10, 'short'],
    ['exactly ten', 11, 'exactly ten'],
    ['one two three', 10, 'one two…'],
    ['unbreakableword', 10, 'unbreakab…'],
    ['a verylongwordthatneverends', 10, 'a verylon…'],
    [`abc ${family}`, 8, 'abc…'],
  ])('%j with %i characters is %j', (text, max, cut) => {
    expect(cutText(text, max)).toBe(cut);
  });

  it('never exceeds the limit, and is a prefix of the text', () => {
    fc.assert(
      fc.property(anyText, limit, (text, max) => {
        const cut = cutText(text, max);
        expect(characterCount(cut)).toBeLessThanOrEqual(max);
        expect(text.startsWith(cut === text ? cut : cut.slice(0, -1))).toBe(true);
      }),
    );
  });

  it('never splits a grapheme', () => {
    const segmenter = new Intl.Segmenter('en', { granularity: 'grapheme' });
    const graphemes = (text: string) => [...segmenter.segment(text)].map(({ segment }) => segment);
    fc.assert(
      fc.property(anyText, limit, (text, max) => {
        const cut = cutText(text, max);
        if (cut === text) return;
        const kept = cut.slice(0, -1).trimEnd();
        expect(graphemes(text).slice(0, graphemes(kept).length).join('')).toBe(kept);
      }),
    );
  });
});

describe('lengths', () => {
  it('count code points and UTF-8 bytes', () => {
    expect([characterCount('é👍'), utf8Bytes('é👍')]).toEqual([2, 6]);
  });
});

describe('hashtags and mentions', () => {
  it.each([
    ['#one #two,#three', ['#one', '#two', '#three']],
    ['#Straße #été #東京 #a_b', ['#Straße', '#été', '#東京', '#a_b']],
    ['a#b &#39; https://x.example/#top # alone', []],
  ])('hashtags of %j are %j', (text, found) => {
    expect(hashtags(text)).toEqual(found);
  });

  it.each([
    ['@one and (@two.three)', ['@one', '@two.three']],
    ['mail me@example.com', []],
  ])('mentions of %j are %j', (text, found) => {
    expect(mentions(text)).toEqual(found);
  });
});
