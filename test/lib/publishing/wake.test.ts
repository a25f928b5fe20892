import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { toTimestamp } from '../../../lib/kernel/clock.ts';
import {
  nearestWakes,
  planWake,
  queueDelaySeconds,
  scheduleName,
  wakeLeadMs,
  wakeMessages,
  warmLeadMs,
} from '../../../lib/publishing/wake.ts';
import { leaseMs } from '../../../lib/table/lease.ts';
import type { Target } from '../../../lib/targets/schemas.ts';
import { aTarget, startMs } from '../../support/builders.ts';

/** Schedules are set for whole seconds: the fraction is cut off. */
const wholeSecond = (ms: number) => Math.floor(ms / 1_000) * 1_000;

/** The last moment at which a schedule fires. */
const latestFiringMs = (atMs: number) => wholeSecond(atMs) + 60_000;

/** Times from long ago to a year ahead. */
const waits = fc.oneof(
  fc.integer({ min: -10_000_000, max: 2_000_000 }),
  fc.integer({ min: -1_000, max: 366 * 86_400_000 }),
);

describe('a wake', () => {
  it.each([
    ['in the past', -5_000, { via: 'queue', delaySeconds: 0 }],
    ['now', 0, { via: 'queue', delaySeconds: 0 }],
    ['in 1.9 s', 1_900, { via: 'queue', delaySeconds: 0 }],
    ['in 2 s', 2_000, { via: 'queue', delaySeconds: 1 }],
    ['in 60.5 s', 60_500, { via: 'queue', delaySeconds: 59 }],
    ['in 3 min', 180_000, { via: 'queue', delaySeconds: 179 }],
    ['in just over 3 min', 180_001, { via: 'schedule', atMs: startMs + 90_001 }],
    ['in a day', 86_400_000, { via: 'schedule', atMs: startMs + 86_310_000 }],
  ])('that is %s is scheduled', (_when, waitMs, plan) => {
    expect(planWake(startMs + waitMs, startMs)).toEqual(plan);
  });

  it('is never late: its message comes before its time, with half a minute to spare if Scheduler takes its whole minute', () => {
    fc.assert(
      fc.property(waits, (waitMs) => {
        const wakeMs = startMs + waitMs;
        const plan = planWake(wakeMs, startMs);
        if (plan.via === 'queue') {
          expect(plan.delaySeconds === 0 || startMs + plan.delaySeconds * 1_000 < wakeMs).toBe(true);
        } else {
          expect(wakeMs - latestFiringMs(plan.atMs)).toBeGreaterThanOrEqual(30_000);
        }
      }),
    );
  });

  it('may be prepared as soon as its schedule fires, and not before', () => {
    fc.assert(
      fc.property(fc.integer({ min: 180_001, max: 366 * 86_400_000 }), (waitMs) => {
        const wakeMs = startMs + waitMs;
        const plan = planWake(wakeMs, startMs);
        const atMs = plan.via === 'schedule' ? wholeSecond(plan.atMs) : Number.NaN;
        expect(nearestWakes(atMs).preparableMs).toBeGreaterThanOrEqual(wakeMs);
        expect(nearestWakes(atMs - 3_001).preparableMs).toBeLessThan(wakeMs);
      }),
    );
  });

  it('gets a schedule only if the schedule is at least a minute and a half ahead', () => {
    fc.assert(
      fc.property(waits, (waitMs) => {
        const plan = planWake(startMs + waitMs, startMs);
        expect(plan.via === 'queue' || plan.atMs - startMs >= 90_000).toBe(true);
      }),
    );
  });
});

it('delays a queue message by whole seconds from 0 to 900, the maximum of SQS', () => {
  fc.assert(
    fc.property(waits, (waitMs) => {
      const seconds = queueDelaySeconds(startMs + waitMs, startMs);
      expect(Number.isInteger(seconds) && seconds >= 0 && seconds <= 900).toBe(true);
    }),
  );
});

it('brings a message to a worker a second before its wake, and half a second if a worker has just sent it back', () => {
  const cases = [
    { waitMs: 60_000, usual: 59, sentBack: 59 },
    { waitMs: 59_500, usual: 58, sentBack: 59 },
    { waitMs: 59_499, usual: 58, sentBack: 58 },
    { waitMs: 1_400, usual: 0, sentBack: 0 },
  ];
  const found = cases.map(({ waitMs }) => ({
    waitMs,
    usual: queueDelaySeconds(startMs + waitMs, startMs),
    sentBack: queueDelaySeconds(startMs + waitMs, startMs, warmLeadMs),
  }));
  expect(found).toEqual(cases);
});

