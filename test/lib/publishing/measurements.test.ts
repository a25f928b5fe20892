import { describe, expect, it } from 'vitest';
import { measurementsOf } from '../../../lib/publishing/measurements.ts';
import type { Target } from '../../../lib/targets/schemas.ts';

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
const published = { name: 'DestinationsPublished', value: 1, platform: 'threads' };
const failed = { name: 'DestinationsFailed', value: 1, platform: 'threads' };
const late = (value: number) => ({ name: 'GoLiveLateness', value, platform: 'threads' });

describe('a committed change of a destination', () => {
  it.each<[string, Target | undefined, Target | undefined, object[]]>([
    [
      'counts it as live, with how late it was',
      target({ scheduledFor }),
      target({ scheduledFor, ...live }),
      [published, late(1_250)],
    ],
    [
      'counts it once, though its address is found later',
      target({ ...live, status: 'publishing' }),
      target(live),
      [],
    ],
    ['knows no lateness of what had no time of its own', target(), target(live), [published]],
    [
      'calls nothing early: clocks of two machines may differ',
      target({ scheduledFor }),
      target({ scheduledFor, status: 'published', publishedAt: '2030-01-01T09:59:59.990Z' }),
      [published, late(0)],
    ],
    ['counts it as failed', target(), target({ status: 'failed' }), [failed]],
    [
      'counts a failure once, whatever is written after it',
      target({ status: 'failed' }),
      target({ status: 'failed', wakeNumber: 2 }),
      [],
    ],
    ['counts a second life of its own', target({ status: 'failed' }), target(live), [published]],
    ['says nothing of a step', target({ status: 'scheduled' }), target(), []],
    ['says nothing of what is new or gone', undefined, target(), []],
    ['says nothing of what is deleted', target(live), undefined, []],
  ])('%s', (_, before, after, measurements) => {
    expect(measurementsOf(before, after)).toEqual(measurements);
  });
});
