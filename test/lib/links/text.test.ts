import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { addressesIn, replaceAddresses } from '../../../lib/links/text.ts';

const short = () => 'https://s.example/r/abcdefghij12';

describe('URLs in a text', () => {
  it.each([
    ['See https://example.com/shop', 'See <>'],
    ['See https://example.com/shop.', 'See <>.'],
    ['https://example.com/a, https://example.com/b!', '<>, <>!'],
    ['(https://example.com/a)', '(<>)'],
    ['(see https://example.com/a_(b))', '(see <>)'],
    ['https://en.example.org/wiki/Tea_(drink)', '<>'],
    ['“https://example.com/a”', '“<>”'],
    ["It's 'https://example.com/a'", "It's '<>'"],
    ['<https://example.com/a>', '<<>>'],
    ['https://example.com/a?b=c&d=e#f', '<>'],
    ['Hier👉https://example.com/a👈', 'Hier👉<>'],
    ['line\nhttps://example.com/a\nline', 'line\n<>\nline'],
    ['HTTPS://EXAMPLE.COM/A', '<>'],
    ['https://example.com…', '<>…'],
    ['https://example.com。', '<>。'],
    ['**https://example.com/**', '**<>**'],
  ])('%j becomes %j', (text, expected) => {
    expect(replaceAddresses(text, () => '<>')).toBe(expected);
  });

  it.each([
    ['no address at all'],
    ['example.com and www.example.com'],
    ['mailto:someone@example.com'],
    ['xhttps://example.com'],
    ['https://'],
    ['https://user:secret@example.com/'],
    ['ftp://example.com'],
    ['https://exa%mple.com/'],
    [`https://example.com/${'a'.repeat(3_000)}`],
  ])('%j stays as it is', (text) => {
    expect(addressesIn(text)).toEqual([]);
    expect(replaceAddresses(text, short)).toBe(text);
  });

  it('are returned normalized, once per occurrence', () => {
    expect(addressesIn('http://example.com, HTTP://example.com/ or https://example.com')).toEqual([
      'http://example.com/',
      'http://example.com/',
      'https://example.com/',
    ]);
  });

  it('are kept if there is no replacement', () => {
    const text = 'https://EXAMPLE.com/a and https://example.com/b';
    expect(replaceAddresses(text, (url) => (url.endsWith('/b') ? 'B' : undefined))).toBe(
      'https://EXAMPLE.com/a and B',
    );
  });

  it('are replaced without changing any other character', () => {
    const word = fc.stringMatching(/^[^\s]{0,12}$/u).filter((text) => !/https?:/i.test(text));
    fc.assert(
      fc.property(fc.array(fc.tuple(word, fc.webUrl()), { maxLength: 5 }), word, (parts, end) => {
        const text = `${parts.map(([before, url]) => `${before} ${url} `).join('')}${end}`;
        expect(replaceAddresses(text, () => undefined)).toBe(text);
        const found = addressesIn(text);
        expect(replaceAddresses(text, short).split(short()).length - 1).toBe(found.length);
      }),
    );
  });

  it.each([[')'.repeat(50_000)], ['('.repeat(50_000)], ['.'.repeat(50_000)], ['https://'.repeat(10_000)]])(
    'are found quickly in %#',
    (tail) => {
      const startedAt = performance.now();
      replaceAddresses(`https://example.com/${tail}`, short);
      expect(performance.now() - startedAt).toBeLessThan(500);
    },
  );
});
