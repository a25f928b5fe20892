import { describe, expect, it } from 'vitest';
import { problemsOf, type QueueState, summarizeResults } from '../../../lib/operating/health.ts';
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
const healthy = { due: { work: [work], unreadable: [] }, platforms: [platform], queues: [queue] };
const why = [{ count: 5, code: 'x', reason: 'no' }];

describe('a stage', () => {
  it('is healthy if nothing is late or dead', () => {
    expect(problemsOf(healthy)).toEqual([]);
  });

  it.each([
    [
      'work is overdue',
      { due: { work: [{ ...work, overdue: 2, oldest: 'noon' }], unreadable: [] } },
      /2 repair tasks.*since noon/,
    ],
    [
      'an item cannot be read',
      { due: { work: [], unreadable: ['POST#1 POST'] } },
      /cannot be read: POST#1 POST/,
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
    ['more go live', { platforms: [{ ...platform, live: 10, failed: 10, reasons: why }] }],
    [
      'a queue has no dead letters of its own',
      { queues: [{ ...queue, deadLetters: null, oldestSeconds: null }] },
    ],
  ])('is healthy if %s', (_, changes) => {
    expect(problemsOf({ ...healthy, ...changes })).toEqual([]);
  });
});
