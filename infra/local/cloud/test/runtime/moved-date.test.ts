import { describe, expect, it } from 'vitest';
import { installMovedDate } from '../../runtime/moved-date.ts';

const hour = 3_600_000;

/** Moves a separate `Date` class, so that the test runner's time does not change. */
function movedRealm(offsetMs: number) {
  const RealDate = class extends Date {} as unknown as DateConstructor;
  const realm = { Date: RealDate };
  return { realm, RealDate, setOffset: installMovedDate(realm, offsetMs) };
}

const aheadMs = (ms: number) => Math.abs(ms - Date.now() - hour);

describe('Date on a moved clock', () => {
  it('returns the moved time in every way to get the current time', () => {
    const { realm } = movedRealm(hour);
    expect(aheadMs(realm.Date.now())).toBeLessThan(50);
    expect(aheadMs(new realm.Date().getTime())).toBeLessThan(50);
    expect(aheadMs(Date.parse(realm.Date()))).toBeLessThan(1100);
  });

  it('follows the offset as it changes', () => {
    const { realm, setOffset } = movedRealm(0);
    expect(Math.abs(realm.Date.now() - Date.now())).toBeLessThan(50);
    setOffset(hour);
    expect(aheadMs(realm.Date.now())).toBeLessThan(50);
  });

  it('does not change given times', () => {
    const { realm } = movedRealm(hour);
    expect(new realm.Date(0).toISOString()).toBe('1970-01-01T00:00:00.000Z');
    expect(new realm.Date('2026-11-20T00:00:00Z').getTime()).toBe(Date.UTC(2026, 10, 20));
    expect(new realm.Date(2026, 0, 2).getDate()).toBe(2);
    expect(realm.Date.parse('1970-01-01')).toBe(0);
    expect(realm.Date.UTC(1970, 0, 1)).toBe(0);
  });

  it('is still an instance of Date', () => {
    const { realm, RealDate } = movedRealm(hour);
    const date = new realm.Date();
    expect(date instanceof realm.Date).toBe(true);
    expect(date instanceof RealDate).toBe(true);
    expect(date.constructor).toBe(realm.Date);
    class Deadline extends realm.Date {}
    expect(new Deadline() instanceof Deadline).toBe(true);
    expect(aheadMs(new Deadline().getTime())).toBeLessThan(50);
  });
});
