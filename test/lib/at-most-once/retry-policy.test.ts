import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decideFailure } from '../../../lib/at-most-once/retry-policy.ts';
import { hourMs, minuteMs, toTimestamp } from '../../../lib/kernel/clock.ts';
import { PlatformError, type Remedy } from '../../../lib/platforms/contract/errors.ts';
import { aTarget, startMs } from '../../support/builders.ts';

const sixHoursMs = 6 * 3_600_000;
const chance = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });
const transient = fc.constantFrom<Remedy>('retry', 'unknown');

describe('a daily limit', () => {
  const limit = (retryAfterSeconds?: number) =>
    new PlatformError('retry', 'daily limit', { isDailyLimit: true, retryAfterSeconds });
  const until = (ms: number) => `(the platform asks to wait until ${toTimestamp(startMs + ms)}`;

  it('is waited for until it ends, and ten minutes longer at most, so that not all targets come back at once', () => {
    for (const luck of [0, 0.5, 0.999]) {
      expect(decideFailure(limit(10 * 3_600), aTarget(), startMs, luck, 'wait')).toEqual({
        kind: 'retry',
        wakeMs: startMs + 10 * hourMs + Math.ceil(luck * 10 * minuteMs),
        limitEndsMs: startMs + 10 * hourMs,
      });
    }
  });

  it('may end within minutes', () => {
    expect(decideFailure(limit(60), aTarget(), startMs, 0.5, 'wait')).toMatchObject({
      wakeMs: startMs + 67_500,
    });
  });

  it('without a known end is tried again every hour', () => {
    expect(decideFailure(limit(), aTarget(), startMs, 0, 'wait')).toMatchObject({ wakeMs: startMs + hourMs });
  });

  it('that does not end within a day and an hour after the first wait fails, and says until when', () => {
    const waited = { failures: 0, limitedSince: toTimestamp(startMs - 20 * hourMs) };
    expect(decideFailure(limit(5 * 3_600), waited, startMs, 0, 'wait')).toMatchObject({ kind: 'retry' });
    expect(decideFailure(limit(5 * 3_600 + 1), waited, startMs, 0, 'wait')).toEqual({
      kind: 'fail',
      reason: `daily limit ${until(5 * hourMs + 1_000)})`,
    });
  });

  it('fails immediately if `onQuota` is `fail`', () => {
    expect(decideFailure(limit(60), aTarget(), startMs, 0, 'fail')).toEqual({
      kind: 'fail',
      reason: `daily limit ${until(60_000)}, and \`onQuota\` is \`fail\`)`,
    });
  });

  it('includes any wait of hours that the platform asks for, if it ends too late for a retry', () => {
    const error = (seconds: number) => new PlatformError('retry', 'no', { retryAfterSeconds: seconds });
    const failing = { failures: 3, firstFailureAt: toTimestamp(startMs - 5 * hourMs) };
    expect(decideFailure(error(7 * 3_600), aTarget(), startMs, 0, 'wait')).toHaveProperty('limitEndsMs');
    expect(decideFailure(error(2 * 3_600), failing, startMs, 0, 'wait')).toHaveProperty('limitEndsMs');
    expect(decideFailure(error(6 * 3_600), aTarget(), startMs, 0, 'wait')).not.toHaveProperty('limitEndsMs');
    expect(decideFailure(error(3_600), failing, startMs + minuteMs, 0, 'wait')).toMatchObject({
      kind: 'fail',
    });
  });

  it('does not prolong the retries of other failures', () => {
    const old = { failures: 90, firstFailureAt: toTimestamp(startMs - sixHoursMs) };
    expect(decideFailure(new PlatformError('retry', 'no'), old, startMs, 0, 'wait')).toMatchObject({
      kind: 'fail',
      reason: 'no (given up after 6 hours)',
    });
  });
});

