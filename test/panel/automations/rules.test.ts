import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Matching, matchingKeyword } from '../../../lib/automations/matching/match-comment.ts';
import { normalizeText } from '../../../lib/kernel/normalize-text.ts';
import { findMatch } from '../../../lib/panel/pages/automations/preview/highlight.ts';

const matchingOf = (keywords: string[], changes: Partial<Matching> = {}): Matching => ({
  keywords,
  matchMode: 'contains',
  typoTolerance: false,
  ...changes,
});

describe('the highlight in a comment', () => {
  const typos = { typoTolerance: true };
  const cases: [comment: string, matching: Matching, marked: string | undefined][] = [
    ['Send me the LINK please', matchingOf(['link']), 'LINK'],
    ['blinking', matchingOf(['link']), 'link'],
    ['blinking', matchingOf(['link'], { matchMode: 'word' }), undefined],
    ['blinking link', matchingOf(['link'], { matchMode: 'word' }), 'link'],
    ['  ＬＩＮＫ  pls', matchingOf(['link'], { matchMode: 'starts_with' }), 'ＬＩＮＫ'],
    ['Straße?', matchingOf(['strasse']), 'Straße'],
    ['gib 👍🏽 her', matchingOf(['👍']), '👍🏽'],
    ['Ｌi\u200Bnk', matchingOf(['link'], { matchMode: 'exact' }), 'Ｌi\u200Bnk'],
    ['price  list, please', matchingOf(['price list']), 'price  list'],
    ['the lnik!', matchingOf(['link'], typos), 'lnik'],
    ['want: prise, list', matchingOf(['price list'], typos), 'prise, list'],
    ['think', matchingOf(['link'], { ...typos, matchMode: 'word' }), undefined],
    ['lnik', matchingOf(['link'], { ...typos, matchMode: 'exact' }), 'lnik'],
    ['한국어 링크 주세요', matchingOf(['링크']), '링크'],
    ['İSTANBUL', matchingOf(['istanbul']), 'İSTANBUL'],
    ['anything', matchingOf([]), undefined],
  ];
  it.each(cases)('of %j', (comment, matching, marked) => {
    const found = findMatch(matching, comment);
    expect(found && comment.slice(found.start, found.end)).toBe(marked);
  });

  it('is there exactly if the worker’s matcher finds a keyword, and names the same one', () => {
    const word = fc.constantFrom('link', 'Straße', 'İZMİR', 'price', '👍🏽', '링크', 'e\u0301te\u0301', 'ﬁn');
    const noise = fc.string({ unit: 'grapheme', maxLength: 6 });
    const comment = fc.array(fc.oneof(word, noise, fc.constant(' ')), { maxLength: 8 });
    const matching = fc.record({
      keywords: fc.array(word, { minLength: 1, maxLength: 3 }),
      matchMode: fc.constantFrom(
        'contains' as const,
        'exact' as const,
        'starts_with' as const,
        'word' as const,
      ),
      typoTolerance: fc.boolean(),
    });
    fc.assert(
      fc.property(comment, matching, (parts, how) => {
        const text = parts.join('');
        const found = findMatch(how, text);
        expect(found?.keyword).toBe(matchingKeyword(how, text));
        if (found === undefined || how.typoTolerance) return;
        expect(normalizeText(text.slice(found.start, found.end))).toContain(normalizeText(found.keyword));
      }),
    );
  });
});
