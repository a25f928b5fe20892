import { describe, expect, it } from 'vitest';
import { measurementsOf } from '../../../lib/publishing/measurements.ts';
import type { Target } from '../../../lib/targets/schemas.ts';
import type { TimelineEvent } from '../../../lib/targets/timeline.ts';

const target = (changes: Partial<Target> = {}): Target => ({
  workspaceId: 'w',
  postId: 'p',
  accountId: 'a',
  platform: 'threads',
  position: 0,
  status: 'publishing',
  options: {},
  wakeNumber: 1,
  attempt: 1,
  failures: 0,
  timeline: [],
  ...changes,
});
const scheduledFor = '2030-01-01T10:00:00.000Z';
const live = { status: 'published', publishedAt: '2030-01-01T10:00:01.250Z' } as const;
const step = (event: TimelineEvent, at: string) => ({ event, at, attempt: 1, calls: [] });
const published = { name: 'DestinationsPublished', value: 1, platform: 'threads' };
const failed = { name: 'DestinationsFailed', value: 1, platform: 'threads' };
const late = (value: number) => ({ name: 'GoLiveLateness', value, platform: 'threads' });

describe('a committed change of a destination', () => {
  it.each<[string, Target | undefined, Target | undefined, object[]]>([
    [
      'counts a destination that went live, and measures how late',
      target({ scheduledFor }),
      target({ scheduledFor, ...live }),
      [published, late(1_250)],
    ],
    [
      'measures the lateness of a destination that waited for a daily limit from the end of that limit',
      target({ scheduledFor, limitedUntil: '2030-01-01T10:00:01.000Z' }),
      target({ scheduledFor, limitedUntil: '2030-01-01T10:00:01.000Z', ...live }),
      [published, late(250)],
    ],
    [
      'measures the lateness of a destination that a pause held from the end of the last pause, however long ago that is in its timeline',
      target({ scheduledFor }),
      target({
        scheduledFor,
        resumedAt: '2030-01-01T10:00:01.000Z',
        ...live,
        timeline: [
          step('waiting', '2030-01-01T10:00:01.100Z'),
          step('going live', '2030-01-01T10:00:01.200Z'),
        ],
      }),
      [published, late(250)],
    ],
    [
      'does not measure a destination that is live by the word of a person, who does not know since when',
      target({ scheduledFor, status: 'failed' }),
      target({ scheduledFor, ...live, verdict: { outcome: 'live', intentAt: scheduledFor } }),
      [published],
    ],
    [
      'measures a destination that a pause released before it was due from its due time',
      target({ scheduledFor }),
      target({ scheduledFor, resumedAt: '2030-01-01T09:00:00.000Z', ...live }),
      [published, late(1_250)],
    ],
    [
      'counts it once, even if its permalink is found later',
      target({ ...live, status: 'publishing' }),
      target(live),
      [],
    ],
    ['measures no lateness of an unscheduled destination', target(), target(live), [published]],
    [
      'measures a destination that went live early as on time: two clocks may differ',
      target({ scheduledFor }),
      target({ scheduledFor, status: 'published', publishedAt: '2030-01-01T09:59:59.990Z' }),
      [published, late(0)],
    ],
    ['counts a failed destination', target(), target({ status: 'failed' }), [failed]],
    [
      'counts a thread that fails in part',
      target({ status: 'publishing', publishedAt: scheduledFor }),
      target({ status: 'partial', publishedAt: scheduledFor }),
      [failed],
    ],
    [
      'counts a failure once, whatever is written later',
      target({ status: 'failed' }),
      target({ status: 'failed', wakeNumber: 2 }),
      [],
    ],
    [
      'counts a destination that goes live after it failed',
      target({ status: 'failed' }),
      target(live),
      [published],
    ],
    ['measures nothing at an intermediate step', target({ status: 'scheduled' }), target(), []],
    ['measures nothing for a new destination', undefined, target(), []],
    ['measures nothing for a deleted destination', target(live), undefined, []],
  ])('%s', (_, before, after, measurements) => {
    expect(measurementsOf(before, after)).toEqual(measurements);
  });
});
