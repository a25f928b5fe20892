import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { addressesIn, replaceAddresses } from '../../../lib/links/text.ts';
import { cpuMsOf } from '../../support/cpu-time.ts';

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
    ['Hier👉https://example.com/a👈', 'Hier👉<>👈'],
    ['line\nhttps://example.com/a\nline', 'line\n<>\nline'],
    ['HTTPS://EXAMPLE.COM/A', '<>'],
    ['https://example.com…', '<>…'],
    ['https://example.com。', '<>。'],
    ['**https://example.com/**', '**<>**'],
  ])('%j becomes %j', (text, expected) => {
    expect(replaceAddresses(text, () => '<>')).toBe(expected);
  });

  it.each([
    // Signs that may be the last of an address.
    ['https://youtu.be/dQw4w9WgXc_', '<>', 'https://youtu.be/dQw4w9WgXc_'],
    ['see https://youtu.be/dQw4w9WgXc_ now', 'see <> now', 'https://youtu.be/dQw4w9WgXc_'],
    ['https://example.com/~anna~', '<>', 'https://example.com/~anna~'],
    ['https://example.com/*', '<>', 'https://example.com/*'],
    ["https://en.example.org/wiki/McDonald's", '<>', "https://en.example.org/wiki/McDonald's"],
    ['https://example.com/a-', '<>', 'https://example.com/a-'],
    // Markdown.
    ['_https://example.com/a_', '_<>_', 'https://example.com/a'],
    ['*new: https://example.com/a*', '*new: <>*', 'https://example.com/a'],
    ['*new*: https://example.com/*', '*new*: <>', 'https://example.com/*'],
    ['~~https://example.com/a~~', '~~<>~~', 'https://example.com/a'],
    ['[Shop](https://example.com/a)', '[Shop](<>)', 'https://example.com/a'],
    ['[https://example.com/a](https://example.com/a)', '[<>](<>)', 'https://example.com/a'],
    ['| https://example.com/a|new |', '| <>|new |', 'https://example.com/a'],
    ['snake_case https://example.com/a_', 'snake_case <>', 'https://example.com/a_'],
    // Scripts without spaces.
    ['点击https://example.com/abc领取优惠', '点击<>领取优惠', 'https://example.com/abc'],
    ['点击https://example.com领取', '点击<>领取', 'https://example.com/'],
    ['点击https://example.com.领取', '点击<>.领取', 'https://example.com/'],
    ['詳しくはhttps://example.com/aを見て', '詳しくは<>を見て', 'https://example.com/a'],
    ['https://example.com/a?b=c를 보세요', '<>를 보세요', 'https://example.com/a?b=c'],
    ['ดูที่https://example.com/aครับ', 'ดูที่<>ครับ', 'https://example.com/a'],
    ['https://example.com/abc.点击', '<>.点击', 'https://example.com/abc'],
    ['（https://example.com/x）', '（<>）', 'https://example.com/x'],
    ['「https://example.com/x」です', '「<>」です', 'https://example.com/x'],
    ['【https://example.com/x】', '【<>】', 'https://example.com/x'],
    ['https://example.com/x、https://example.com/x', '<>、<>', 'https://example.com/x'],
    ['https://example.com/x～', '<>～', 'https://example.com/x'],
    // Punctuation of other scripts.
    ['هنا https://example.com/x؟', 'هنا <>؟', 'https://example.com/x'],
    ['https://example.com/x، ثم', '<>، ثم', 'https://example.com/x'],
    ['यहाँ https://example.com/x।', 'यहाँ <>।', 'https://example.com/x'],
    ['«https://example.com/x»', '«<>»', 'https://example.com/x'],
    ['„https://example.com/x“', '„<>“', 'https://example.com/x'],
    ['https://example.com’s page', '<>’s page', 'https://example.com/'],
    ['https://example.com/a—new', '<>—new', 'https://example.com/a'],
    ['https://example.com/a\u200bnew', '<>\u200bnew', 'https://example.com/a'],
    ['https://example.com/a🎉🎉', '<>🎉🎉', 'https://example.com/a'],
    // Letters that do belong to it.
    ['https://de.example.org/wiki/Köln', '<>', 'https://de.example.org/wiki/K%C3%B6ln'],
    [
      'https://ru.example.org/wiki/Москва, да',
      '<>, да',
      'https://ru.example.org/wiki/%D0%9C%D0%BE%D1%81%D0%BA%D0%B2%D0%B0',
    ],
    ['https://münchen.example/a', '<>', 'https://xn--mnchen-3ya.example/a'],
    ['https://пример.example', '<>', 'https://xn--e1afmkfd.example/'],
    ['https://例え.jpを見て', '<>を見て', 'https://xn--r8jz45g.jp/'],
    ['https://東京tower.example/a', '<>', 'https://xn--tower-w91hq39l.example/a'],
    // Where a host ends.
    ['https://example.com:8080/a', '<>', 'https://example.com:8080/a'],
    ['https://example.com: new', '<>: new', 'https://example.com/'],
    ['https://example.com/', '<>', 'https://example.com/'],
    ['https://example.com?a=b', '<>', 'https://example.com/?a=b'],
    ['https://example.com_', '<>_', 'https://example.com/'],
    ['https://example.com...', '<>...', 'https://example.com/'],
    // Without a space between two.
    ['https://example.com/ahttps://example.com/a', '<><>', 'https://example.com/a'],
    ['https://example.com/a,https://example.com/a', '<>,<>', 'https://example.com/a'],
    [
      'https://web.archive.example/2020/https://example.com/a',
      '<>',
      'https://web.archive.example/2020/https://example.com/a',
    ],
    [
      'https://example.com/a?to=https://example.com/b,c',
      '<>',
      'https://example.com/a?to=https://example.com/b,c',
    ],
  ])('%j becomes %j, with links to %s', (text, expected, url) => {
    expect([...new Set(addressesIn(text))]).toEqual([url]);
    expect(replaceAddresses(text, () => '<>')).toBe(expected);
  });

  it.each([
    ['https://example.com/领取优惠', 'a path, or the text that goes on'],
    ['https://ja.example.org/wiki/東京', 'the same'],
    ['https://example.com/a?q=東京', 'the same'],
    ['https://example.com/abcпривет', 'a word of two scripts, or two words'],
    ['https://例え.テストを見て', 'a name in a script without spaces, and text behind it'],
    ['https://localhost/a', 'no public host'],
  ])('%j stays as it is, because nobody can tell where it ends: %s', (text) => {
    expect(addressesIn(text)).toEqual([]);
    expect(replaceAddresses(text, short)).toBe(text);
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

  describe('whatever surrounds them', () => {
    const words = fc.constantFrom(
      'Hello',
      'Schöne Grüße',
      'Привет',
      'مرحبا',
      'नमस्ते',
      'snake_case',
      '2 for 1',
      '🎉',
    );
    const unspacedText = fc.constantFrom(
      '点击这里领取',
      '詳しくは',
      '를 보세요',
      'ดูที่นี่',
      'ひらがな、カタカナ。',
    );
    const space = fc.constantFrom(' ', '\n', '\u3000', '\u00a0');
    const before = fc.oneof(
      fc.constant(''),
      fc.tuple(words, space).map(([word, gap]) => word + gap),
      unspacedText.map((text) => text.replace(/[ 。、]/g, '')),
      fc.constantFrom('Look: ', '→', '👉', '• ', '、'),
    );
    /** Signs that end an address: for each, the sign before it and the one behind. */
    const around = fc.constantFrom(
      ...([
        ['', ''],
        ['(', ')'],
        ['[', ']'],
        ['"', '"'],
        ["'", "'"],
        ['“', '”'],
        ['„', '“'],
        ['«', '»'],
        ['‘', '’'],
        ['<', '>'],
        ['`', '`'],
        ['**', '**'],
        ['_', '_'],
        ['~~', '~~'],
        ['（', '）'],
        ['「', '」'],
        ['『', '』'],
        ['【', '】'],
        ['《', '》'],
        ['[text](', ')'],
      ] as const),
    );
    const punctuation = fc.constantFrom(
      '',
      '.',
      ',',
      '!',
      '?',
      ':',
      ';',
      '…',
      '。',
      '，',
      '！',
      '？',
      '、',
      '؟',
      '،',
      '؛',
      '।',
      '॥',
      '—',
    );
    const after = fc.oneof(
      fc.constant(''),
      fc.tuple(space, fc.oneof(words, unspacedText)).map(([gap, text]) => gap + text),
      unspacedText,
      fc.constantFrom('👈', ' - new', '\u200b', '’s'),
    );
    const segment = fc
      .stringMatching(/^[a-z0-9~@%-]?[A-Za-z0-9_.=+-]{0,10}[A-Za-z0-9]$/)
      .filter((text) => !text.includes('%'));
    const address = fc
      .record({
        scheme: fc.constantFrom('https://', 'http://', 'HTTPS://'),
        host: fc.oneof(
          fc.domain(),
          fc.constantFrom('münchen.example', 'пример.example', '例え.jp', 'shop.example.co.uk:8080'),
        ),
        path: fc.array(segment, { maxLength: 3 }).map((parts) => parts.map((part) => `/${part}`).join('')),
        query: fc.option(
          fc.tuple(segment, segment).map(([name, value]) => `?${name}=${value}`),
          { nil: '' },
        ),
        fragment: fc.option(
          segment.map((text) => `#${text}`),
          { nil: '' },
        ),
      })
      .map(({ scheme, host, path, query, fragment }) => `${scheme}${host}${path}${query}${fragment}`);

    /** True if what follows an international host may be its next label: nobody can tell where such an address ends. */
    const isHostGoingOn = (url: string, next: string) =>
      /^[a-z]+:\/\/[^/?#]*[^ -~][^/?#]*$/i.test(url) && /^\.[^\s!-~]/.test(next);

    it('lead to exactly the address that a person reads there, and leave the rest as it was', () => {
      fc.assert(
        fc.property(
          fc.array(fc.tuple(before, around, address, punctuation, after), { minLength: 1, maxLength: 3 }),
          (parts) => {
            fc.pre(
              !parts.some(([, [, closes], url, sign, rest]) => isHostGoingOn(url, closes + sign + rest)),
            );
            const written = parts.map(([lead, [opens, closes], url, sign, rest]) => [
              `${lead}${opens}`,
              url,
              `${closes}${sign}${rest}\n`,
            ]);
            const text = written.flat().join('');
            expect(addressesIn(text)).toEqual(written.map(([, url = '']) => new URL(url).href));
            expect(replaceAddresses(text, () => '<link>')).toBe(
              written.map(([lead, , rest]) => `${lead}<link>${rest}`).join(''),
            );
          },
        ),
        { numRuns: 1_000 },
      );
    });
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
      expect(cpuMsOf(() => replaceAddresses(`https://example.com/${tail}`, short))).toBeLessThan(1_000);
    },
  );
});
