import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { codeOf, codesIn, hasCode } from '../../../../lib/posts/search/index-rows.ts';
import {
  distinctWords,
  hasStem,
  hasWords,
  maxWords,
  parseSearch,
  stemOf,
} from '../../../../lib/posts/search/words.ts';

const finds = (search: string, ...texts: string[]) => hasWords(distinctWords(texts), parseSearch(search));

describe('a search', () => {
  it.each([
    ['the beginning of the last word', 'summer lau', 'Our summer launch', true],
    ['words in any order', 'launch summer', 'Our summer launch', true],
    ['words of several texts', 'launch summer', 'Our summer|Launch day', true],
    ['no beginning of another word', 'summ launch', 'Our summer launch', false],
    ['no inside of a word', 'unch', 'Our summer launch', false],
    ['no post without one of the words', 'winter launch', 'Our summer launch', false],
    ['any case', 'LAUNCH', 'launch', true],
    ['the four Turkish letters i', 'ısparta', 'ISPARTA', true],
    ['the four Turkish letters i', 'ISPARTA', 'Isparta', true],
    ['the four Turkish letters i', 'istanbul', 'İSTANBUL', true],
    ['another form of the same letters', 'ＬＩＮＫ', 'the link', true],
    ['ß for ss', 'strasse', 'Große Straße', true],
    ['a hashtag', 'summersale', '#SummerSale!', true],
    ['a mention', '@bakery', 'Thanks @bakery', true],
    ['a part of an address', 'example shop', 'https://shop.example.com/a', true],
    ['a number', '50', '50% off', true],
    ['words with an apostrophe of a phone', 'don’t', "Don't", true],
    ['Chinese words', '发布', '我们今天发布新产品', true],
    ['several Chinese words', '今天 产品', '我们今天发布新产品', true],
    ['no other Chinese word', '明天', '我们今天发布新产品', false],
    ['Japanese words', 'キャンペーン', '夏のキャンペーンを始めます', true],
    ['the beginning of a Japanese word', 'キャン', '夏のキャンペーンを始めます', true],
    ['Thai words', 'ใหม่', 'สินค้าใหม่ของเรา', true],
    ['the beginning of a Korean word with a particle', '캠페인', '여름 캠페인을 시작합니다', true],
    ['Arabic words', 'جديد', 'منتج جديد', true],
    ['a word of two scripts', 'iphone', 'iPhone発売', true],
  ])('has or has not %s: %s in %s', (_what, search, texts, isFound) => {
    expect(finds(search, ...texts.split('|'))).toBe(isFound);
  });

  it.each(['', ' ', '!!!', '🎉', '#'])('is refused without a word: %s', (text) => {
    expect(() => parseSearch(text)).toThrow(expect.objectContaining({ code: 'invalid', param: 'search' }));
  });
});

describe('the words of a post', () => {
  it('are the first 200 different ones', () => {
    const text = Array.from({ length: 300 }, (_, index) => `w${index} w0`).join(' ');
    const words = distinctWords([text]);
    expect(words).toHaveLength(maxWords);
    expect(words.at(-1)).toBe('w199');
  });

  it('are those of the first 50,000 characters of all its texts', () => {
    const long = 'again '.repeat(8_000);
    expect(distinctWords([long, 'seen', 'x '.repeat(1_000), 'unseen'])).toEqual(['again', 'seen', 'x']);
    expect(distinctWords([`${'again '.repeat(10_000)}unseen`])).toEqual(['again', 'ag']);
  });

  it('count up to 40 characters, also in a search', () => {
    expect(distinctWords(['x'.repeat(60_000)])).toEqual(['x'.repeat(40)]);
    expect(finds('x'.repeat(200), 'x'.repeat(60_000))).toBe(true);
  });

  it('have no character that separates them in keys and rows, and are words again', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 200 }), (text) => {
        const words = distinctWords([text]);
        expect(words.filter((word) => /[ #]/.test(word) || word === '')).toEqual([]);
        for (const word of words) expect([...word].length).toBeLessThanOrEqual(40);
      }),
    );
  });

  it('are found by any beginning that can be looked up under their stem', () => {
    const unit = fc.constantFrom('a', 'é', '漢', 'カ', '가', 'ก', '𝗹', '1', '_', 'ß', 'ş');
    fc.assert(
      fc.property(fc.string({ unit, minLength: 1, maxLength: 8 }), fc.nat(8), (text, length) => {
        for (const word of distinctWords([text])) {
          const beginning = [...word].slice(0, length + 1).join('');
          if (hasStem(beginning)) expect(stemOf(beginning)).toBe(stemOf(word));
        }
      }),
    );
  });
});

describe('codes', () => {
  it('are found among others only where they begin', () => {
    const word = fc.string({ minLength: 1, maxLength: 5 });
    fc.assert(
      fc.property(fc.array(word, { maxLength: 20 }), word, (words, other) => {
        const codes = words.map(codeOf);
        expect(codesIn(codes.join(''))).toEqual(codes);
        expect(hasCode(codes.join(''), codeOf(other))).toBe(codes.includes(codeOf(other)));
      }),
    );
    expect(hasCode('abcdefgh', 'cdef')).toBe(false);
    expect(hasCode('abcdefgh', 'efgh')).toBe(true);
  });
});
