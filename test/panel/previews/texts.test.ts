import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { firstLink, fold, hostOf, runsOf } from '../../../lib/panel/previews/texts.ts';

import { platformNames } from '../../../lib/platforms/contract/names.ts';
import { hashtags, mentions } from '../../../lib/platforms/shared/text.ts';

const brief = (text: string, platform: (typeof platformNames)[number]) =>
  runsOf(text, platform)
    .filter(({ kind }) => kind !== 'text')
    .map(({ text: found }) => found);

describe('the parts of a text', () => {
  const text = 'Hej @anna, #kaffee! See https://a.test/x?y=1#z. (#två) mail@b.test #3';

  it('are marked as each platform does', () => {
    expect(brief(text, 'instagram')).toEqual(['@anna', '#kaffee', '#två', '#3']);
    expect(brief(text, 'facebook')).toEqual(['#kaffee', 'https://a.test/x?y=1#z', '#två', '#3']);
    expect(brief(text, 'threads')).toEqual(['@anna', '#kaffee', 'https://a.test/x?y=1#z']);
    expect(brief(text, 'pinterest')).toEqual(['#kaffee', '#två', '#3']);
  });

  it('together are the text, and marked parts are those that the service counts', () => {
    const piece = fc.constantFrom(
      '#tag',
      '@name',
      ' ',
      '\n',
      'https://a.test/#x',
      'word',
      '👩‍👩‍👧‍👦',
      'é',
      '#',
      '@',
      '.',
      'نص',
    );
    fc.assert(
      fc.property(
        fc.array(piece).map((all) => all.join('')),
        fc.constantFrom(...platformNames),
        (made, platform) => {
          const runs = runsOf(made, platform);
          expect(runs.map(({ text: part }) => part).join('')).toBe(made);
          for (const { kind, text: part } of runs) {
            if (kind === 'hashtag') expect(hashtags(part)).toEqual([part]);
            if (kind === 'mention') expect(mentions(part)).toEqual([part]);
          }
        },
      ),
    );
  });

  it('tell the first link, and its host', () => {
    expect(firstLink('see (https://www.a.test/b), or https://c.test')).toBe('https://www.a.test/b');
    expect(firstLink('none')).toBeUndefined();
    expect(hostOf('https://www.a.test/b')).toBe('a.test');
    expect(hostOf('half an addr')).toBe('half an addr');
  });
});

describe('a folded text', () => {
  const rule = { characters: 20, lines: 2 };
  it.each([
    ['short', 'short', false],
    ['a little longer than it', 'a little longer than', true],
    ['twenty-one characters', 'twenty-one characters', false],
    ['one\ntwo\nthree', 'one\ntwo', true],
    ['Donaudampfschifffahrtsgesellschaft', 'Donaudampfschifffahr', true],
    ['👩‍👩‍👧‍👦'.repeat(30), '👩‍👩‍👧‍👦'.repeat(20), true],
    ['trailing\n\n\n\n', 'trailing', false],
    ['', '', false],
  ])('%j is cut where people can read it', (text, shown, isFolded) => {
    expect(fold(text, rule)).toEqual({ shown, isFolded });
  });

  it('is a beginning of the text, within the limit, and folded only if something is missing', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 80 }), (text) => {
        const { shown, isFolded } = fold(text, rule);
        expect(text.startsWith(shown)).toBe(true);
        expect(isFolded).toBe(text.trimEnd() !== shown);
        expect([...new Intl.Segmenter().segment(shown)].length).toBeLessThanOrEqual(22);
      }),
    );
  });
});
