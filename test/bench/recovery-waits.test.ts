import { expect, it } from 'vitest';
import { toTimestamp } from '../../lib/kernel/clock.ts';
import type { CallRecord } from '../../lib/platforms/contract/last-call.ts';
import type { Target } from '../../lib/targets/schemas.ts';
import type { TimelineEvent } from '../../lib/targets/timeline.ts';
import { aTarget, startMs } from '../support/builders.ts';
import { type Wait, waitOf } from './recovery/waits.ts';

const at = (seconds: number) => toTimestamp(startMs + seconds * 1_000);

/** A step, by its event, the token of its worker, and its seconds after the due time. */
type Step = readonly [TimelineEvent, number, number];

const prepared: Step = ['prepared', 2, -50];

function targetWith(steps: readonly Step[], changes: Partial<Target> = {}): Target {
  const timeline = steps.map(([event, attempt, seconds]) => ({
    event,
    attempt,
    at: at(seconds),
    calls: [],
    ...(event === 'prepared' && { nextAt: at(0) }),
  }));
  return aTarget({ scheduledFor: at(0), status: 'published', timeline, ...changes });
}

const call = (outcome: CallRecord['outcome']): CallRecord => ({
  intentAt: at(0),
  token: {},
  endedAt: at(50),
  outcome,
  lookups: 0,
  misses: 0,
});

it.each<[Wait, readonly Step[], Partial<Target>?]>([
  ['nothing', [prepared, ['going live', 3, 0], ['published', 3, 0.4]]],
  ['the queue and the processor', [prepared, ['going live', 3, 4], ['published', 3, 4.2]]],
  ['the queue and the processor', [prepared, ['going live', 3, 0.5], ['published', 3, 1.5]]],
  [
    'the rest of a lease: its worker was killed before the call',
    [prepared, ['going live', 4, 14.5], ['published', 4, 15]],
  ],
  ['the rest of a second lease', [prepared, ['going live', 5, 29], ['published', 5, 29.2]]],
  [
    'the second message: the first was lost before a worker took it',
    [
      ['going live', 2, 15.2],
      ['published', 2, 15.4],
    ],
  ],
  ['the sweep', [prepared, ['going live', 3, 44], ['published', 3, 44.2]]],
  ['the sweep', [prepared], { status: 'scheduled' }],
  ['the outcome of its own call: it was found', [prepared, ['going live', 3, 0], ['published', 4, 16]]],
  [
    'the outcome of its own call: it had no effect',
    [prepared, ['going live', 3, 0], ['failed', 9, 309]],
    { status: 'failed', calls: [call('unknown')] },
  ],
  [
    'the outcome of its own call: it had no effect',
    [prepared, ['going live', 3, 0], ['nothing went live', 9, 200], ['going live', 10, 260]],
    { calls: [call('absent'), call('live')] },
  ],
  ['another try', [prepared, ['trying again', 3, 0], ['going live', 4, 30], ['published', 4, 30.5]]],
])('a target waits for %s', (wait, steps, changes) => {
  expect(waitOf(targetWith(steps, changes), startMs + 43_000)).toBe(wait);
});
