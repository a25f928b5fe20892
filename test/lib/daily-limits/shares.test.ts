import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type Demand,
  divideDay,
  fairShares,
  isWithinShare,
  type ListedPlace,
} from '../../../lib/daily-limits/shares.ts';

const demand = (workspaceId: string, places: number, used = 0): Demand => ({ workspaceId, places, used });
const sum = (numbers: Iterable<number>) => [...numbers].reduce((total, number) => total + number, 0);

describe('the shares of a day', () => {
  it.each<[string, number, Demand[], Record<string, number>]>([
    ['a lone workspace gets everything', 100, [demand('a', 300)], { a: 100 }],
    ['all get what they want if it fits', 100, [demand('a', 60), demand('b', 40)], { a: 60, b: 40 }],
    ['a small workspace gets all it wants', 100, [demand('a', 300), demand('b', 3)], { a: 97, b: 3 }],
    ['equal demands get equal shares', 100, [demand('a', 300), demand('b', 200)], { a: 50, b: 50 }],
    [
      'the rest goes to the first in the order',
      4,
      [demand('a', 9), demand('b', 9), demand('c', 9)],
      { a: 2, b: 1, c: 1 },
    ],
    ['what is used stays', 100, [demand('a', 80, 70), demand('b', 50)], { a: 70, b: 30 }],
    ['nothing is left', 10, [demand('a', 12, 12), demand('b', 1)], { a: 12, b: 0 }],
    ['nobody wants anything', 10, [], {}],
  ])('%s', (_rule, limit, demands, shares) => {
    expect(Object.fromEntries(fairShares(limit, demands))).toEqual(shares);
  });

  const demands = fc
    .uniqueArray(fc.record({ workspaceId: fc.nat(30).map(String), used: fc.nat(12), wanted: fc.nat(40) }), {
      selector: ({ workspaceId }) => workspaceId,
      maxLength: 12,
    })
    .map((all) => all.map(({ workspaceId, used, wanted }) => demand(workspaceId, used + wanted, used)));
  const limits = fc.integer({ min: 1, max: 120 });

  it('are max–min fair, whatever is wanted and used', () => {
    fc.assert(
      fc.property(limits, demands, (limit, wanted) => {
        const shares = fairShares(limit, wanted);
        const used = sum(wanted.map((one) => one.used));
        const total = sum(shares.values());
        expect(total).toBe(Math.max(used, Math.min(limit, sum(wanted.map(({ places }) => places)))));
        const shareOf = ({ workspaceId }: Demand) => shares.get(workspaceId) ?? -1;
        for (const one of wanted) {
          expect(shareOf(one)).toBeGreaterThanOrEqual(one.used);
          expect(shareOf(one)).toBeLessThanOrEqual(one.places);
          if (shareOf(one) === one.places) continue;
          // It wants more, and could get it only from one that has less or as much, or that cannot give.
          for (const other of wanted) {
            const canGive = shareOf(other) > other.used;
            if (canGive) expect(shareOf(other)).toBeLessThanOrEqual(shareOf(one) + 1);
          }
        }
      }),
    );
  });

  it('of one workspace never shrink because another wants less', () => {
    fc.assert(
      fc.property(limits, demands, fc.nat(), (limit, wanted, pick) => {
        const other = wanted[pick % Math.max(1, wanted.length)];
        if (!other || other.places === other.used) return;
        const less = wanted.map((one) => (one === other ? { ...one, places: one.places - 1 } : one));
        const [before, after] = [fairShares(limit, wanted), fairShares(limit, less)];
        for (const { workspaceId } of wanted) {
          if (workspaceId === other.workspaceId) continue;
          expect(after.get(workspaceId)).toBeGreaterThanOrEqual(before.get(workspaceId) ?? 0);
        }
      }),
    );
  });
});

describe('a divided day', () => {
  const place = (workspaceId: string, postId: string, isUsed = false): ListedPlace => ({
    workspaceId,
    postId,
    accountId: 'x',
    isUsed,
  });
  const isIn = (places: readonly ListedPlace[], limit: number, { workspaceId, postId }: ListedPlace) =>
    isWithinShare(divideDay(limit, '2026-03-01', places, workspaceId), { postId, accountId: 'x' });

  it('gives the places of a workspace to its used posts, then to its oldest', () => {
    const places = [place('a', '1'), place('a', '2'), place('a', '3', true), place('a', '4')];
    expect(places.map((one) => isIn(places, 2, one))).toEqual([true, false, true, false]);
  });

  it('never has more winners than the limit, in any order of the places', () => {
    const some = fc.uniqueArray(
      fc.record({
        workspaceId: fc.constantFrom('a', 'b', 'c'),
        postId: fc.nat(99).map(String),
        isUsed: fc.constant(false),
      }),
      { selector: ({ workspaceId, postId }) => `${workspaceId} ${postId}`, maxLength: 40 },
    );
    fc.assert(
      fc.property(some, fc.integer({ min: 1, max: 30 }), (listed, limit) => {
        const places = listed.map((one) => ({ ...one, accountId: 'x' }));
        const winners = places.filter((one) => isIn(places, limit, one));
        expect(winners).toHaveLength(Math.min(limit, places.length));
        const reversed = places.toReversed();
        expect(winners.every((one) => isIn(reversed, limit, one))).toBe(true);
      }),
    );
  });

  it('has no place for a post that is not in it', () => {
    expect(isIn([place('a', '1')], 5, place('a', '2'))).toBe(false);
  });
});
