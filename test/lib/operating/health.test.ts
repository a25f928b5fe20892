import { describe, expect, it } from 'vitest';
import { problemsOf, type QueueState, summarizeResults, troublesOf } from '../../../lib/operating/health.ts';
import type { OutcomeCode } from '../../../lib/targets/outcome-codes.ts';
import { aTarget } from '../../support/builders.ts';

const failed = (platform: 'threads' | 'linkedin', code: OutcomeCode, error: string) =>
  aTarget({ platform, status: 'failed', error, errorDetail: { code } });
const rejected = (text: string) => failed('threads', 'platform_rejected', text);

describe('the results of an hour', () => {
  it('are counted by platform, with the most frequent reasons first', () => {
    const all = [
      rejected('media 17 is too large'),
      rejected('no'),
      rejected('media 18 is too large'),
      failed('linkedin', 'app_refused', 'suspended'),
    ];
    expect(summarizeResults(all, new Map([['threads', 5]]))).toEqual([
      {
        platform: 'linkedin',
        live: 0,
        failed: 1,
        reasons: [{ count: 1, code: 'app_refused', reason: 'suspended' }],
      },
      {
        platform: 'threads',
        live: 5,
        failed: 3,
        reasons: [
          { count: 2, code: 'platform_rejected', reason: 'media 17 is too large' },
          { count: 1, code: 'platform_rejected', reason: 'no' },
        ],
      },
    ]);
  });

  it('say that nobody knows what went live, rather than zero', () => {
    expect(summarizeResults([rejected('no')], undefined)).toMatchObject([{ live: null }]);
  });
});

const queue: QueueState = {
  name: 'publish',
  waiting: 3,
  oldestSeconds: 5,
  deadLetters: 0,
  oldestDeadLetterSeconds: null,
};
const work = { work: 'repair tasks', dueNextHour: 1, overdue: 0, oldest: null, isCut: false };
const platform = { platform: 'threads', live: 4, failed: 0, reasons: [] };
const healthy = {
  due: { work: [work], unreadable: [], putOff: [] },
  troubles: [],
  platforms: [platform],
  queues: [queue],
};
const trouble = {
  platform: 'threads',
  incidentSince: 'noon',
  putOff: 12,
  accounts: 3,
  workspaces: ['one', 'two'],
  moreWorkspaces: 1,
  reason: 'HTTP 503',
};
const why = [{ count: 5, code: 'x', reason: 'no' }];

describe('the destinations that are put off', () => {
  it('are summed up by platform, with the most frequent reason and some workspaces', () => {
    const putOff = (number: number, reason: string, platform: 'threads' | 'linkedin' = 'threads') => ({
      ...{ workspaceId: `w${number}`, postId: `p${number}`, accountId: `a${number % 3}`, platform, reason },
      ...{ since: 'noon', code: 'internal' },
    });
    const all = Array.from({ length: 12 }, (_, number) =>
      putOff(number, number === 0 ? 'no' : `call ${number}`),
    );
    const incidents = [{ platform: 'threads', kind: 'late', since: 'ten' } as const];
    expect(troublesOf({ putOff: [...all, putOff(99, 'no', 'linkedin')], incidents })).toEqual([
      {
        ...{ platform: 'threads', incidentSince: 'ten', putOff: 12, accounts: 3, reason: 'call 1' },
        ...{ workspaces: all.slice(0, 10).map(({ workspaceId }) => workspaceId), moreWorkspaces: 2 },
      },
      {
        ...{ platform: 'linkedin', incidentSince: null, putOff: 1, accounts: 1, reason: 'no' },
        ...{ workspaces: ['w99'], moreWorkspaces: 0 },
      },
    ]);
  });
});

describe('a stage', () => {
  it('is healthy if nothing is late or dead', () => {
    expect(problemsOf(healthy)).toEqual([]);
  });

  it.each([
    [
      'work is overdue',
      { due: { ...healthy.due, work: [{ ...work, overdue: 2, oldest: 'noon' }] } },
      /2 repair tasks.*since noon/,
    ],
    [
      'an item cannot be read',
      { due: { ...healthy.due, unreadable: ['POST#1 POST'] } },
      /cannot be read: POST#1 POST/,
    ],
    [
      'a platform is in trouble',
      { troubles: [trouble] },
      /^threads has trouble since noon: 12 destinations.*HTTP 503.*workspaces one, two and 1 more$/,
    ],
    [
      'most posts fail',
      { platforms: [{ ...platform, failed: 5, reasons: why }] },
      /threads: 5 .* failed and 4 are live; 5 × no/,
    ],
    [
      'there are dead letters',
      { queues: [{ ...queue, deadLetters: 1 }] },
      /publish has 1 dead letters: queue peek publish/,
    ],
    ['a queue is slow', { queues: [{ ...queue, oldestSeconds: 1_200 }] }, /publish waits for 20 minutes/],
  ])('is not healthy if %s', (_, changes, sentence) => {
    expect(problemsOf({ ...healthy, ...changes })).toEqual([expect.stringMatching(sentence)]);
  });

  it.each([
    ['few fail', { platforms: [{ ...platform, live: 0, failed: 4, reasons: why }] }],
    ['a few destinations are put off', { troubles: [{ ...trouble, incidentSince: null }] }],
    ['more go live', { platforms: [{ ...platform, live: 10, failed: 10, reasons: why }] }],
    [
      'a queue has no dead letters of its own',
      { queues: [{ ...queue, deadLetters: null, oldestSeconds: null }] },
    ],
  ])('is healthy if %s', (_, changes) => {
    expect(problemsOf({ ...healthy, ...changes })).toEqual([]);
  });
});
