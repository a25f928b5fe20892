import { describe, expect, it } from 'vitest';
import { installMovedDate } from '../../runtime/moved-date.ts';

const hour = 3_600_000;

/** Moves a separate `Date` class, so that the test runner's time does not change. */
function movedRealm(offsetMs: number) {
  const RealDate = class extends Date {} as unknown as DateConstructor;
  const realm = { Date: RealDate };
  return { realm, RealDate, setOffset: installMovedDate(realm, offsetMs) };
}

/** Expects a time that is read as this far ahead of the real time. */
function expectAhead(byMs: number, read: () => number, precisionMs = 1): void {
  const earliestMs = Date.now() + byMs;
  const ms = read();
  expect(ms).toBeGreaterThan(earliestMs - precisionMs);
  expect(ms).toBeLessThanOrEqual(Date.now() + byMs);
}

describe('Date on a moved clock', () => {
  it('returns the moved time in every way to get the current time', () => {
    const { realm } = movedRealm(hour);
    expectAhead(hour, () => realm.Date.now());
    expectAhead(hour, () => new realm.Date().getTime());
    expectAhead(hour, () => Date.parse(realm.Date()), 1000);
  });

  it('follows the offset as it changes', () => {
    const { realm, setOffset } = movedRealm(0);
    expectAhead(0, () => realm.Date.now());
    setOffset(hour);
    expectAhead(hour, () => realm.Date.now());
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
    expectAhead(hour, () => new Deadline().getTime());
  });
});