describe('the message of a target', () => {
  const dueAt = new Date(startMs + 60_000).toISOString();
  const due = { status: 'scheduled', scheduledFor: dueAt, wakeAt: dueAt } as const;
  const sooner = new Date(startMs + 30_000).toISOString();
  const later = new Date(startMs + 90_000).toISOString();
  it.each<[string, Partial<Target>, number, number]>([
    ['that goes live comes early enough for a cold start', due, 1_000, 2_000],
    ['that goes live and was prepared does, too', { ...due, preparation: { uploaded: 1 } }, 1_000, 2_000],
    ['whose platform processes its file comes after its wake', { ...due, wakeAt: sooner }, -1_000, 0],
    ['that is tried again comes after its wake', { ...due, wakeAt: later }, -1_000, 0],
    ['that is looked up comes after its wake', { ...due, status: 'publishing' }, -1_000, 0],
  ])('%s', (_which, changes, leastMs, mostMs) => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 20_000 }), (ranMs) => {
        const target = aTarget(changes);
        const wakeMs = Date.parse(target.wakeAt ?? '');
        const now = startMs + ranMs;
        const arrivesMs = now + queueDelaySeconds(wakeMs, now, wakeLeadMs(target)) * 1_000;
        expect(wakeMs - arrivesMs).toBeGreaterThan(leastMs - 1);
        expect(wakeMs - arrivesMs).toBeLessThanOrEqual(mostMs);
      }),
    );
  });
});

describe('a wake that must be punctual', () => {
  const leads = fc.constantFrom(1_000, warmLeadMs);
  const { workspaceId, postId, accountId, wakeNumber } = aTarget({});
  const message = { workspaceId, postId, accountId, wakeNumber };
  const arrivals = (waitMs: number, leadMs: number) =>
    wakeMessages(message, startMs + waitMs, startMs, leadMs).map((each) => ({
      ...each,
      arrivesMs: startMs + each.delaySeconds * 1_000,
    }));

  it('is checked 15 to 16 s later, after the lease of a worker that has taken it in time', () => {
    fc.assert(
      fc.property(fc.integer({ min: -100_000, max: 180_000 }), leads, (waitMs, leadMs) => {
        const [first, check, ...others] = arrivals(waitMs, leadMs);
        const afterMs = (check?.arrivesMs ?? Number.NaN) - startMs - Math.max(0, waitMs);
        expect(afterMs).toBeGreaterThanOrEqual(15_000);
        expect(afterMs).toBeLessThan(16_000);
        expect(check?.arrivesMs).toBeGreaterThan((first?.arrivesMs ?? Number.NaN) + leaseMs);
        expect(first?.message.checkAt).toBe(toTimestamp(check?.arrivesMs ?? Number.NaN));
        expect(check?.message).toEqual(message);
        expect(others).toEqual([]);
      }),
    );
  });

  it('is not checked if its message comes back first, because SQS cannot delay it that long', () => {
    expect(arrivals(3_600_000, warmLeadMs)).toMatchObject([{ delaySeconds: 900, message }]);
  });
});

describe("a schedule's name", () => {
  const uuid = fc.uuid();
  const wakes = fc.record({
    workspaceId: uuid,
    postId: uuid,
    accountId: uuid,
    wakeNumber: fc.nat(1_000_000),
  });

  it('is valid for EventBridge Scheduler', () => {
    fc.assert(fc.property(wakes, (wake) => /^[0-9a-zA-Z-_.]{1,64}$/.test(scheduleName(wake))));
  });

  it('is the same for the same wake and different for any other wake', () => {
    fc.assert(
      fc.property(wakes, wakes, (one, other) => {
        const isSame = (['postId', 'accountId', 'wakeNumber'] as const).every(
          (part) => one[part] === other[part],
        );
        expect(scheduleName(one) === scheduleName(other)).toBe(isSame);
        expect(scheduleName({ ...one, wakeNumber: one.wakeNumber + 1 })).not.toBe(scheduleName(one));
        expect(scheduleName({ ...one, workspaceId: other.workspaceId })).toBe(scheduleName(one));
      }),
    );
  });
});
