import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createMovableClock } from '../clock.ts';

describe('the movable clock', () => {
  beforeEach(() => vi.useFakeTimers());
  afterEach(() => vi.useRealTimers());

  it('runs with real time, ahead by its offset', () => {
    const onMove = vi.fn();
    const clock = createMovableClock({ offsetMs: 1000, onMove });
    const startedAt = Date.now();
    clock.advance(500);
    vi.advanceTimersByTime(10);
    expect(clock.now() - startedAt).toBe(1510);
    expect(onMove).toHaveBeenCalledWith(1500);
  });

  it('fires a timer once, when real time reaches it', () => {
    const clock = createMovableClock();
    const fired = vi.fn();
    clock.setTimer(clock.now() + 100, fired);
    vi.advanceTimersByTime(99);
    expect(fired).not.toHaveBeenCalled();
    vi.advanceTimersByTime(1000);
    clock.advance(1000);
    vi.runAllTimers();
    expect(fired).toHaveBeenCalledOnce();
  });

  it('fires the timers it is moved past, earliest first, and no others', () => {
    const clock = createMovableClock();
    const fired: string[] = [];
    for (const [name, ms] of [
      ['hour', 3_600_000],
      ['minute', 60_000],
      ['day', 86_400_000],
    ] as const) {
      clock.setTimer(clock.now() + ms, () => fired.push(name));
    }
    clock.advance(3_600_000);
    vi.advanceTimersByTime(1);
    expect(fired).toEqual(['minute', 'hour']);
  });

  it("waits longer than Node's longest timer", () => {
    const clock = createMovableClock();
    const fired = vi.fn();
    const fortyDaysMs = 40 * 86_400_000;
    clock.setTimer(clock.now() + fortyDaysMs, fired);
    vi.advanceTimersByTime(fortyDaysMs - 1);
    expect(fired).not.toHaveBeenCalled();
    vi.advanceTimersByTime(1);
    expect(fired).toHaveBeenCalledOnce();
  });

  it('does not fire a cancelled timer', () => {
    const clock = createMovableClock();
    const fired = vi.fn();
    clock.setTimer(clock.now() + 10, fired)();
    clock.advance(20);
    vi.runAllTimers();
    expect(fired).not.toHaveBeenCalled();
  });

  it.each([-1, Number.NaN, Number.POSITIVE_INFINITY])('refuses to move by %d', (ms) => {
    expect(() => createMovableClock().advance(ms)).toThrow(RangeError);
  });
});
