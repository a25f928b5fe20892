import { describe, expect, it } from 'vitest';
import { beginCall, settleCall, unsettledCall } from '../../../lib/at-most-once/call-records.ts';
import { sendOnce } from '../../../lib/at-most-once/make-call.ts';
import { PlatformError } from '../../../lib/platforms/contract/errors.ts';
import type { CallRecord } from '../../../lib/platforms/contract/last-call.ts';

const startMs = Date.UTC(2026, 10, 20, 20);
const rule = { callSeconds: 30 };
const first = () => beginCall([], { container: '1' }, rule, startMs);
/** The records of a call that repeats one of unknown outcome. */
const repeat = () => beginCall(first(), { container: '1' }, rule, startMs);

function sent(calls: readonly CallRecord[], send: () => Promise<unknown>, now = startMs + 1_000) {
  const reports: unknown[] = [];
  const ports = { now: () => now, report: (_message: string, error: unknown) => reports.push(error) };
  return sendOnce(ports, calls, send).then((result) => ({ ...result, reports }));
}
const fails = (error: Error) => () => Promise.reject(error);
const refusal = () => new PlatformError('rejected', 'no');

describe('a last call', () => {
  it('that returns is live, and ended when it returned', async () => {
    expect(await sent(first(), async () => 'id')).toMatchObject({
      state: 'done',
      result: 'id',
      calls: [{ outcome: 'live', endedAt: '2026-11-20T20:00:01.000Z' }],
    });
  });

  it.each(['retry', 'rejected', 'reauthorise', 'restricted'] as const)(
    'that fails as %s was refused, for certain',
    async (remedy) => {
      const result = await sent(first(), fails(new PlatformError(remedy, 'no')));
      expect(result).toMatchObject({ state: 'refused', calls: [{ outcome: 'refused', proof: 'no' }] });
      expect(unsettledCall(result.calls)).toBeUndefined();
    },
  );

  it('that the platform processes may yet take effect', async () => {
    const error = new PlatformError('unknown', 'accepted', { isProcessing: true });
    expect((await sent(first(), fails(error))).calls).toMatchObject([
      { outcome: 'open', isProcessing: true },
    ]);
  });

  const answered = '2026-11-20T20:00:01.000Z';
  const latestEnd = '2026-11-20T20:00:35.000Z';
  it.each([
    [
      'with an answer that proves nothing',
      new PlatformError('unknown', 'busy', { status: 500 }),
      'busy',
      answered,
      0,
    ],
    [
      'without an answer may still be running',
      new PlatformError('unknown', 'timeout'),
      'timeout',
      latestEnd,
      0,
    ],
    ['with an error of ours may still be running', new TypeError('x'), 'an error on our side', latestEnd, 1],
  ])('that ends %s, and stays open', async (_how, error, reason, endedAt, reported) => {
    const result = await sent(first(), fails(error));
    expect(result).toMatchObject({ state: 'unknown', reason, calls: [{ outcome: 'open', endedAt }] });
    expect(result.reports).toHaveLength(reported);
  });

  it('that repeats an unsettled one and is refused leaves both unsettled', async () => {
    const result = await sent(repeat(), fails(refusal()));
    expect(result).toMatchObject({
      state: 'unknown',
      reason: 'no',
      calls: [{ outcome: 'repeated' }, { outcome: 'open' }],
    });
    expect(unsettledCall(result.calls)).toBeDefined();
  });

  it('that would start more than five seconds after its intent is not made', async () => {
    let made = 0;
    const send = async () => {
      made += 1;
    };
    expect(await sent(first(), send, startMs + 5_000)).toMatchObject({ state: 'done' });
    expect(await sent(first(), send, startMs + 5_001)).toMatchObject({
      state: 'refused',
      calls: [{ outcome: 'refused', proof: 'it was never sent' }],
    });
    expect(made).toBe(1);
  });

  it('that repeats an unsettled one and would start too late leaves both unsettled', async () => {
    const result = await sent(repeat(), async () => 'id', startMs + 5_001);
    expect(result).toMatchObject({
      state: 'unknown',
      refusal: { remedy: 'retry' },
      calls: [{ outcome: 'repeated' }, { outcome: 'open' }],
    });
  });

  it('whose worker was killed has ended for certain after its time to start and its time limit', () => {
    expect(first()).toMatchObject([{ endedAt: '2026-11-20T20:00:35.000Z', outcome: 'open' }]);
  });
});

describe('settling', () => {
  it('as live settles the earlier calls with the same token too', () => {
    expect(settleCall(repeat(), 'live', undefined)).toMatchObject([
      { outcome: 'absent' },
      { outcome: 'live' },
    ]);
  });

  it('never changes a settled record', () => {
    const refused = settleCall(first(), 'refused', 'busy');
    const calls = settleCall(beginCall(refused, {}, rule, startMs), 'absent', 'expired');
    expect(calls).toMatchObject([
      { outcome: 'refused', proof: 'busy' },
      { outcome: 'absent', proof: 'expired' },
    ]);
  });
});
