import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Matching, matchesComment } from '../../../../lib/automations/matching/match-comment.ts';
import { hasWords, type Word } from '../../../../lib/automations/matching/tokenize.ts';
import { MatchMode } from '../../../../lib/automations/schemas.ts';
import { isWithinEdits } from '../../../../lib/kernel/edit-distance.ts';
import { groups } from './cases.ts';
import { editDistance, plainMatches } from './reference.ts';

const automation = (
  keywords: string | readonly string[],
  matchMode: MatchMode = 'contains',
  typoTolerance = false,
): Matching => ({ keywords: [keywords].flat(), matchMode, typoTolerance });

describe('an automation', () => {
  it('without keywords matches every comment', () => {
    for (const comment of ['', ' ', 'anything', '🔥', '\u200b'])
      expect(matchesComment(automation([]), comment)).toBe(true);
  });

  it('matches with any of its keywords', () => {
    expect(matchesComment(automation(['price', 'link']), 'the LINK please')).toBe(true);
    expect(matchesComment(automation(['price', 'cost']), 'the LINK please')).toBe(false);
  });

  it('is described by at least 150 cases', () => {
    expect(groups.flatMap(({ rows }) => rows).length).toBeGreaterThanOrEqual(150);
  });

  describe.each(groups.map((group) => ({ ...group, how: group.typos ? ', with typing errors' : '' })))(
    'in $script, with $mode$how',
    ({ mode, typos = false, rows }) => {
      it.each(rows)('%j in %j is %j: %s', (keyword, comment, isMatch) => {
        expect(matchesComment(automation(keyword, mode, typos), comment)).toBe(isMatch);
      });
    },
  );

  it('never matches a keyword that is empty once normalized', () => {
    for (const mode of MatchMode.options)
      expect(matchesComment(automation('\u200b', mode, true), 'anything')).toBe(false);
  });
});

/** Few letters, so that words are similar; with signs, marks and white space between them. */
const units = fc.constantFrom(
  ...'aabbcİıI ',
  'é',
  'e\u0301',
  '_',
  '1',
  '中',
  'カ',
  'ไ',
  '-',
  '‑',
  '’',
  '#',
  '🔥',
  '❤️',
  '\u200d',
  '𝓪',
  '  ',
);
const words = fc.stringMatching(/^[ab]{3,9}$/);
const texts = fc.oneof(
  fc.string({ unit: units, maxLength: 24 }),
  fc
    .array(fc.oneof(words, fc.constantFrom('🔥', ', ', ' ')), { maxLength: 6 })
    .map((parts) => parts.join(' ')),
);

/** A keyword, and a comment that contains the keyword or something similar. */
const nearby = fc
  .tuple(
    fc.oneof(words, texts),
    fc.array(fc.tuple(fc.nat(), fc.nat(2), fc.constantFrom('', 'a', 'b', 'ab', ' ', ',')), { maxLength: 3 }),
    fc.oneof(fc.constant(''), texts),
    fc.oneof(fc.constant(''), texts),
  )
  .map(([keyword, edits, before, after]) => {
    const said = [...keyword];
    for (const [at, removed, added] of edits) said.splice(at % (said.length + 1), removed, added);
    return { keyword, comment: `${before}${said.join('')}${after}` };
  });

describe('a match', () => {
  it.each(MatchMode.options)('agrees with the reference implementation, with %s', (matchMode) => {
    const found = { true: 0, false: 0 };
    fc.assert(
      fc.property(
        nearby,
        fc.array(texts, { maxLength: 2 }),
        fc.boolean(),
        ({ keyword, comment }, others, typoTolerance) => {
          const asked = { keywords: [...others, keyword], matchMode, typoTolerance };
          const isMatch = matchesComment(asked, comment);
          found[`${isMatch}`] += 1;
          expect(isMatch).toBe(plainMatches(asked, comment));
        },
      ),
      { numRuns: 2_000 },
    );
    expect(Math.min(found.true, found.false)).toBeGreaterThan(200);
  });

  it('is found for every keyword inside a comment, as far as the mode allows other text around it', () => {
    fc.assert(
      fc.property(words, texts, texts, (keyword, before, after) => {
        expect(matchesComment(automation(keyword, 'contains'), `${before}${keyword}${after}`)).toBe(true);
        expect(matchesComment(automation(keyword, 'word'), `${before} ${keyword} ${after}`)).toBe(true);
        expect(matchesComment(automation(keyword, 'starts_with'), `${keyword}${after}`)).toBe(true);
        expect(matchesComment(automation(keyword, 'exact'), keyword.toUpperCase())).toBe(true);
      }),
    );
  });

  it('without tolerance is also a match with tolerance', () => {
    fc.assert(
      fc.property(texts, fc.constantFrom(...MatchMode.options), texts, (keyword, mode, comment) => {
        if (matchesComment(automation(keyword, mode), comment))
          expect(matchesComment(automation(keyword, mode, true), comment)).toBe(true);
      }),
    );
  });
});

