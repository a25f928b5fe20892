import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  appendEntry,
  type TimelineEntry,
  type TimelineEvent,
  triesOf,
} from '../../../lib/targets/timeline.ts';

const call = { call: 'POST https://platform.example/media', status: 200, milliseconds: 5 };
const entry = (changes: Partial<TimelineEntry> = {}): TimelineEntry => ({
  at: '2026-03-01T12:00:00.000Z',
  event: 'trying again',
  attempt: 1,
  calls: [],
  ...changes,
});

it('appends an entry with only its last calls', () => {
  const calls = Array.from({ length: 12 }, (_, index) => ({ ...call, status: 200 + index }));
  const [first, second, ...more] = appendEntry([entry()], entry({ attempt: 2, calls }));
  expect(first).toEqual(entry());
  expect(second).toEqual(entry({ attempt: 2, tryNumber: 2, calls: calls.slice(2) }));
  expect(more).toEqual([]);
});

it('keeps the newest sixty entries', () => {
  let timeline: TimelineEntry[] = [];
  for (let attempt = 1; attempt <= 100; attempt += 1) timeline = appendEntry(timeline, entry({ attempt }));
  expect(timeline.map(({ attempt }) => attempt)).toEqual(
    Array.from({ length: 60 }, (_, index) => index + 41),
  );
});

it('never takes more than 40 KB of the item, however much happens, and always keeps the newest entry', () => {
  const steps = fc.record({
    reason: fc.string({ unit: 'grapheme', minLength: 0, maxLength: 500 }),
    calls: fc.nat(20),
    repeated: fc.integer({ min: 1, max: 80 }),
  });
  fc.assert(
    fc.property(fc.array(steps, { minLength: 1, maxLength: 5 }), (many) => {
      let timeline: TimelineEntry[] = [];
      let attempt = 0;
      for (const { reason, calls, repeated } of many) {
        for (let time = 0; time < repeated; time += 1) {
          attempt += 1;
          timeline = appendEntry(timeline, entry({ attempt, reason, calls: Array(calls).fill(call) }));
        }
      }
      expect(Buffer.byteLength(JSON.stringify(timeline))).toBeLessThan(40_000);
      expect(timeline.at(-1)?.attempt).toBe(attempt);
      const kept = timeline.map((step) => step.attempt);
      expect(kept).toEqual(
        Array.from({ length: kept.length }, (_, index) => attempt - kept.length + 1 + index),
      );
    }),
    { numRuns: 40 },
  );
});

describe('the tries of a target', () => {
  const timelineOf = (events: readonly TimelineEvent[]) =>
    events.reduce<TimelineEntry[]>(
      // Each step is taken by another worker.
      (timeline, event, index) => appendEntry(timeline, entry({ event, attempt: index + 2 })),
      [],
    );

  it.each<[string, TimelineEvent[], number[]]>([
    [
      'a post that had no trouble',
      ['preparing', 'preparing', 'prepared', 'waiting', 'going live', 'published', 'finished'],
      [1, 1, 1, 1, 1, 1, 1],
    ],
    [
      'a post that was refused for a while',
      ['preparing', 'trying again', 'preparing', 'trying again', 'prepared', 'going live', 'published'],
      [1, 1, 2, 2, 3, 3, 3],
    ],
    ['a lost answer that was looked up', ['going live', 'outcome unknown', 'published'], [1, 1, 1]],
    [
      'a lost answer after which nothing was live',
      ['going live', 'outcome unknown', 'nothing went live', 'going live', 'published'],
      [1, 1, 1, 2, 2],
    ],
    ['a failed post that a person retried', ['preparing', 'failed', 'preparing', 'published'], [1, 1, 2, 2]],
    ['a pause', ['prepared', 'paused', 'resumed', 'going live', 'published'], [1, 1, 1, 1, 1]],
  ])('of %s are %j: %j', (_, events, tries) => {
    expect(timelineOf(events).map(({ tryNumber = 1 }) => tryNumber)).toEqual(tries);
  });

  it('go on after an upload of a failed try was discarded', () => {
    const failed = timelineOf(['preparing', 'failed']);
    const discarded = entry({ event: 'waiting', laterEvent: 'discarded', tryNumber: 1 });
    const retried = appendEntry(appendEntry(failed, discarded), entry({ event: 'preparing' }));
    expect(triesOf(retried)).toEqual([1, 1, 1, 2]);
  });

  it('are counted from the steps if an earlier release has not stored them', () => {
    const former = timelineOf(['trying again', 'preparing', 'failed', 'preparing']).map(
      ({ tryNumber: _, ...step }) => step,
    );
    expect(triesOf(former)).toEqual([1, 2, 2, 3]);
    expect(appendEntry(former, entry({ event: 'published' })).at(-1)?.tryNumber).toBe(3);
  });

  it('keep their numbers if the oldest steps are dropped', () => {
    const timeline = timelineOf(Array.from({ length: 100 }, () => 'trying again'));
    expect([timeline.length, timeline[0]?.tryNumber, timeline.at(-1)?.tryNumber]).toEqual([60, 41, 100]);
    expect(triesOf(timeline)[0]).toBe(41);
  });
});
