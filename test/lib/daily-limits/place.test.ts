import { describe, expect, it } from 'vitest';
import { type Place, placeOf } from '../../../lib/daily-limits/place.ts';
import type { CallRecord } from '../../../lib/platforms/contract/last-call.ts';
import type { Target } from '../../../lib/targets/schemas.ts';
import { aTarget } from '../../support/builders.ts';

const zone = 'America/Los_Angeles';
/** Noon in the zone. */
const noon = (day: string) => `${day}T20:00:00.000Z`;
const [monday, tuesday] = ['2026-03-02', '2026-03-03'];
const call = (intentAt: string): CallRecord => ({
  intentAt,
  token: {},
  endedAt: intentAt,
  outcome: 'unknown',
  lookups: 0,
  misses: 0,
});
const scheduled: Partial<Target> = { scheduledFor: noon(monday), wakeAt: noon(monday) };
const { wakeAt: _wakeAt, ...settled } = aTarget(scheduled);

describe('the place of a destination', () => {
  it.each<[string, Partial<Target>, Pick<Place, 'day' | 'isUsed'> | undefined]>([
    ['of a draft is none', { ...scheduled, status: 'draft' }, undefined],
    ['that is planned is in the day of its time', scheduled, { day: monday, isUsed: false }],
    [
      'whose preparation begins the day before is in the day of its time',
      { scheduledFor: noon(tuesday), wakeAt: noon(monday) },
      { day: tuesday, isUsed: false },
    ],
    [
      'that waits for the next day is in that day',
      { ...scheduled, wakeAt: noon(tuesday) },
      { day: tuesday, isUsed: false },
    ],
    [
      'that is being prepared is used',
      { ...scheduled, preparation: { session: 'x' } },
      { day: monday, isUsed: true },
    ],
    [
      'whose upload began the day before is used, in the day of the upload',
      {
        ...scheduled,
        scheduledFor: noon(tuesday),
        preparation: { uploadId: '1' },
        preparingSince: noon(monday),
      },
      { day: monday, isUsed: true },
    ],
    [
      'whose upload went live the day after is used, in the day of the upload',
      {
        ...scheduled,
        status: 'published',
        publishedAt: noon(tuesday),
        preparation: { uploadId: '1' },
        preparingSince: noon(monday),
      },
      { day: monday, isUsed: true },
    ],
    [
      'with a recorded call is used, in the day of the call',
      { ...scheduled, status: 'publishing', calls: [call(noon(tuesday))] },
      { day: tuesday, isUsed: true },
    ],
    [
      'that is live is used, in the day that it went live',
      { ...scheduled, status: 'published', publishedAt: noon(tuesday) },
      { day: tuesday, isUsed: true },
    ],
    ['that failed before it began is none', { ...settled, status: 'failed' }, undefined],
    [
      'that failed while it was prepared stays used',
      { ...settled, status: 'failed', preparation: {} },
      { day: monday, isUsed: true },
    ],
    [
      'that failed after its call stays used, in the day of the call',
      { ...settled, status: 'failed', calls: [call(noon(tuesday))] },
      { day: tuesday, isUsed: true },
    ],
  ])('%s', (_which, changes, place) => {
    const found = placeOf(aTarget(changes), zone);
    expect(found && { day: found.day, isUsed: found.isUsed }).toEqual(place);
  });
});
