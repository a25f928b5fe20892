import { describe, expect, it } from 'vitest';
import { beginCall, noteCall } from '../../../lib/at-most-once/call-records.ts';
import { judgeFinding, mayTakeEffect } from '../../../lib/at-most-once/judge-finding.ts';
import { dayMs, hourMs, toTimestamp } from '../../../lib/kernel/clock.ts';
import type { AbsenceRule, CallRecord, Finding } from '../../../lib/platforms/contract/last-call.ts';
import { startMs } from '../../support/builders.ts';

const rule: AbsenceRule = {
  callSeconds: 60,
  readLagSeconds: 60,
  lookups: 2,
  gapSeconds: 20,
  processingSeconds: 600,
  usedOnce: 'an upload session completes one video',
  where: 'the channel',
};
const call = beginCall([], { session: 'a' }, rule, startMs);
const ended = noteCall(call, { endedAt: toTimestamp(startMs) });
const caughtUpMs = startMs + 60_000;
const afterOneMiss = noteCall(ended, { lookups: 1, misses: 1 });
const reported = (calls: readonly CallRecord[]): CallRecord[] =>
  calls.map((record) => ({ ...record, outcome: 'unknown' }));

describe('a call whose object can be used once, and that left no trace', () => {
  const gone: Finding = { state: 'unseen', isGone: true };

  it('is repeated with the preparation that the lookup returns', () => {
    const seen: Finding = { state: 'unseen', preparation: { offset: 7 } };
    expect(judgeFinding(afterOneMiss, seen, rule, caughtUpMs)).toEqual({
      kind: 'repeat',
      preparation: { offset: 7 },
    });
  });

  it('is not repeated if the object no longer exists: the outcome is unknown', () => {
    expect(judgeFinding(afterOneMiss, gone, rule, caughtUpMs)).toMatchObject({ kind: 'unknown' });
  });

  it('is looked up as often as any other if the object no longer exists', () => {
    expect(judgeFinding(ended, gone, rule, startMs + 1_000)).toMatchObject({ kind: 'look again' });
    expect(judgeFinding(ended, gone, rule, caughtUpMs)).toMatchObject({
      kind: 'look again',
      atMs: caughtUpMs + 20_000,
    });
  });

  it.each([{ state: 'unseen' } as const, gone])('is not proven absent by a refusal: %j', (finding) => {
    const refused = noteCall(afterOneMiss, { refusal: 'no' });
    expect(judgeFinding(refused, finding, rule, caughtUpMs)).toMatchObject({ kind: 'unknown' });
  });

  it('is repeated if a person asks for another try, and dismissed if the object no longer exists', () => {
    const unknown = reported(afterOneMiss);
    expect(judgeFinding(unknown, { state: 'unseen' }, rule, caughtUpMs)).toEqual({ kind: 'repeat' });
    expect(judgeFinding(unknown, gone, rule, caughtUpMs)).toMatchObject({
      kind: 'absent',
      outcome: 'dismissed',
    });
  });
});

it('a call that leaves no trace for six hours is repeated at growing intervals', () => {
  let now = startMs;
  let calls = beginCall([], {}, rule, now);
  while (now < startMs + 6 * hourMs) {
    const verdict = judgeFinding(calls, { state: 'unseen' }, rule, now);
    if (verdict.kind === 'repeat') calls = beginCall(calls, {}, rule, now);
    else if (verdict.kind === 'look again') {
      now = verdict.atMs;
      calls = verdict.calls;
    } else expect.fail(verdict.kind);
  }
  expect(calls.length).toBeGreaterThan(20);
  expect(calls.length).toBeLessThan(40);
});

describe('a call that the platform was processing', () => {
  const processing = noteCall(ended, { lookups: 1, isProcessing: true });
  const records = (calls: readonly CallRecord[], atMs: number) => {
    const verdict = judgeFinding(calls, { state: 'unseen' }, rule, atMs);
    if (!('calls' in verdict)) throw new Error(`${verdict.kind} has no records`);
    return verdict.calls;
  };

  it('is not given up at the first lookup that does not see it', () => {
    expect(records(processing, caughtUpMs)).toMatchObject([{ isProcessing: true, misses: 1 }]);
  });

  it('is given up once as many lookups do not see it as prove something', () => {
    const { usedOnce: _usedOnce, ...unlimited } = rule;
    const missed = noteCall(processing, { lookups: 2, misses: 1 });
    expect(judgeFinding(missed, { state: 'unseen' }, unlimited, caughtUpMs)).toMatchObject({
      kind: 'unknown',
      calls: [{ isProcessing: false, misses: 2 }],
    });
  });

  const [record] = processing as [CallRecord];
  const { isProcessing: _isProcessing, ...former } = record;
  it.each<[string, CallRecord, number, boolean]>([
    ['a moment later', record, 1, true],
    ['two days later', record, 2 * dayMs, true],
    ['after that', record, 2 * dayMs + 1, false],
    ['if the platform has given it up', { ...record, isProcessing: false }, 1, false],
    ['if it never was', former, 1, false],
    [
      'if an earlier release has only stored the reason',
      { ...former, proof: 'the platform has accepted the post and is still processing it' },
      1,
      true,
    ],
  ])('may take effect %s: %#', (_when, stored, afterMs, expected) => {
    expect(mayTakeEffect(stored, Date.parse(stored.endedAt) + afterMs)).toBe(expected);
  });
});
