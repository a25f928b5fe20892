import { describe, expect, it } from 'vitest';
import { beginCall, noteCall } from '../../../lib/at-most-once/call-records.ts';
import { judgeFinding } from '../../../lib/at-most-once/judge-finding.ts';
import { hourMs, toTimestamp } from '../../../lib/kernel/clock.ts';
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
