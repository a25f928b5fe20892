import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  decideNotice,
  firstNoticeKeys,
  type NoticeKeys,
  noticeKeys,
} from '../../../lib/accounts/notice-times.ts';
import type { Account } from '../../../lib/accounts/schemas.ts';
import { dayMs, hourMs, minuteMs, toTimestamp } from '../../../lib/kernel/clock.ts';
import { anAccount } from '../../support/builders.ts';

const connectedMs = Date.parse('2026-11-20T12:00:00.000Z');
const workspaceId = '0197a0de-0000-7000-8000-000000000000';
const endingAfter = (lifeMs: number, changes: Partial<Account> = {}): Account => ({
  ...anAccount(workspaceId, { platform: 'linkedin' }),
  connectedAt: toTimestamp(connectedMs),
  reconnectBy: toTimestamp(connectedMs + lifeMs),
  ...changes,
});

/** Looks at an account at some times, as sweeps do. @returns which notices it got, and how long after connecting */
function notices(account: Account, lookedAfterMs: readonly number[], first = firstNoticeKeys(account)) {
  const given: { days: number; afterMs: number }[] = [];
  let known = account;
  let keys: NoticeKeys | undefined = first;
  for (const afterMs of lookedAfterMs) {
    const now = connectedMs + afterMs;
    if (keys === undefined || Date.parse(keys.dueAt) > now) continue;
    const { days, next } = decideNotice(known, now);
    if (days !== undefined) {
      given.push({ days, afterMs });
      known = { ...known, expiringNotice: { days, reconnectBy: known.reconnectBy ?? '' } };
    }
    keys = next;
  }
  return given;
}

const every = (stepMs: number, totalMs: number) =>
  Array.from({ length: Math.ceil(totalMs / stepMs) }, (_, index) => (index + 1) * stepMs);

describe('an access that ends', () => {
  it.each([
    ['in two months', 60 * dayMs, [7, 1]],
    ['in eight days', 8 * dayMs, [7, 1]],
    ['in seven days, like those of Google’s apps in testing', 7 * dayMs, [1]],
    ['in seven days and some minutes', 7 * dayMs + 5 * minuteMs, [1]],
    ['in three days', 3 * dayMs, [1]],
    ['in a day and some minutes', dayMs + 5 * minuteMs, [1]],
    ['in twelve hours', 12 * hourMs, [1]],
  ])('%s is told of in time, once each', (_when, lifeMs, days) => {
    const given = notices(endingAfter(lifeMs), every(15 * minuteMs, lifeMs + dayMs));
    expect(given.map((each) => each.days)).toEqual(days);
    for (const each of given) {
      const atMs = Math.max(lifeMs - each.days * dayMs, 0);
      expect(each.afterMs - atMs).toBeGreaterThanOrEqual(0);
      expect(each.afterMs - atMs).toBeLessThanOrEqual(15 * minuteMs);
    }
  });

  it('is told of at most twice, in order, never after its end, and by the first look of each time', () => {
    const life = fc.integer({ min: 1, max: 100 * dayMs });
    const looks = fc.array(fc.integer({ min: 1, max: 110 * dayMs }), { maxLength: 60 });
    fc.assert(
      fc.property(life, looks, (lifeMs, unsorted) => {
        const looked = unsorted.toSorted((one, other) => one - other);
        const given = notices(endingAfter(lifeMs), looked);
        const leftMs = looked.map((afterMs) => lifeMs - afterMs);
        const isLong = lifeMs >= 7 * dayMs + hourMs;
        const isEarly = isLong && leftMs.some((each) => each <= 7 * dayMs && each > dayMs);
        const isLate = leftMs.some((each) => each <= dayMs && each > 0);
        expect(given.map(({ days }) => days)).toEqual([...(isEarly ? [7] : []), ...(isLate ? [1] : [])]);
        for (const { days, afterMs } of given) {
          const beginMs = lifeMs - days * dayMs;
          expect(afterMs).toBe(looked.find((each) => each >= beginMs && lifeMs > each));
        }
      }),
    );
  });

  it('and that becomes known only three days ahead is told of at once', () => {
    const account = endingAfter(3 * dayMs);
    const first = noticeKeys('linkedin', account.reconnectBy ?? '');
    const given = notices(account, every(15 * minuteMs, 3 * dayMs), first);
    expect(given).toEqual([
      { days: 7, afterMs: 15 * minuteMs },
      { days: 1, afterMs: 2 * dayMs },
    ]);
  });

  it('is told of again if the end has moved', () => {
    const reconnectBy = toTimestamp(connectedMs + 50 * dayMs);
    const told = endingAfter(3 * dayMs, { expiringNotice: { days: 1, reconnectBy } });
    expect(decideNotice(told, connectedMs)).toMatchObject({ days: 7 });
  });
});

it.each<[string, Partial<Account>]>([
  ['has expired', { status: 'expired' }],
  ['is disconnected', { disconnectedAt: toTimestamp(connectedMs) }],
])('an account that %s is told nothing', (_what, changes) => {
  expect(notices(endingAfter(60 * dayMs, changes), every(hourMs, 61 * dayMs))).toEqual([]);
});

it('an account that the platform restricts is told too', () => {
  const restricted = endingAfter(60 * dayMs, { status: 'error' });
  expect(notices(restricted, every(hourMs, 61 * dayMs))).toHaveLength(2);
});

it('an account whose access does not end is never due', () => {
  const { reconnectBy: _, ...endless } = endingAfter(60 * dayMs);
  expect(firstNoticeKeys(endless)).toBeUndefined();
  expect(decideNotice(endless, connectedMs)).toEqual({});
});