describe('edits between words', () => {
  it('agree with the reference implementation', () => {
    const near = fc.string({ unit: fc.constantFrom('a', 'b', 'c'), maxLength: 10 });
    fc.assert(
      fc.property(near, near, fc.integer({ min: 0, max: 3 }), (one, other, max) => {
        expect(isWithinEdits([...one], [...other], max)).toBe(editDistance(one, other) <= max);
      }),
      { numRuns: 5_000 },
    );
  });

  it.each([
    ['deleted', 'lnk'],
    ['inserted', 'liink'],
    ['replaced', 'lonk'],
    ['swapped with its neighbour', 'lnik'],
  ])('count a letter %s as one', (_what, other) => {
    expect(isWithinEdits([...'link'], [...other], 1)).toBe(true);
    expect(isWithinEdits([...'link'], [...other], 0)).toBe(false);
  });
});

/** Words that count how often their letters are read. */
function countedWords(of: readonly string[]): { words: Word[]; reads: () => number } {
  let reads = 0;
  const counted = (word: string): Word =>
    new Proxy([...word], {
      get: (letters, property) => {
        if (typeof property === 'string' && /^\d+$/.test(property)) reads += 1;
        return Reflect.get(letters, property);
      },
    });
  return { words: of.map(counted), reads: () => reads };
}

/** Limit per letter and word of the keyword: 21 comparisons, and two reads at each of five edits to check for a swap. */
const maxReads = 21 + 2 * 5;

describe('the work of a match', () => {
  /** The words of a keyword, and comments that are almost a match, which costs most. */
  const cases: readonly [what: string, keyword: readonly string[], word: string][] = [
    ['one long word that almost matches', ['a'.repeat(100)], `${'a'.repeat(97)}bbb`],
    [
      'words of four letters, of which all but the last match',
      [...Array<string>(19).fill('aaaa'), 'abcd'],
      'aaaa',
    ],
    [
      'words of eight letters, of which all but the last match',
      [...Array<string>(10).fill('aaaaaaaa'), 'bcdefghi'],
      'aaaaaaaa',
    ],
    ['words of one letter', [...Array<string>(49).fill('a'), 'b'], 'a'],
    ['a word far longer than the keyword', ['aaaaaaaa'], 'a'.repeat(500)],
  ];

  it.each(cases)('is linear in the length of the comment: %s', (_what, keyword, word) => {
    const readsAt = (count: number): number => {
      const { words, reads } = countedWords(Array<string>(count).fill(word));
      hasWords(
        words,
        keyword.map((letters) => [...letters]),
        'contains',
      );
      return reads();
    };
    const [once, twice, fourTimes] = [readsAt(100), readsAt(200), readsAt(400)];
    expect(twice - once).toBeGreaterThanOrEqual(0);
    // Each further hundred words cost the same as the second hundred.
    expect(fourTimes - twice).toBeLessThanOrEqual(2 * (twice - once));
    const letters = 400 * word.length;
    expect(fourTimes).toBeLessThanOrEqual(maxReads * keyword.length * letters);
  });

  it('is linear in the length of the comment, whatever its words', () => {
    fc.assert(
      fc.property(
        fc.array(words, { minLength: 1, maxLength: 5 }),
        fc.array(words, { minLength: 1, maxLength: 40 }),
        (keyword, comment) => {
          const { words: counted, reads } = countedWords(comment);
          hasWords(
            counted,
            keyword.map((letters) => [...letters]),
            'contains',
          );
          expect(reads()).toBeLessThanOrEqual(maxReads * keyword.length * comment.join('').length);
        },
      ),
    );
  });
});
