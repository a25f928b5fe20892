import { describe, expect, it } from 'vitest';
import { outcomeLineOf, putOffCount } from '../../../lib/publishing/outcome-line.ts';
import type { Target } from '../../../lib/targets/schemas.ts';
import type { TimelineEntry, TimelineEvent } from '../../../lib/targets/timeline.ts';

const scheduledFor = '2030-01-01T10:00:00.000Z';
const next = '2030-01-01T10:05:00.000Z';

const target = (changes: Partial<Target> = {}): Target => ({
  workspaceId: 'w',
  postId: 'p',
  accountId: 'a',
  platform: 'threads',
  position: 0,
  status: 'scheduled',
  options: {},
  scheduledFor,
  wakeNumber: 1,
  attempt: 1,
  failures: 0,
  timeline: [],
  ...changes,
});
const steps = (event: TimelineEvent, rest: Partial<TimelineEntry> = {}): Pick<Target, 'timeline'> => ({
  timeline: [{ event, at: scheduledFor, attempt: 1, calls: [], ...rest }],
});
const problem = (code: NonNullable<Target['errorDetail']>['code'], error = 'why') => ({
  error,
  errorDetail: { code },
});
const published = { status: 'published', publishedAt: '2030-01-01T10:00:01.250Z' } as const;

describe('the log line about a committed change of a destination', () => {
  it.each<[string, Target | undefined, Target | undefined, object | undefined]>([
    [
      'says that it went live, and how late',
      target(),
      target({ ...published, ...steps('published') }),
      { level: 'info', details: { state: 'live', platform: 'threads', lateMs: 1_250 } },
    ],
    [
      'says that it failed, and why',
      target(),
      target({ status: 'failed', ...problem('platform_rejected'), ...steps('failed') }),
      {
        level: 'warn',
        details: { state: 'failed', platform: 'threads', code: 'platform_rejected', reason: 'why' },
      },
    ],
    [
      'tells an unknown outcome apart from a failure',
      target({ status: 'publishing' }),
      target({ status: 'failed', ...problem('outcome_unknown'), ...steps('failed') }),
      {
        level: 'error',
        details: { state: 'unknown', platform: 'threads', code: 'outcome_unknown', reason: 'why' },
      },
    ],
    [
      'says that it is tried again, and when',
      target(),
      target({ ...problem('platform_unavailable'), ...steps('trying again'), wakeAt: next, wakeNumber: 2 }),
      {
        level: 'warn',
        details: {
          state: 'postponed',
          platform: 'threads',
          code: 'platform_unavailable',
          reason: 'why',
          nextAt: next,
        },
      },
    ],
    [
      'says that it waits for a daily limit',
      target(),
      target({ ...problem('quota_exhausted'), ...steps('waiting'), wakeAt: next }),
      {
        level: 'warn',
        details: {
          state: 'postponed',
          platform: 'threads',
          code: 'quota_exhausted',
          reason: 'why',
          nextAt: next,
        },
      },
    ],
    [
      'gives no time for the end of a pause',
      target(),
      target({ ...problem('paused'), ...steps('paused'), wakeAt: next }),
      { level: 'warn', details: { state: 'postponed', platform: 'threads', code: 'paused', reason: 'why' } },
    ],
    [
      'says that an interrupted call is looked up',
      target({ status: 'publishing', ...steps('going live') }),
      target({
        status: 'publishing',
        ...steps('outcome unknown', { reason: 'no response after 30 s' }),
        wakeAt: next,
      }),
      {
        level: 'warn',
        details: {
          state: 'postponed',
          platform: 'threads',
          code: 'outcome_unknown',
          reason: 'no response after 30 s',
          nextAt: next,
        },
      },
    ],
    [
      'says that a live destination lacks a part',
      target({ ...published, status: 'publishing', ...steps('published') }),
      target({ ...published, ...problem('extra_failed'), ...steps('finished') }),
      {
        level: 'warn',
        details: { state: 'incomplete', platform: 'threads', code: 'extra_failed', reason: 'why' },
      },
    ],
    ['does not exist for a preparation', target(), target(steps('preparing')), undefined],
    [
      'does not exist for a try that follows at once, with a new token',
      target(),
      target({ ...steps('trying again'), wakeAt: scheduledFor, wakeNumber: 2 }),
      undefined,
    ],
    ['does not exist for a wait that is no problem', target(), target(steps('waiting')), undefined],
    [
      'does not exist for a change that is no step, such as a new time',
      target({ ...problem('platform_unavailable'), ...steps('trying again') }),
      target({ ...problem('platform_unavailable'), ...steps('trying again'), wakeNumber: 2 }),
      undefined,
    ],
    [
      'does not exist for a live destination whose permalink is looked up again',
      target({ ...published, status: 'publishing', ...steps('published') }),
      target({ ...published, status: 'publishing', ...steps('waiting', { at: next }) }),
      undefined,
    ],
    ['does not exist for a new destination', undefined, target(), undefined],
    ['does not exist for a deleted destination', target(), undefined, undefined],
  ])('%s', (_, before, after, line) => {
    const found = outcomeLineOf(before, after);
    if (line === undefined) expect(found).toBeUndefined();
    else expect(found).toMatchObject(line);
    if (found && line) expect(found.details).toStrictEqual((line as { details: object }).details);
  });
});

describe('the metric of destinations that are put off', () => {
  it.each([
    [
      'counts one that is tried again',
      problem('platform_unavailable'),
      'trying again',
      'platform_unavailable',
    ],
    ['counts one that waits for a limit', problem('quota_exhausted'), 'waiting', 'quota_exhausted'],
    ['counts an interrupted call', { status: 'publishing' }, 'outcome unknown', 'outcome_unknown'],
  ] as const)('%s, by its reason', (_, changes, event, reason) => {
    const line = outcomeLineOf(target(), target({ ...changes, ...steps(event), wakeAt: next }));
    expect(putOffCount(line)).toEqual([
      { name: 'DestinationsPutOff', value: 1, platform: 'threads', reason },
    ]);
  });

  it.each([
    ['goes live', target({ ...published, ...steps('published') })],
    ['has failed', target({ status: 'failed', ...problem('platform_rejected'), ...steps('failed') })],
    ['is prepared', target(steps('preparing'))],
  ])('does not count one that %s', (_, after) => {
    expect(putOffCount(outcomeLineOf(target(), after))).toEqual([]);
  });
});
