import fc from 'fast-check';
import { expect, it } from 'vitest';
import { keptCalls } from '../../../../lib/automations/actions/call-records.ts';
import { CallOutcome, type CallRecord } from '../../../../lib/platforms/contract/last-call.ts';

const record = fc
  .record({ outcome: fc.constantFrom(...CallOutcome.options), id: fc.option(fc.integer()) })
  .map(
    ({ outcome, id }): CallRecord => ({
      intentAt: '2026-03-01T12:00:00.000Z',
      token: { sha256: '185f8db3', ...(id !== null && { id: String(id) }) },
      endedAt: '2026-03-01T12:00:01.000Z',
      outcome,
      lookups: 0,
      misses: 0,
    }),
  );

it('of any calls, at most 50 records are kept, in order, always with the latest 20', () => {
  fc.assert(
    fc.property(fc.array(record, { maxLength: 200 }), (calls) => {
      const kept = keptCalls(calls);
      expect(kept.length).toBeLessThanOrEqual(50);
      expect(kept.slice(-20)).toEqual(calls.slice(-20));
      expect(calls.filter((call) => kept.includes(call))).toEqual(kept);
      expect(keptCalls(kept)).toEqual(kept);
    }),
  );
});

it('the ids of messages, and calls that may have taken effect, outlast refused calls', () => {
  const call = (outcome: CallRecord['outcome'], id?: string): CallRecord => ({
    intentAt: '2026-03-01T12:00:00.000Z',
    token: id === undefined ? {} : { id },
    endedAt: '2026-03-01T12:00:01.000Z',
    outcome,
    lookups: 0,
    misses: 0,
  });
  const earlier = [call('live', 'm1'), call('unknown'), call('dismissed')];
  const refused = Array.from({ length: 100 }, () => call('refused'));
  expect(keptCalls([...earlier, ...refused]).slice(0, 4)).toEqual([...earlier, call('refused')]);
});
