import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isSameText } from '../../../../lib/platforms/shared/find-listed.ts';

describe('a text that a platform shows', () => {
  it.each<[string, string | undefined, string, boolean]>([
    ['with other whitespace', ' One\r\ntwo  three\n', 'One\ntwo three', true],
    ['with accents in another encoding', 'Cafe\u0301', 'Caf\u00e9', true],
    ['with a shortened URL', 'See https://lnkd.in/dX3k9 now', 'See https://example.com/a?b=c now', true],
    ['with a URL of the same site', 'See https://example.com/2', 'See https://example.com/1', false],
    [
      'with one shortened and one other URL',
      'https://t.example/1 https://b.example/2',
      'https://a.example/ https://b.example/3',
      false,
    ],
    ['with a redirect of the platform', 'See https://l.facebook.com/aX9', 'See https://example.com/1', true],
    ['with a URL of another site', 'https://two.example/2', 'https://one.example/1', false],
    ['without the URL', 'See', 'See https://example.com/', false],
    ['that is empty, as the sent one', undefined, '', true],
    ['that is empty, unlike the sent one', undefined, 'Six', false],
  ])('%s', (_name, shown, sent, isSame) => {
    expect(isSameText(shown, sent)).toBe(isSame);
  });

  it('is the sent one if the platform changed only whitespace at its ends', () => {
    fc.assert(fc.property(fc.string({ unit: 'grapheme' }), (text) => isSameText(` ${text}\n`, text)));
  });
});