describe('a failed step', () => {
  it.each<[Remedy, object]>([
    ['rejected', { kind: 'fail', reason: 'no' }],
    ['reauthorise', { kind: 'fail', reason: 'no', account: 'expired' }],
    ['restricted', { kind: 'fail', reason: 'no', account: 'error' }],
    ['retry', { kind: 'retry', wakeMs: startMs + 5_000 }],
    ['unknown', { kind: 'retry', wakeMs: startMs + 5_000 }],
  ])('whose remedy is %s', (remedy, decision) => {
    expect(decideFailure(new PlatformError(remedy, 'no'), aTarget(), startMs, 0)).toEqual(decision);
  });

  it('that is an internal error is retried, and the reason does not quote the error', () => {
    const oldTarget = aTarget({ firstFailureAt: toTimestamp(startMs - sixHoursMs), failures: 40 });
    expect(decideFailure(new TypeError('secret'), aTarget(), startMs, 0)).toMatchObject({ kind: 'retry' });
    expect(decideFailure(new TypeError('secret'), oldTarget, startMs, 0)).toEqual({
      kind: 'fail',
      reason: 'an error on our side (given up after 6 hours)',
    });
  });

  const secondsAfter = (failures: number, status?: number) => {
    const error = new PlatformError('retry', 'no', { status });
    const decision = decideFailure(error, aTarget({ failures }), startMs, 0.5);
    return decision.kind === 'retry' ? (decision.wakeMs - startMs) / 1_000 : decision;
  };

  it('is retried at least every minute for an hour, and then less and less often', () => {
    expect([0, 1, 2, 3, 79].map((failures) => secondsAfter(failures))).toEqual([7.5, 15, 30, 45, 45]);
    expect([80, 81, 82, 83, 84, 1_000].map((failures) => secondsAfter(failures))).toEqual([
      45, 90, 180, 360, 675, 675,
    ]);
  });

  it('is retried less and less often from the beginning if the platform throttles without saying for how long', () => {
    expect([0, 1, 2, 3, 10, 1_000].map((failures) => secondsAfter(failures, 429))).toEqual([
      7.5, 15, 30, 60, 675, 675,
    ]);
  });

  it('fails immediately if the platform asks for a wait of more than six hours, and says until when', () => {
    const error = new PlatformError('retry', 'daily limit', { retryAfterSeconds: 6 * 3_600 + 1 });
    expect(decideFailure(error, aTarget(), startMs, 0)).toEqual({
      kind: 'fail',
      reason: `daily limit (the platform asks to wait until ${toTimestamp(startMs + sixHoursMs + 1_000)})`,
    });
  });

  it('is given up, not said to wait, if its last retry would only be minutes later', () => {
    const error = new PlatformError('retry', 'no such file yet', { retryAfterSeconds: 60 });
    const nearTheEnd = aTarget({ failures: 90, firstFailureAt: toTimestamp(startMs - sixHoursMs + 30_000) });
    expect(decideFailure(error, nearTheEnd, startMs, 0)).toEqual({
      kind: 'fail',
      reason: 'no such file yet (given up after 6 hours)',
    });
  });
});

it('never retries more than six hours after the first failure, nor earlier than the platform asks', () => {
  fc.assert(
    fc.property(
      transient,
      fc.nat(1_000),
      fc.nat(8 * 3_600_000),
      fc.option(fc.nat(8 * 3_600), { nil: undefined }),
      chance,
      (remedy, failures, sinceMs, retryAfterSeconds, luck) => {
        const error = new PlatformError(remedy, 'no', { retryAfterSeconds });
        const firstMs = startMs - sinceMs;
        const target = aTarget({ failures, firstFailureAt: toTimestamp(firstMs) });
        const decision = decideFailure(error, target, startMs, luck);
        if (decision.kind === 'fail') {
          expect(decision.account).toBeUndefined();
          return;
        }
        expect(decision.wakeMs).toBeLessThanOrEqual(firstMs + sixHoursMs);
        expect(decision.wakeMs).toBeGreaterThanOrEqual(startMs + (retryAfterSeconds ?? 0) * 1_000);
        expect(decision.wakeMs).toBeGreaterThan(startMs);
      },
    ),
  );
});

it('gives up a target that always fails, whatever the jitter', () => {
  fc.assert(
    fc.property(fc.infiniteStream(chance), (luck) => {
      let target = aTarget();
      let now = startMs;
      for (;;) {
        const decision = decideFailure(new PlatformError('retry', 'no'), target, now, luck.next().value ?? 0);
        if (decision.kind === 'fail') break;
        target = {
          ...target,
          failures: target.failures + 1,
          firstFailureAt: target.firstFailureAt ?? toTimestamp(now),
        };
        now = decision.wakeMs;
      }
      expect(target.failures).toBeLessThan(180);
      expect(now - startMs).toBeGreaterThan(sixHoursMs - 15 * 60_000);
    }),
  );
});
